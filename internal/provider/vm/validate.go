package vm

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// ValidateConfig checks what several attributes say together. Unknown values are
// passed over: they are checked again when they are known.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	s, d := m.settings(ctx)
	if d.HasError() {
		return // a value that is wrong by itself, which its own validator tells
	}
	resp.Diagnostics.Append(validateDrives(s)...)
	resp.Diagnostics.Append(validateNetwork(s)...)
	resp.Diagnostics.Append(validateHardware(s)...)
	resp.Diagnostics.Append(validateCloudInit(s)...)
	resp.Diagnostics.Append(m.validatePower()...)
	resp.Diagnostics.Append(m.validateSource()...)
	resp.Diagnostics.Append(m.validateFirewall(ctx)...)
}

func (m *model) validatePower() diag.Diagnostics {
	var d diag.Diagnostics
	if m.Template.ValueBool() && m.Started.ValueBool() {
		d.AddAttributeError(path.Root("started"), "A template cannot run", "Nothing has been changed.\n\nRemove started, or set template to false.")
	}
	if m.RestartForPending.ValueBool() && attrs.Known(m.Started) && !m.Started.ValueBool() {
		d.AddAttributeWarning(path.Root("restart_for_pending"), "A VM that is not started is never restarted",
			"started is false, so changes take effect at the next start in any case.\n\nRemove restart_for_pending, or set started to true.")
	}
	return d
}

func validateDrives(s *settings) diag.Diagnostics {
	var d diag.Diagnostics
	for _, key := range sortedKeys(s.Disks) {
		disk, at := s.Disks[key], path.Root("disks").AtMapKey(key)
		if attrs.Known(disk.Volume) && (attrs.Known(disk.Storage) || attrs.Known(disk.Size) || attrs.Known(disk.ImportFrom)) {
			d.AddAttributeError(at.AtName("volume"), fmt.Sprintf("%s names an existing volume and asks for a new one as well", key),
				"volume stands for itself; storage, size and import_from are for a new disk. Nothing has been changed.\n\nSet volume alone, or the others.")
		}
		if _, twice := s.CDROMs[key]; twice {
			d.AddAttributeError(at, fmt.Sprintf("%s is declared as a disk and as a CD-ROM drive", key), "Nothing has been changed.\n\nUse another key for one of them.")
		}
		d.Append(disk.validateBus(key, at)...)
		d.Append(disk.Limits.validate(key, at.AtName("limits"))...)
	}
	if s.CloudInit != nil && attrs.Known(s.CloudInit.Drive) {
		key := s.CloudInit.Drive.ValueString()
		_, disk := s.Disks[key]
		_, cdrom := s.CDROMs[key]
		if disk || cdrom {
			d.AddAttributeError(path.Root("cloud_init").AtName("drive"), fmt.Sprintf("%s is declared as the cloud-init drive and as another drive", key), "Nothing has been changed.\n\nUse another key for one of them.")
		}
	}
	return d
}

// validateBus refuses options that a bus does not have.
// Source: PVE::QemuServer::Drive $ide_fmt, $sata_fmt, $scsi_fmt, $virtio_fmt.
func (disk diskModel) validateBus(key string, at path.Path) diag.Diagnostics {
	var d diag.Diagnostics
	bus := strings.TrimRight(key, "0123456789")
	for _, option := range []struct {
		name  string
		set   bool
		buses string
	}{
		{"iothread", attrs.Known(disk.IOThread), "scsi virtio"}, {"read_only", attrs.Known(disk.ReadOnly), "scsi virtio"},
		{"ssd", attrs.Known(disk.SSD), "ide sata scsi"}, {"wwn", attrs.Known(disk.WWN), "ide sata scsi"},
		{"model", attrs.Known(disk.Model), "ide"}, {"queues", attrs.Known(disk.Queues), "scsi"}, {"vendor", attrs.Known(disk.Vendor), "scsi"},
		{"product", attrs.Known(disk.Product), "scsi"}, {"scsi_block", attrs.Known(disk.SCSIBlock), "scsi"},
	} {
		if option.set && !strings.Contains(option.buses, bus) {
			d.AddAttributeError(at.AtName(option.name), fmt.Sprintf("A disk at %s has no option %s", key, option.name),
				fmt.Sprintf("Only disks at %s have it. Nothing has been changed.\n\nRemove the option, or use another key.", strings.ReplaceAll(option.buses, " ", ", ")))
		}
	}
	return d
}

