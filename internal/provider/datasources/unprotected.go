package datasources

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// unprotected is the data source proxmox_unprotected_guests.
type unprotected struct{ source }

type unprotectedRow struct {
	VMID types.Int64  `tfsdk:"vmid"`
	Kind types.String `tfsdk:"kind"`
	Name types.String `tfsdk:"name"`
}

// Schema describes the guests that nobody backs up.
func (s *unprotected) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	row := map[string]schema.Attribute{
		"vmid": count("VMID."),
		"kind": text("`lxc` or `qemu`."),
		"name": text("Name."),
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Guests that no backup policy selects, within the provider's `vmid_range`. It says who is in a policy, not who has backups: see `proxmox_backups`.\n\nNeeds Sys.Audit on `/` and VM.Audit on the guests; guests without it are missing without a word.",
		Attributes: map[string]schema.Attribute{
			"guests":        list("Guests that are in no policy at all, as the cluster says.", row),
			"disabled_only": list("Guests that are in policies which are all disabled. For Proxmox they count as selected.", row),
		},
	}
}

// Read asks the cluster who is in no job, and finds those in disabled jobs alone.
func (s *unprotected) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	err := s.data.Boundary.Err()
	var none []pve.UnprotectedGuest
	var jobs []pve.BackupJob
	var rows []pve.Resource
	if err == nil {
		none, err = s.data.Client.NotBackedUp(ctx)
	}
	if err == nil {
		jobs, err = s.data.Client.BackupJobs(ctx)
	}
	if err == nil {
		rows, err = s.data.Guests.All(ctx)
	}
	if err != nil {
		resp.Diagnostics.Append(diags.Failed("The guests without a policy cannot be listed", err, ""))
		return
	}
	var m struct {
		Guests   []unprotectedRow `tfsdk:"guests"`
		Disabled []unprotectedRow `tfsdk:"disabled_only"`
	}
	m.Guests, m.Disabled = []unprotectedRow{}, []unprotectedRow{}
	for _, g := range none {
		if s.data.Boundary.Check(g.VMID) == nil {
			m.Guests = append(m.Guests, unprotectedRow{types.Int64Value(int64(g.VMID)), types.StringValue(string(g.Kind)), optional(g.Name)})
		}
	}
	for _, row := range rows {
		ref, ok := row.Guest()
		if ok && s.data.Boundary.Check(ref.VMID) == nil && onlyDisabled(jobs, ref, row.Pool) {
			m.Disabled = append(m.Disabled, unprotectedRow{types.Int64Value(int64(ref.VMID)), types.StringValue(row.Type), optional(row.Name)})
		}
	}
	for _, list := range [][]unprotectedRow{m.Guests, m.Disabled} {
		slices.SortFunc(list, func(a, b unprotectedRow) int { return int(a.VMID.ValueInt64() - b.VMID.ValueInt64()) })
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// onlyDisabled reports whether jobs select a guest and none of them runs.
func onlyDisabled(jobs []pve.BackupJob, ref guest.Ref, pool string) bool {
	selected := false
	for _, job := range jobs {
		ids, _ := vzdump.ParseVMIDs(job.Values["vmid"])
		exclude, _ := vzdump.ParseVMIDs(job.Values["exclude"])
		selection := vzdump.Selection{VMIDs: ids, Exclude: exclude, Pool: job.Values["pool"], All: job.Values["all"] == "1", Node: job.Values["node"]}
		if !selection.Selects(vzdump.Candidate{VMID: ref.VMID, Node: ref.Node, Pool: pool}) {
			continue
		}
		if job.Values["enabled"] != "0" {
			return false
		}
		selected = true
	}
	return selected
}
