package vm

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

// driveKey accepts the key of a drive. VirtIO has disks only: a CD-ROM there is
// stored and cannot be read again. Source: PVE::QemuServer::Drive parse_drive.
func driveKey(disk bool) validator.String {
	if disk {
		return valid.Matching("one of the keys scsi0 to scsi30, virtio0 to virtio15, sata0 to sata5, ide0 to ide3",
			`^(?:scsi(?:\d|[12]\d|30)|virtio(?:\d|1[0-5])|sata[0-5]|ide[0-3])$`)
	}
	return valid.Matching("one of the keys ide0 to ide3, sata0 to sata5, scsi0 to scsi30", `^(?:scsi(?:\d|[12]\d|30)|sata[0-5]|ide[0-3])$`)
}

func cdromVolume() validator.String {
	return valid.Matching("the volume id of an image, for example local:iso/debian-13.iso, or cdrom", `^(?:cdrom|[a-zA-Z][a-zA-Z0-9\-_.]*[a-zA-Z0-9]:[^,\s]+)$`)
}

func existingVolume() validator.String { return valid.DiskSource() }

// duration accepts what time.ParseDuration does, above zero.
func duration() validator.String { return positiveDuration{} }

type positiveDuration struct{}

func (positiveDuration) Description(context.Context) string {
	return "must be a duration such as 90s or 3m"
}
func (v positiveDuration) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v positiveDuration) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !attrs.Known(req.ConfigValue) {
		return
	}
	if d, err := time.ParseDuration(req.ConfigValue.ValueString()); err != nil || d <= 0 {
		resp.Diagnostics.AddAttributeError(req.Path, fmt.Sprintf("%s cannot be %q", req.Path, req.ConfigValue.ValueString()),
			"It must be a duration above zero, for example 90s or 3m. Nothing has been changed.")
	}
}

// mtu refuses what Proxmox takes and the start of the VM then does not.
// Source: PVE::QemuServer print_netdevice_full.
type mtu struct{}

func (mtu) Description(context.Context) string               { return "must be 1, or 576 to 65520" }
func (v mtu) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }
func (mtu) accepts(n int64) bool                             { return n == 1 || n >= 576 && n <= 65520 }
func (v mtu) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	if attrs.Known(req.ConfigValue) && !v.accepts(req.ConfigValue.ValueInt64()) {
		resp.Diagnostics.AddAttributeError(req.Path, fmt.Sprintf("%s cannot be %d", req.Path, req.ConfigValue.ValueInt64()),
			"It must be 1 for the bridge's MTU, or 576 to 65520. Nothing has been changed.")
	}
}
