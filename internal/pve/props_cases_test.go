package pve_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve/props"
)

// trip decodes a value, encodes it and decodes that; rest are the keys that the type
// does not know.
type trip struct {
	printed string
	diff    string
	rest    map[string]string
}

func of[T any](restOf func(T) map[string]string) func(string) (trip, error) {
	return func(value string) (trip, error) {
		var first, second T
		if err := props.Decode(value, &first); err != nil {
			return trip{}, err
		}
		printed, err := props.Encode(first)
		if err != nil {
			return trip{}, err
		}
		err = props.Decode(printed, &second)
		return trip{printed, cmp.Diff(first, second), restOf(first)}, err
	}
}

// codecs are the types of the numbered and single keys that are property strings.
var codecs = map[string]map[string]func(string) (trip, error){
	"lxc": {
		"rootfs": of(func(v pve.MountPoint) map[string]string { return v.Rest }), "mp": of(func(v pve.MountPoint) map[string]string { return v.Rest }), "net": of(func(v pve.ContainerNet) map[string]string { return v.Rest }),
		"features": of(func(v pve.Features) map[string]string { return v.Rest }), "dev": of(func(v pve.ContainerDevice) map[string]string { return v.Rest }),
		"startup": of(func(v pve.Startup) map[string]string { return v.Rest }), "unused": of(func(v pve.Unused) map[string]string { return v.Rest }),
	},
	"qemu": {
		"ide": of(func(v pve.Drive) map[string]string { return v.Rest }), "sata": of(func(v pve.Drive) map[string]string { return v.Rest }), "scsi": of(func(v pve.Drive) map[string]string { return v.Rest }), "virtio": of(func(v pve.Drive) map[string]string { return v.Rest }),
		"efidisk": of(func(v pve.EFIDisk) map[string]string { return v.Rest }), "tpmstate": of(func(v pve.TPMState) map[string]string { return v.Rest }), "unused": of(func(v pve.Unused) map[string]string { return v.Rest }),
		"net": of(func(v pve.VMNet) map[string]string { return v.Rest }), "ipconfig": of(func(v pve.IPConfig) map[string]string { return v.Rest }), "cpu": of(func(v pve.CPU) map[string]string { return v.Rest }), "memory": of(func(v pve.Memory) map[string]string { return v.Rest }),
		"agent": of(func(v pve.Agent) map[string]string { return v.Rest }), "vga": of(func(v pve.VGA) map[string]string { return v.Rest }), "machine": of(func(v pve.Machine) map[string]string { return v.Rest }), "numa": of(func(v pve.NUMA) map[string]string { return v.Rest }),
		"hostpci": of(func(v pve.HostPCI) map[string]string { return v.Rest }), "usb": of(func(v pve.USB) map[string]string { return v.Rest }), "virtiofs": of(func(v pve.VirtioFS) map[string]string { return v.Rest }), "rng": of(func(v pve.RNG) map[string]string { return v.Rest }),
		"audio": of(func(v pve.Audio) map[string]string { return v.Rest }), "watchdog": of(func(v pve.Watchdog) map[string]string { return v.Rest }), "smbios": of(func(v pve.SMBIOS) map[string]string { return v.Rest }), "boot": of(func(v pve.Boot) map[string]string { return v.Rest }),
		"cicustom": of(func(v pve.CICustom) map[string]string { return v.Rest }), "amd-sev": of(func(v pve.AMDSEV) map[string]string { return v.Rest }), "intel-tdx": of(func(v pve.IntelTDX) map[string]string { return v.Rest }),
		"ivshmem": of(func(v pve.IVSHMem) map[string]string { return v.Rest }), "spice_enhancements": of(func(v pve.SpiceEnhancements) map[string]string { return v.Rest }), "meta": of(func(v pve.Meta) map[string]string { return v.Rest }),
		"startup": of(func(v pve.Startup) map[string]string { return v.Rest }),
	},
}

var lineOf = regexp.MustCompile(`^([a-z][a-z_-]*?)(\d*): *(.*?)\r?$`)

// codecFor finds the type of a line of a guest's file; numa is a boolean, numa0 is not.
func codecFor(kind, name, number string) func(string) (trip, error) {
	if name == "numa" && number == "" {
		return nil
	}
	return codecs[kind][name]
}

// Keys that no type knows and that must survive all the same: an option of VMs at a
// container, the geometry of drives that Proxmox VE 9 dropped, a key of nobody.
var unknown = map[string]map[string]string{
	"49-invalid-vm-option-in-rootfs.conf rootfs": {"discard": "on"},
	"47-chs-secs-legacy.conf virtio0":            {"secs": "4096"},
	"65-invalid-appended-lines.conf virtiofs0":   {"tag": "media-share"},
}

// Every property string of the guests that people have decodes, and what is printed
// means the same.
func TestEveryPropertyStringOfTheCases(t *testing.T) {
	t.Parallel()
	for kind := range codecs {
		files, err := filepath.Glob(filepath.Join("testdata", "cases", kind, "*.conf"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no cases of kind %s: %v", kind, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				checkLine(t, kind, filepath.Base(file), strings.TrimRight(line, "\r\n"))
			}
		}
	}
}

func checkLine(t *testing.T, kind, file, line string) {
	t.Helper()
	groups := lineOf.FindStringSubmatch(line)
	if groups == nil {
		return
	}
	codec := codecFor(kind, groups[1], groups[2])
	value := strings.TrimSpace(groups[3])
	if codec == nil || value == "" {
		return
	}
	got, err := codec(value)
	if err != nil {
		t.Errorf("%s: %s: %v", file, line, err)
		return
	}
	if got.diff != "" {
		t.Errorf("%s: %s is printed as %s, which means something else:\n%s", file, line, got.printed, got.diff)
	}
	if in, out := parts(value), parts(got.printed); in != out {
		t.Errorf("%s: %s has %d parts, and printed as %s it has %d", file, line, in, got.printed, out)
	}
	if diff := cmp.Diff(unknown[file+" "+groups[1]+groups[2]], got.rest); diff != "" {
		t.Errorf("%s: unknown keys of %s (-want +got):\n%s", file, line, diff)
	}
}

// parts counts the parts of a property string; model=M,macaddr=A is one, like M=A.
func parts(s string) int {
	n := len(strings.Split(s, ","))
	if strings.Contains(s, "macaddr=") {
		n--
	}
	return n
}
