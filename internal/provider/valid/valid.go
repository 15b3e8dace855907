// Package valid holds the validators of texts that the resources share: names,
// addresses, keys and volume ids in the forms that Proxmox takes. It knows no
// resource and asks nobody.
package valid

import (
	"context"
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// check lifts a pure check of a text into a validator. want completes the
// sentence "It must be …".
type check struct {
	want string
	ok   func(string) bool
}

func (c check) Description(context.Context) string         { return "must be " + c.want }
func (c check) MarkdownDescription(context.Context) string { return "must be " + c.want }

// ValidateString refuses a known value that the check does not accept.
func (c check) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !attrs.Known(req.ConfigValue) || c.ok(req.ConfigValue.ValueString()) {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path,
		fmt.Sprintf("%s cannot be %q", req.Path, req.ConfigValue.ValueString()),
		fmt.Sprintf("It must be %s. Nothing has been changed.", c.want))
}

// Matching accepts texts that fit pattern; want completes "It must be …".
func Matching(want, pattern string) validator.String {
	return check{want, regexp.MustCompile(pattern).MatchString}
}

// NodeName accepts the name of a node. Sources of this and the following:
// PVE::JSONSchema (dns-name, pve-node, pve-storage-id, pve-tag) and
// PVE::LXC::Config ($netconf_desc, $dev_desc).
func NodeName() validator.String {
	return Matching("the name of a node", `^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$`)
}

// HostName accepts a DNS name of at most 255 characters.
func HostName() validator.String {
	return Matching("a DNS name of at most 255 characters", `^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*$`)
}

// StorageID accepts the id of a storage.
func StorageID() validator.String {
	return Matching("the id of a storage, for example local-lvm", `^[a-zA-Z][a-zA-Z0-9\-_.]*[a-zA-Z0-9]$`)
}

// TagName accepts one tag.
func TagName() validator.String {
	return Matching("a tag: letters, digits, _ - + . and no separator", `^[a-zA-Z0-9_][a-zA-Z0-9_\-+.]*$`)
}

// MACAddress accepts a unicast hardware address in upper or lower case.
func MACAddress() validator.String {
	return Matching("a unicast MAC address such as BC:24:11:00:00:01", `^[0-9a-fA-F][02468aceACE](?::[0-9a-fA-F]{2}){5}$`)
}

// OctalMode accepts an access mode of four octal digits.
func OctalMode() validator.String {
	return Matching("an access mode in octal with four digits, for example 0660", `^0[0-7]{3}$`)
}

// EnvironmentName accepts the name of an environment variable.
func EnvironmentName() validator.String {
	return Matching("the name of an environment variable", `^[a-zA-Z_][a-zA-Z0-9_]*$`)
}

// VLAN accepts one VLAN. Source: PVE::LXC::Config $netconf_desc, trunks.
func VLAN() validator.String {
	return Matching("a VLAN, a number", `^[0-9]+$`)
}

// VLANRange accepts a VLAN or a range of VLANs.
func VLANRange() validator.String {
	return Matching("a VLAN or a range of VLANs", `^\d+(?:-\d+)?$`)
}

// SSHPublicKey accepts one OpenSSH public key, options in front allowed.
func SSHPublicKey() validator.String {
	return Matching("one OpenSSH public key on one line", `^[a-zA-Z0-9@.+-]+ +[A-Za-z0-9+/=]+[^\n]*$|^[^\n]+ (?:ssh|ecdsa|sk)-[a-zA-Z0-9@.-]+ +[A-Za-z0-9+/=]+[^\n]*$`)
}

// NoComma accepts what a property string can carry as a value.
func NoComma() validator.String {
	return Matching("free of commas, spaces and control characters", `^[^,\s\x00-\x1f\x7f]+$`)
}

// NoSeparators accepts what a list of Proxmox can carry as an item.
func NoSeparators() validator.String {
	return Matching("free of commas, semicolons, spaces and control characters", `^[^,;\s\x00-\x1f\x7f]+$`)
}

// DevicePath accepts a clean path under /dev/.
func DevicePath() validator.String {
	return check{"a path under /dev/", func(s string) bool { return strings.HasPrefix(s, "/dev/") && cleanPath(s) }}
}

