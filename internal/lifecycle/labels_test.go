package lifecycle_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// The label of each key is what a destroy then does to its volume: erased ones
// are gone, all others are there, and nothing else is gone.
func TestLabelsAreWhatADestroyDoes(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 11))
	for round := range 60 {
		w := newWorld(t)
		current, pending := randomConfig(rng)
		w.WriteFile("nodes/pve1/lxc/5001.conf", configText(current, pending))
		before := w.Volumes("pve1")
		config, err := w.client.ConfigFull(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		entries := lifecycle.EntriesOf(guest.LXC, 5001, config)
		erased := map[string]bool{}
		for _, e := range entries {
			if e.Label == datalabel.Preserved {
				t.Fatalf("round %d: %s is preserved", round, e.Key)
			}
			if e.Label == datalabel.Erased {
				erased[e.ID.String()] = true
			}
		}
		task, err := w.client.Destroy(t.Context(), ref, pve.DestroyOptions{})
		if err == nil {
			_, err = w.client.Wait(t.Context(), task)
		}
		if err != nil {
			t.Fatalf("round %d: %v\n%s", round, err, configText(current, pending))
		}
		after := w.Volumes("pve1")
		for _, id := range before {
			if gone := !slices.Contains(after, id); gone != erased[id] {
				t.Errorf("round %d: %s: gone %t, labelled erased %t\n%s", round, id, gone, erased[id], configText(current, pending))
			}
		}
		w.Close()
	}
}

func randomConfig(rng *rand.Rand) (current, pending map[string]string) {
	current, pending = map[string]string{"rootfs": "local-lvm:vm-5001-disk-0,size=1G"}, map[string]string{}
	disk := 0
	value := func(key string) string {
		disk++
		mount := ",mp=/m" + fmt.Sprint(disk)
		if strings.HasPrefix(key, "unused") {
			mount = ""
		}
		owner := 5001
		if rng.IntN(3) == 0 {
			owner = 5002
		}
		switch rng.IntN(6) {
		case 0:
			return fmt.Sprintf("/tank/d%d%s", disk, mount)
		case 1:
			return fmt.Sprintf("/dev/sd%c%s", 'a'+disk%26, mount)
		case 2:
			return "nonsense" + mount
		}
		return fmt.Sprintf("local-lvm:vm-%d-disk-%d%s", owner, disk, mount)
	}
	for n := range 4 {
		if key := fmt.Sprintf("mp%d", n*rng.IntN(60)+n); rng.IntN(2) == 0 {
			current[key] = value(key)
		}
		if key := fmt.Sprintf("unused%d", n); rng.IntN(3) == 0 {
			current[key] = fmt.Sprintf("local-lvm:vm-%d-disk-%d", 5001+rng.IntN(2), 100+n)
		}
		if key := fmt.Sprintf("mp%d", 200+n); rng.IntN(3) == 0 {
			pending[key] = value(key)
		}
	}
	current["dev0"] = "/dev/dri/renderD128"
	return current, pending
}

func configText(current, pending map[string]string) string {
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(current)) {
		fmt.Fprintf(&text, "%s: %s\n", key, current[key])
	}
	if len(pending) > 0 {
		text.WriteString("\n[pve:pending]\n")
		for _, key := range slices.Sorted(maps.Keys(pending)) {
			fmt.Fprintf(&text, "%s: %s\n", key, pending[key])
		}
	}
	return text.String()
}
