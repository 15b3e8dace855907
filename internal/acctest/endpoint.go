package acctest

import (
	"cmp"
	"fmt"
	"os"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// Target is where a portable test runs: the genuine node that PROXMOX_VE_ENDPOINT
// names, with its credentials in the environment, or else a simulated cluster.
type Target struct {
	// Provider is the provider block.
	Provider string
	// Node, Storage, Template, OtherTemplate and Bridge are what the test may use;
	// VMID is the first of two numbers that are free.
	Node, Storage, Template, OtherTemplate, Bridge string
	VMID                                           int
}

// Portable returns the target of a test that makes only ordinary requests. On a
// genuine node the variables PVE_TEST_NODE, PVE_TEST_STORAGE, PVE_TEST_TEMPLATE,
// PVE_TEST_OTHER_TEMPLATE and PVE_TEST_BRIDGE say what may be used, and guests
// are made under the numbers 990001 and 990002.
func Portable(t *testing.T) Target {
	t.Helper()
	target := Target{
		Node:          cmp.Or(os.Getenv("PVE_TEST_NODE"), "pve1"),
		Storage:       cmp.Or(os.Getenv("PVE_TEST_STORAGE"), "local-lvm"),
		Template:      cmp.Or(os.Getenv("PVE_TEST_TEMPLATE"), "local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst"),
		OtherTemplate: cmp.Or(os.Getenv("PVE_TEST_OTHER_TEMPLATE"), "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"),
		Bridge:        cmp.Or(os.Getenv("PVE_TEST_BRIDGE"), "vmbr0"),
		VMID:          990001,
	}
	if os.Getenv("PROXMOX_VE_ENDPOINT") != "" {
		target.Provider = fmt.Sprintf("provider \"proxmox\" {\n  vmid_range = \"%d-%d\"\n}\n", target.VMID, target.VMID+1)
		return target
	}
	target.Provider = Provider(Cluster(t, pvesim.Options{}), fmt.Sprintf("vmid_range = \"%d-%d\"", target.VMID, target.VMID+1))
	return target
}
