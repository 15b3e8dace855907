package schema

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// cpuModels are the CPU types that need no definition of their own.
// Source: PVE::QemuServer::CPUConfig, models of x86_64.
var cpuModels = strings.Fields(`486 pentium pentium2 pentium3 coreduo core2duo Conroe Penryn Nehalem Nehalem-IBRS
	Westmere Westmere-IBRS SandyBridge SandyBridge-IBRS IvyBridge IvyBridge-IBRS
	Haswell Haswell-IBRS Haswell-noTSX Haswell-noTSX-IBRS
	Broadwell Broadwell-IBRS Broadwell-noTSX Broadwell-noTSX-IBRS
	Skylake-Client Skylake-Client-v4 Skylake-Client-IBRS Skylake-Client-noTSX-IBRS
	Skylake-Server Skylake-Server-v4 Skylake-Server-v5 Skylake-Server-IBRS Skylake-Server-noTSX-IBRS
	Cascadelake-Server Cascadelake-Server-v2 Cascadelake-Server-v4 Cascadelake-Server-v5 Cascadelake-Server-noTSX
	Cooperlake Cooperlake-v2 KnightsMill
	Icelake-Client Icelake-Client-noTSX Icelake-Server Icelake-Server-noTSX
	Icelake-Server-v3 Icelake-Server-v4 Icelake-Server-v5 Icelake-Server-v6
	SapphireRapids SapphireRapids-v2 SapphireRapids-v3 GraniteRapids SierraForest ClearwaterForest
	athlon phenom Opteron_G1 Opteron_G2 Opteron_G3 Opteron_G4 Opteron_G5
	EPYC EPYC-IBPB EPYC-v3 EPYC-v4 EPYC-Rome EPYC-Rome-v2 EPYC-Rome-v3 EPYC-Rome-v4
	EPYC-Milan EPYC-Milan-v2 EPYC-Genoa EPYC-Genoa-v2 EPYC-Turin
	kvm32 kvm64 qemu32 qemu64 host max
	x86-64-v1 x86-64-v2 x86-64-v2-AES x86-64-v3 x86-64-v4`)

var bootDevice = regexp.MustCompile(`^(?:(?:ide|sata|scsi|virtio|net|usb|hostpci)(\d+))$`)

// bootLimits are how many devices of a kind there are.
var bootLimits = map[string]int{"ide": 4, "sata": 6, "scsi": 31, "virtio": 16, "net": 32, "usb": 14, "hostpci": 16}

// Source: PVE::QemuServer, PVE::QemuServer::CPUConfig.
func init() {
	register("pve-qm-bootdev", func(s string) error {
		if m := bootDevice.FindStringSubmatch(s); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil && n < bootLimits[strings.TrimSuffix(s, m[1])] {
				return nil
			}
		}
		return errors.New("invalid boot device '" + s + "'")
	})
	register("pve-qm-bootdisk", matching(`^(ide|sata|scsi|virtio)\d+$`, "invalid boot disk '%s'"))
	register("pve-cpu-model", matching(`^[a-zA-Z0-9._\-]+$`, "value does not look like a CPU model"))
	register("pve-phys-bits", func(s string) error {
		if n, err := strconv.Atoi(s); s == "host" || err == nil && n >= 8 && n <= 64 {
			return nil
		}
		return errors.New("value must be an integer between 8 and 64 or 'host'")
	})
	register("pve-hotplug-features", func(s string) error {
		if s == "0" || s == "1" {
			return nil
		}
		for _, word := range SplitList(s) {
			if !slices.Contains([]string{"network", "disk", "cpu", "memory", "usb", "cloudinit"}, word) {
				return errors.New("unable to parse hotplug option")
			}
		}
		return nil
	})
	register("storage-pair", func(s string) error {
		for part := range strings.SplitSeq(s, ":") {
			if err := formats["pve-storage-id"](part); s != "1" && err != nil {
				return err
			}
		}
		return nil
	})
	verifiers["pve-vm-cpu-conf"] = verifyCPU
}

// verifyCPU refuses a CPU type that nobody has defined.
// Source: PVE::QemuServer::CPUConfig validate_vm_cpu_conf.
func verifyCPU(keys map[string]string) (map[string]string, error) {
	model := keys["cputype"]
	switch {
	case model == "":
		return nil, errors.New("CPU is missing cputype")
	case strings.HasPrefix(model, "custom-"), slices.Contains(cpuModels, model):
		return keys, nil
	}
	return nil, errors.New("Built-in cputype '" + model + "' is not defined (missing 'custom-' prefix?)") //nolint:staticcheck // Proxmox's text
}

// Source: PVE::HA::Tools.
func init() {
	register("pve-ha-resource-or-vm-id", matching(`^(?:[a-z][a-z0-9\-_]*:\S+|[1-9][0-9]{2,8})$`, "value does not look like a valid ha resource id"))
	register("pve-ha-resource-id", matching(`^[a-z][a-z0-9\-_]*:\S+$`, "value does not look like a valid ha resource id"))
}
