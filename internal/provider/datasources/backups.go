package datasources

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// backups is the data source proxmox_backups.
type backups struct{ source }

type backupsModel struct {
	VMID    types.Int64  `tfsdk:"vmid"`
	Storage types.String `tfsdk:"storage"`
	Kind    types.String `tfsdk:"kind"`
	Backups []backupRow  `tfsdk:"backups"`
	Unseen  types.Set    `tfsdk:"unseen"`
}

type backupRow struct {
	VolumeID    types.String `tfsdk:"volume_id"`
	Storage     types.String `tfsdk:"storage"`
	Node        types.String `tfsdk:"node"`
	VMID        types.Int64  `tfsdk:"vmid"`
	Kind        types.String `tfsdk:"kind"`
	Created     types.String `tfsdk:"created"`
	AgeDays     types.Int64  `tfsdk:"age_days"`
	Size        types.Int64  `tfsdk:"size"`
	Format      types.String `tfsdk:"format"`
	Notes       types.String `tfsdk:"notes"`
	Protected   types.Bool   `tfsdk:"protected"`
	Verified    types.String `tfsdk:"verified"`
	Attribution types.String `tfsdk:"attribution"`
}

// Schema describes the filters and the archives.
func (s *backups) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The backup archives of guests, newest first. Archives of guests outside of the provider's `vmid_range` are not shown.\n\n" +
			"Proxmox hides archives from who lacks the privileges, so a list that may be incomplete is an error or a warning here and never an empty success. Needs Datastore.AllocateSpace on the storages and VM.Backup on the guests.",
		Attributes: map[string]schema.Attribute{
			"vmid": schema.Int64Attribute{Optional: true, MarkdownDescription: "Only archives of this VMID. Default: all.",
				Validators: []validator.Int64{int64validator.Between(int64(guest.MinVMID), int64(guest.MaxVMID))}},
			"storage": filter("Only archives on this storage. Default: every storage that takes content `backup`."),
			"kind":    schema.StringAttribute{Optional: true, MarkdownDescription: "Only archives of containers (`lxc`) or VMs (`qemu`). Default: both.", Validators: []validator.String{stringvalidator.OneOf("lxc", "qemu")}},
			"unseen":  textSet("Storages that could not be looked into now, as `STORAGE on NODE`: what they hold is not in the list."),
			"backups": list("The archives, newest first.", map[string]schema.Attribute{
				"volume_id": text("Volume id."),
				"storage":   text("Storage."),
				"node":      text("A node that reaches the archive."),
				"vmid":      count("VMID of the guest that was backed up."),
				"kind":      text("`lxc` or `qemu`."),
				"created":   text("When the backup was begun, in UTC (RFC 3339)."),
				"age_days":  count("Whole days since then."),
				"size":      count("Size in bytes, null if the storage does not say."),
				"format":    text("Format, such as `tar.zst`, `vma.zst` or `pbs-vm`."),
				"notes":     text("First line of the notes, null for none."),
				"protected": flag("Whether nothing prunes or deletes it."),
				"verified":  text("What the last verification on a Proxmox Backup Server found, `ok` or `failed`; null if there was none."),
				"attribution": text("Whether it is an archive of the guest that has the VMID now: `guest` if its date or its notes prove it, else `unknown`. " +
					"A VMID may have been used by another guest before, and two clusters may share a store; an unproved archive is no backup of the guest."),
			}),
		},
	}
}

