package vm

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// caseFiles are the guests' files as Proxmox's own parser reads them.
func caseFiles(t *testing.T) map[string]pve.GuestConfig {
	t.Helper()
	files, err := filepath.Glob("../../pvesim/testdata/cases/parsed/qemu/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	all := map[string]pve.GuestConfig{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var whole map[string]json.RawMessage
		if err := json.Unmarshal(raw, &whole); err != nil {
			t.Fatal(err)
		}
		for _, section := range []string{"snapshots", "pending", "special-sections"} {
			delete(whole, section)
		}
		main, _ := json.Marshal(whole)
		var config pve.GuestConfig
		if err := json.Unmarshal(main, &config); err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = config
	}
	return all
}

var ownVolume = regexp.MustCompile(`vm-(\d+)-|base-(\d+)-`)

func vmidOf(file string, config pve.GuestConfig) int64 {
	counts := map[int64]int{}
	best := int64(201)
	for _, value := range config.Values {
		if m := ownVolume.FindStringSubmatch(value); m != nil {
			n, _ := strconv.ParseInt(m[1]+m[2], 10, 64)
			if counts[n]++; counts[n] > counts[best] {
				best = n
			}
		}
	}
	return best
}

// What was read at an import, planned again unchanged, changes nothing.
func TestAnImportedVMChangesNothing(t *testing.T) {
	t.Parallel()
	for file, config := range caseFiles(t) {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m := imported(t, config.Values, vmidOf(file, config))
			again := m
			if d := again.absorb(t.Context(), config.Values, false); d.HasError() {
				t.Fatal(d)
			}
			if !sameModel(m, again) {
				t.Errorf("the second read differs:\n%+v\n%+v", m, again)
			}
		})
	}
}

func sameModel(a, b model) bool {
	return a.CPU.Equal(b.CPU) && a.Memory.Equal(b.Memory) && a.Disks.Equal(b.Disks) && a.CDROMs.Equal(b.CDROMs) && a.Network.Equal(b.Network) &&
		a.EFIDisk.Equal(b.EFIDisk) && a.TPMState.Equal(b.TPMState) && a.CloudInit.Equal(b.CloudInit) && a.Boot.Equal(b.Boot) && a.Options.Equal(b.Options) &&
		a.HostPCI.Equal(b.HostPCI) && a.USB.Equal(b.USB) && a.Serial.Equal(b.Serial) && a.Display.Equal(b.Display) && a.Machine.Equal(b.Machine) && a.SMBIOS.Equal(b.SMBIOS)
}