// validate refuses what Proxmox calls "unable to parse drive options".
// Source: PVE::QemuServer::Drive parse_drive.
func (l *limitsModel) validate(key string, at path.Path) diag.Diagnostics {
	var d diag.Diagnostics
	if l == nil {
		return d
	}
	clash := func(name, other string) {
		d.AddAttributeError(at.AtName(name), fmt.Sprintf("The limits of %s have %s and %s", key, name, other), "One is for both directions and the other for one of them. Nothing has been changed.\n\nSet one or the other.")
	}
	needs := func(name, base string) {
		d.AddAttributeError(at.AtName(name), fmt.Sprintf("The limits of %s have %s without %s", key, name, base), "A burst goes beyond a limit. Nothing has been changed.\n\nSet "+base+" as well.")
	}
	if attrs.Known(l.MBps) && (attrs.Known(l.MBpsRead) || attrs.Known(l.MBpsWrite)) {
		clash("mbps", "mbps_rd or mbps_wr")
	}
	if attrs.Known(l.IOps) && (attrs.Known(l.IOpsRead) || attrs.Known(l.IOpsWrite)) {
		clash("iops", "iops_rd or iops_wr")
	}
	for _, pair := range []struct {
		name, base string
		lacks      bool
	}{
		{"mbps_max", "mbps", attrs.Known(l.MBpsMax) && l.MBps.IsNull()},
		{"mbps_rd_max", "mbps_rd", attrs.Known(l.MBpsReadMax) && l.MBpsRead.IsNull()},
		{"mbps_wr_max", "mbps_wr", attrs.Known(l.MBpsWriteMax) && l.MBpsWrite.IsNull()},
		{"bps_max_length", "mbps_max", attrs.Known(l.BpsLength) && l.MBpsMax.IsNull()},
		{"bps_rd_max_length", "mbps_rd_max", attrs.Known(l.BpsReadLength) && l.MBpsReadMax.IsNull()},
		{"bps_wr_max_length", "mbps_wr_max", attrs.Known(l.BpsWriteLength) && l.MBpsWriteMax.IsNull()},
		{"iops_max_length", "iops_max", attrs.Known(l.IOpsLength) && l.IOpsMax.IsNull()},
		{"iops_rd_max_length", "iops_rd_max", attrs.Known(l.IOpsReadLength) && l.IOpsReadMax.IsNull()},
		{"iops_wr_max_length", "iops_wr_max", attrs.Known(l.IOpsWriteLength) && l.IOpsWriteMax.IsNull()},
	} {
		if pair.lacks {
			needs(pair.name, pair.base)
		}
	}
	return d
}

func validateNetwork(s *settings) diag.Diagnostics {
	var d diag.Diagnostics
	addresses := map[string]string{}
	for _, key := range sortedKeys(s.Network) {
		mac := strings.ToUpper(s.Network[key].MACAddr.ValueString())
		if mac == "" {
			continue
		}
		if other, taken := addresses[mac]; taken {
			d.AddAttributeError(path.Root("network").AtMapKey(key).AtName("macaddr"), fmt.Sprintf("%s and %s have the same MAC address %s", other, key, mac),
				"Two devices with one address disturb each other. Nothing has been changed.\n\nGive each its own, or leave macaddr out: Proxmox makes one and keeps it.")
		}
		addresses[mac] = key
	}
	return d
}

func validateHardware(s *settings) diag.Diagnostics {
	var d diag.Diagnostics
	exactlyOne := func(at path.Path, key string, host, mapping bool, unknown bool) {
		if host == mapping && !unknown {
			d.AddAttributeError(at, fmt.Sprintf("%s needs either host or mapping", key), "Nothing has been changed.\n\nSet one of them.")
		}
	}
	for _, key := range sortedKeys(s.HostPCI) {
		p := s.HostPCI[key]
		exactlyOne(path.Root("hostpci").AtMapKey(key), key, attrs.Known(p.Host), attrs.Known(p.Mapping), p.Host.IsUnknown() || p.Mapping.IsUnknown())
	}
	for _, key := range sortedKeys(s.USB) {
		u := s.USB[key]
		exactlyOne(path.Root("usb").AtMapKey(key), key, attrs.Known(u.Host), attrs.Known(u.Mapping), u.Host.IsUnknown() || u.Mapping.IsUnknown())
	}
	if m := s.Memory; m != nil && attrs.Known(m.Minimum) && attrs.Known(m.Size) && m.Minimum.ValueInt64() > m.Size.ValueInt64() {
		d.AddAttributeError(path.Root("memory").AtName("minimum"), fmt.Sprintf("The least memory, %d MiB, is more than the memory, %d MiB", m.Minimum.ValueInt64(), m.Size.ValueInt64()),
			"Nothing has been changed.\n\nSet minimum to at most size.")
	}
	if e := s.EFIDisk; e != nil && attrs.Known(e.Volume) && (attrs.Known(e.Storage) || attrs.Known(e.ImportFrom)) {
		d.AddAttributeError(path.Root("efi_disk").AtName("volume"), "efi_disk names an existing volume and asks for a new one as well", "Nothing has been changed.\n\nSet volume alone, or storage.")
	}
	return d
}

// validateCloudInit refuses a gateway without an address of its own: Proxmox takes
// it and sets up no address at all. Source: PVE::QemuServer::Cloudinit.
func validateCloudInit(s *settings) diag.Diagnostics {
	var d diag.Diagnostics
	if s.CloudInit == nil {
		return d
	}
	for _, key := range sortedKeys(s.CloudInit.IPConfig) {
		c, at := s.CloudInit.IPConfig[key], path.Root("cloud_init").AtName("ip_config").AtMapKey(key)
		if attrs.Known(c.Gw) && !c.IP.IsUnknown() && !strings.Contains(c.IP.ValueString(), "/") {
			d.AddAttributeError(at.AtName("gw"), fmt.Sprintf("%s has a gateway without an address", key), "A gateway goes with an address in ip, not with dhcp. Nothing has been changed.\n\nSet ip to an address with its prefix, or remove gw.")
		}
		if attrs.Known(c.Gw6) && !c.IP6.IsUnknown() && !strings.Contains(c.IP6.ValueString(), "/") {
			d.AddAttributeError(at.AtName("gw6"), fmt.Sprintf("%s has an IPv6 gateway without an address", key), "A gateway goes with an address in ip6, not with dhcp or auto. Nothing has been changed.\n\nSet ip6 to an address with its prefix, or remove gw6.")
		}
	}
	return d
}