// Read lists the archives of every storage in question.
func (s *backups) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m backupsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	id := guest.VMID(m.VMID.ValueInt64())
	if err := s.data.Boundary.Err(); err != nil || id != 0 && s.data.Boundary.Check(id) != nil {
		if err == nil {
			err = s.data.Boundary.Check(id)
		}
		resp.Diagnostics.Append(diags.FailedAt(path.Root("vmid"), "The archives cannot be listed", err, ""))
		return
	}
	rows, err := s.data.Guests.All(ctx)
	if err != nil {
		resp.Diagnostics.Append(diags.Failed("The storages cannot be listed", err, ""))
		return
	}
	stores, unseen := reachable(rows, "backup")
	m.Unseen, m.Backups = stringSet(unseen), []backupRow{}
	found := false
	for _, store := range stores {
		if !fits(m.Storage, store.Storage) {
			continue
		}
		found = true
		resp.Diagnostics.Append(s.visible(ctx, store.Storage, id)...)
		content, err := s.data.Client.Content(ctx, store.Node, store.Storage, pve.ContentFilter{Type: "backup", VMID: id})
		if err != nil {
			resp.Diagnostics.Append(diags.Failed("The archives on storage "+store.Storage+" cannot be listed", err, ""))
			continue
		}
		for _, c := range content {
			if row, ok := s.row(ctx, store, c, rows); ok && fits(m.Kind, row.Kind.ValueString()) {
				m.Backups = append(m.Backups, row)
			}
		}
	}
	if attrs.Known(m.Storage) && !found {
		resp.Diagnostics.Append(diag.NewAttributeErrorDiagnostic(path.Root("storage"), "The archives on storage "+m.Storage.ValueString()+" cannot be listed",
			"The listing of the cluster shows no storage of this name that takes content backup and is reachable now. One that the user may not audit is not listed, which needs Datastore.Audit on /storage/"+m.Storage.ValueString()+"."))
	}
	slices.SortFunc(m.Backups, func(a, b backupRow) int {
		return strings.Compare(b.Created.ValueString()+b.VolumeID.ValueString(), a.Created.ValueString()+a.VolumeID.ValueString())
	})
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// visible says when the list of a storage is not whole, which Proxmox does not.
func (s *backups) visible(ctx context.Context, storage string, id guest.VMID) diag.Diagnostics {
	summary := "The archives on storage " + storage + " cannot be seen"
	if id != 0 {
		sees, needs, err := archives.Sees(ctx, s.data, storage, id)
		switch {
		case err != nil:
			return diag.Diagnostics{diags.Failed(summary, err, "")}
		case !sees:
			return diag.Diagnostics{diag.NewErrorDiagnostic(summary, "Proxmox leaves out what one may not see, so an empty list would prove nothing.\n\nGive the user "+needs+".")}
		}
		return nil
	}
	on := "/storage/" + storage
	p, err := s.data.Client.Permissions(ctx, on)
	switch {
	case err != nil:
		return diag.Diagnostics{diags.Failed(summary, err, "")}
	case p.Has(on, "Datastore.Allocate"):
		return nil
	case !p.Has(on, "Datastore.AllocateSpace"):
		return diag.Diagnostics{diag.NewErrorDiagnostic(summary, "Proxmox leaves out what one may not see, so an empty list would prove nothing.\n\nGive the user Datastore.AllocateSpace on "+on+", and VM.Backup on the guests.")}
	}
	if p, err = s.data.Client.Permissions(ctx, "/vms"); err == nil && p.Has("/vms", "VM.Backup") {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic("The archives on storage "+storage+" may not all be shown",
		"Proxmox shows only those of guests on which the user has VM.Backup.\n\nGive the user VM.Backup on /vms, or ask for one vmid.")}
}

// row is an archive within the range; ok is false for any other.
func (s *backups) row(ctx context.Context, store pve.Resource, c pve.Content, guests []pve.Resource) (backupRow, bool) {
	id := guest.VMID(c.VMID)
	a, err := vzdump.ParseArchive(c.VolID)
	if err == nil {
		id = a.VMID
	}
	if s.data.Boundary.Set() && s.data.Boundary.Check(id) != nil {
		return backupRow{}, false
	}
	created := time.Unix(int64(c.CTime), 0).UTC()
	row := backupRow{
		VolumeID: types.StringValue(c.VolID), Storage: types.StringValue(store.Storage), Node: types.StringValue(store.Node),
		VMID: types.Int64Value(int64(id)), Kind: optional(string(kindOf(c, a))), Created: types.StringValue(created.Format(time.RFC3339)),
		AgeDays: types.Int64Value(int64(s.data.Client.ServerTime().Sub(created) / (24 * time.Hour))), Size: types.Int64Null(),
		Format: optional(c.Format), Notes: optional(c.Notes), Protected: types.BoolValue(bool(c.Protected)), Verified: optional(c.Verify.State),
	}
	if c.Size > 0 {
		row.Size = types.Int64Value(int64(c.Size))
	}
	row.Attribution = types.StringValue(string(s.attribute(ctx, c, guest.Kind(row.Kind.ValueString()), id, created, guests)))
	return row, true
}

func kindOf(c pve.Content, a vzdump.Archive) guest.Kind {
	if c.Subtype != "" {
		return guest.Kind(c.Subtype)
	}
	return a.Kind
}

// attribute compares an archive with the guest that has its number now. The date
// of a VM's creation is in its configuration, which is not read for a list: the
// notes alone can prove it.
func (s *backups) attribute(_ context.Context, c pve.Content, kind guest.Kind, id guest.VMID, created time.Time, guests []pve.Resource) vzdump.Attribution {
	for _, row := range guests {
		if ref, ok := row.Guest(); ok && ref.VMID == id {
			got := vzdump.Attribute(vzdump.Taken{Kind: kind, VMID: id, Created: created, Notes: c.Notes}, vzdump.Owner{Kind: ref.Kind, VMID: ref.VMID, Name: row.Name})
			if got == vzdump.OfOther {
				return vzdump.UnknownOwner // the number is that of a guest of the other kind now
			}
			return got
		}
	}
	return vzdump.UnknownOwner
}
