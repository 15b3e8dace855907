package actions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// power is the action proxmox_guest_power.
type power struct{ base }

type powerModel struct {
	VMID    types.Int64  `tfsdk:"vmid"`
	Do      types.String `tfsdk:"do"`
	Timeout types.Int64  `tfsdk:"timeout"`
	Force   types.Bool   `tfsdk:"force"`
}

// shutdownLimit is how long a guest may take to shut down.
const shutdownLimit = 3 * time.Minute

// Schema is what can be done with the power of a guest.
func (a *power) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Starts, shuts down, stops or reboots a guest. What is so already is no error. A guest that a resource manages has `started` there; this action is for what happens once, such as a reboot after a change.\n\nNeeds VM.PowerMgmt on the guest.",
		Attributes: map[string]schema.Attribute{
			"vmid":    vmid("The guest, a container or a VM."),
			"do":      schema.StringAttribute{Required: true, MarkdownDescription: "`start`, `shutdown` (the guest is asked), `stop` (its power is cut) or `reboot` (it is asked; pending changes take effect).", Validators: []validator.String{stringvalidator.OneOf("start", "shutdown", "stop", "reboot")}},
			"timeout": schema.Int64Attribute{Optional: true, MarkdownDescription: "Seconds that the guest may take to shut down or reboot. Default: 180.", Validators: []validator.Int64{int64validator.AtLeast(1)}},
			"force":   schema.BoolAttribute{Optional: true, MarkdownDescription: "With `shutdown`: whether its power is cut when it takes longer. Default: `false`."},
		},
	}
}

// Invoke does it and waits.
func (a *power) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var m powerModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	id, do := guest.VMID(m.VMID.ValueInt64()), m.Do.ValueString()
	summary := fmt.Sprintf("%s of guest %d was not done", do, id)
	if err := a.data.Boundary.Check(id); err != nil {
		resp.Diagnostics.Append(diags.FailedAt(path.Root("vmid"), summary, err, diags.Nothing))
		return
	}
	g, err := archives.Locate(ctx, a.data, id)
	if err != nil {
		resp.Diagnostics.Append(diags.FailedAt(path.Root("vmid"), summary, err, diags.Nothing))
		return
	}
	limit := shutdownLimit
	if !m.Timeout.IsNull() {
		limit = time.Duration(m.Timeout.ValueInt64()) * time.Second
	}
	task, err := a.begin(ctx, g.Ref, do, limit, m.Force.ValueBool())
	if err == nil {
		say(resp)(fmt.Sprintf("%s: %s (%s)", g, do, task))
		_, err = a.data.Client.Wait(ctx, task, archives.FollowAll(ctx, task, say(resp)))
	}
	if errors.Is(err, pve.ErrRunning) && do == "start" || errors.Is(err, pve.ErrNotRunning) && (do == "stop" || do == "shutdown") {
		say(resp)(fmt.Sprintf("%s: nothing to do", g))
		return
	}
	if err != nil {
		resp.Diagnostics.Append(diags.Failed(summary, err, ""))
	}
}

func (a *power) begin(ctx context.Context, ref guest.Ref, do string, limit time.Duration, force bool) (pve.UPID, error) {
	switch do {
	case "start":
		return a.data.Client.Start(ctx, ref)
	case "stop":
		return a.data.Client.Stop(ctx, ref)
	case "reboot":
		return a.data.Client.Reboot(ctx, ref, limit)
	}
	return a.data.Client.Shutdown(ctx, ref, limit, force)
}
