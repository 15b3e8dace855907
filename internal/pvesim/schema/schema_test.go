package schema_test

import (
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

func TestLoad(t *testing.T) {
	tab := schema.Load()
	if tab.Method("POST", "/nodes/{node}/lxc") == nil {
		t.Fatal("no POST lxc")
	}
}