// AbsolutePath accepts a clean absolute path.
func AbsolutePath() validator.String {
	return check{"an absolute path without /./, /../ and commas", func(s string) bool { return strings.HasPrefix(s, "/") && cleanPath(s) }}
}

// cleanPath refuses what Proxmox calls "illegal character sequences".
// Source: PVE::LXC::Config verify_lxc_mp_string.
func cleanPath(s string) bool {
	for part := range strings.SplitSeq(s, "/") {
		if part == "." || part == ".." {
			return false
		}
	}
	return !strings.ContainsAny(s, ",\n\x00")
}

// VolumeID accepts a volume id.
func VolumeID() validator.String {
	return check{"a volume id, for example local:snippets/hook.pl", isVolumeID}
}

// TemplateVolume accepts the volume id of a container template.
func TemplateVolume() validator.String {
	return check{"the volume id of a template, for example local:vztmpl/debian-13-standard_13.1-1_amd64.tar.zst", isVolumeID}
}

func isVolumeID(s string) bool {
	_, err := volume.Parse(s)
	return err == nil && !strings.Contains(s, ",")
}

// MountSource accepts an existing volume, and a directory or device of the node.
func MountSource() validator.String {
	return check{"a volume id that exists (for a new volume set storage and size instead), or an absolute path on the node", func(s string) bool {
		if strings.HasPrefix(s, "/") {
			return cleanPath(s)
		}
		id, err := volume.Parse(s)
		return err == nil && !strings.Contains(s, ",") && !isAllocation(id.Name)
	}}
}

// isAllocation reports whether Proxmox would take the name of a volume id for a
// size in GiB and allocate a new volume. Source: PVE::LXC $NEW_DISK_RE.
func isAllocation(name string) bool {
	_, err := strconv.ParseFloat(name, 64)
	return err == nil
}

// IPAddress accepts an address of either version.
func IPAddress() validator.String {
	return check{"an IP address", func(s string) bool {
		_, err := netip.ParseAddr(s)
		return err == nil
	}}
}

// AddressOr accepts an address with its prefix, version 4 or 6, or one of words.
func AddressOr(version int, words ...string) validator.String {
	want := fmt.Sprintf("an IPv%d address with its prefix, for example %s, or one of %s", version,
		map[int]string{4: "192.0.2.10/24", 6: "2001:db8::10/64"}[version], strings.Join(words, ", "))
	return check{want, func(s string) bool {
		for _, word := range words {
			if s == word {
				return true
			}
		}
		prefix, err := netip.ParsePrefix(s)
		return err == nil && prefix.Addr().Is4() == (version == 4)
	}}
}

// NumberedKey accepts prefix and a number from 0 to last.
func NumberedKey(prefix string, last int) validator.String {
	return check{fmt.Sprintf("one of the keys %s0 to %s%d", prefix, prefix, last), func(s string) bool {
		digits, found := strings.CutPrefix(s, prefix)
		n, err := strconv.Atoi(digits)
		return found && err == nil && n >= 0 && n <= last && strconv.Itoa(n) == digits
	}}
}

// DiskSource accepts an existing volume, and a device of the node.
func DiskSource() validator.String {
	return check{"a volume id that exists (for a new disk set storage and size instead), or a path under /dev/", func(s string) bool {
		if strings.HasPrefix(s, "/dev/") {
			return cleanPath(s)
		}
		id, err := volume.Parse(s)
		return err == nil && !strings.Contains(s, ",") && !isAllocation(id.Name)
	}}
}

// Network accepts an address, or a network without bits beyond its prefix. One that
// holds every address is refused by Proxmox. Source: PVE::API2::Firewall::IPSet.
func Network() validator.String {
	return check{"an IP address or a network such as 192.0.2.0/24 or 2001:db8::/64", func(s string) bool {
		if prefix, err := netip.ParsePrefix(s); err == nil {
			return prefix.Bits() > 0 && prefix == prefix.Masked()
		}
		address, err := netip.ParseAddr(s)
		return err == nil && address.Zone() == ""
	}}
}
