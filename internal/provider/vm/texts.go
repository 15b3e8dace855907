package vm

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

// Some values read differently from how they are written.

// plain is the text of a key without sub-keys, as people read it.
func plain(key, text string) string {
	switch {
	case key == "sshkeys":
		if decoded, err := url.PathUnescape(text); err == nil {
			return decoded
		}
	case key == "hotplug" && text == "1":
		return "disk,network,usb"
	}
	return text
}

// encoded is the inverse of plain.
func encoded(key, text string) string {
	if key != "sshkeys" {
		return text
	}
	return escapeComponent(text)
}

// escapeComponent encodes as Proxmox wants SSH keys: everything but letters,
// digits and -_.!~*'(). Source: PVE::QemuServer $cloudinit sshkeys, urlencoded.
func escapeComponent(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}

// isCloudInit tells the volume of a cloud-init drive by its name.
// Source: PVE::QemuServer::Drive drive_is_cloudinit.
func isCloudInit(volume string) bool { return cloudInitName.MatchString(volume) }

var cloudInitName = regexp.MustCompile(`[:/]vm-\d+-cloudinit(?:\.[a-z0-9]+)?$|^[^/:]+:cloudinit$`)

// freezeNames are the names that the same switch of the agent has had; the last
// one is known to all versions. Source: changelog of qemu-server 9.1.5 and 9.1.6.
var freezeNames = []string{"freeze-fs", "guest-fsfreeze", "freeze-fs-on-backup"}

// smbiosTexts are the fields that may be written in base64.
var smbiosTexts = []string{"manufacturer", "product", "version", "serial", "sku", "family"}

// readable turns sub-keys into what people read.
func readable(key string, sub map[string]string) {
	switch key {
	case "agent":
		for _, name := range freezeNames {
			if value, ok := sub[name]; ok {
				delete(sub, name)
				sub["freeze-fs-on-backup"] = value
			}
		}
	case "smbios1":
		if on, _ := keys.ParseBool(sub["base64"]); !on {
			return
		}
		delete(sub, "base64")
		for _, name := range smbiosTexts {
			if raw, err := base64.StdEncoding.DecodeString(sub[name]); err == nil && len(raw) > 0 {
				sub[name] = string(raw)
			}
		}
	}
}

// writable turns sub-keys into what Proxmox takes.
func writable(key string, sub map[string]string) {
	switch {
	case key == "smbios1":
		if !slices.ContainsFunc(smbiosTexts, func(name string) bool { return sub[name] != "" }) {
			return
		}
		// Always encoded: a plain text that happens to be base64 would be read as such.
		sub["base64"] = "1"
		for _, name := range smbiosTexts {
			if sub[name] != "" {
				sub[name] = base64.StdEncoding.EncodeToString([]byte(sub[name]))
			}
		}
	case strings.HasPrefix(key, "net") && sub["model"] == "":
		sub["model"] = "virtio"
	case key == "boot" && sub["order"] != "":
		delete(sub, "legacy") // the two exclude each other
	}
}
