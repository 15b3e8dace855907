package vm

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// refreshAddresses asks the agent once, and only if the user wants addresses. An
// agent that does not answer is no failure: what was known is not known any more.
func (r *Resource) refreshAddresses(ctx context.Context, m *model, f guests.Found) diag.Diagnostics {
	m.Addresses = types.SetNull(types.StringType)
	if !m.ReadAddresses.ValueBool() {
		return nil
	}
	none := types.SetValueMust(types.StringType, nil)
	if !m.Started.ValueBool() {
		m.Addresses = none
		return nil
	}
	found, err := r.addresses(ctx, f.Ref)
	if err != nil {
		return diag.Diagnostics{silentAgent(f.Ref, err)}
	}
	if m.Addresses = attrs.TagSet(texts(found)); m.Addresses.IsNull() {
		m.Addresses = none
	}
	return nil
}

func texts(addresses []netip.Addr) []string {
	var all []string
	for _, a := range addresses {
		all = append(all, a.String())
	}
	return all
}

// addresses are what the agent reports, without loopback and link-local ones.
func (r *Resource) addresses(ctx context.Context, ref guest.Ref) ([]netip.Addr, error) {
	interfaces, err := r.data.Client.AgentInterfaces(ctx, ref)
	if err != nil {
		return nil, err
	}
	var found []netip.Addr
	for _, one := range interfaces {
		for _, address := range one.Addresses {
			if a, err := netip.ParseAddr(address.IP); err == nil && !a.IsLoopback() && !a.IsLinkLocalUnicast() {
				found = append(found, a)
			}
		}
	}
	return found, nil
}

func silentAgent(ref guest.Ref, err error) diag.Diagnostic {
	summary := fmt.Sprintf("The addresses of VM %d are not known", ref.VMID)
	if errors.Is(err, pve.ErrPermission) {
		return diag.NewAttributeWarningDiagnostic(path.Root("read_addresses"), summary,
			"The guest agent may not be asked: that needs VM.GuestAgent.Audit on Proxmox VE 9 and VM.Monitor on Proxmox VE 8.\n\nGive the privilege to the user and the token, or set read_addresses = false.\n\nThe error was: "+err.Error())
	}
	return diag.NewAttributeWarningDiagnostic(path.Root("read_addresses"), summary,
		"The guest agent did not answer. Nothing has been changed.\n\nInstall and start the agent in the VM and set agent.enabled, or set read_addresses = false.\n\nThe error was: "+err.Error())
}

// defaultWait is how long a create waits for addresses by default, and the pauses
// between two questions grow up to longestPause.
const (
	defaultWait  = 2 * time.Minute
	firstPause   = 500 * time.Millisecond
	longestPause = 5 * time.Second
)

// waitForAddresses waits after a create until the agent reports what the user asked
// for. It ends with a warning when the time is up, and at once when the agent may
// not be asked: no time would change that.
func (r *Resource) waitForAddresses(ctx context.Context, m *model, ref guest.Ref) diag.Diagnostics {
	want, d := attrs.Object[waitModel](ctx, m.WaitForAddresses)
	if want == nil || !want.IPv4.ValueBool() && !want.IPv6.ValueBool() || !m.Started.ValueBool() {
		return d
	}
	limit := defaultWait
	if parsed, err := time.ParseDuration(want.Timeout.ValueString()); err == nil {
		limit = parsed
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var last error
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		found, err := r.addresses(ctx, ref)
		if err == nil && want.satisfied(found) {
			return d
		}
		if err != nil && ctx.Err() == nil {
			last = err
		}
		if errors.Is(err, pve.ErrPermission) || !guests.Pause(ctx, pause) {
			return append(d, noAddresses(ref, limit, last))
		}
	}
}

func (w waitModel) satisfied(found []netip.Addr) bool {
	v4, v6 := !w.IPv4.ValueBool(), !w.IPv6.ValueBool()
	for _, a := range found {
		v4, v6 = v4 || a.Is4(), v6 || a.Is6()
	}
	return v4 && v6
}

func noAddresses(ref guest.Ref, limit time.Duration, last error) diag.Diagnostic {
	summary := fmt.Sprintf("VM %d runs, and its agent did not report the addresses that were waited for", ref.VMID)
	if last == nil {
		return diags.Warning(summary, fmt.Sprintf("The wait ended after %s. The VM was made and is in the state; the next refresh looks again if read_addresses is set.", limit))
	}
	if errors.Is(last, pve.ErrPermission) {
		return diags.Warning(summary, "The guest agent may not be asked, so the wait ended at once: that needs VM.GuestAgent.Audit on Proxmox VE 9 and VM.Monitor on Proxmox VE 8. "+
			"The VM was made and is in the state.\n\nGive the privilege to the user and the token, or remove wait_for_addresses.\n\nThe error was: "+last.Error())
	}
	return diags.Warning(summary, fmt.Sprintf("The wait ended after %s. The VM was made and is in the state.\n\nLook whether the agent is installed and running in the VM, and agent.enabled set.\n\nThe last error was: %s", limit, last))
}
