package provider_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

const manyTemplate = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"

// manyContainers have no vmid. Their host names begin with the prefix.
func manyContainers(prefix string, count int) string {
	return fmt.Sprintf(`
resource "proxmox_container" "many" {
  count      = %d
  depends_on = [proxmox_vmid_range.team]
  node       = "pve1"
  hostname   = "%s-${count.index}"
  ostemplate = %q
  started    = false
  rootfs     = { storage = "local-lvm", size = "1G" }
}

output "vmids" {
  value = { for c in proxmox_container.many : c.hostname => c.vmid }
}
`, count, prefix, manyTemplate)
}

func manyRange(start, end int, names string) string {
	return fmt.Sprintf("resource \"proxmox_vmid_range\" \"team\" {\n  start   = %d\n  end     = %d\n  reserve = [%s]\n}\n", start, end, names)
}

// fragmented is a cluster whose numbers from 5000 on are taken here and there:
// by containers, VMs and a template on two nodes, by a volume and a backup.
func fragmented(t *testing.T) (s *pvesim.Server, taken map[int]string) {
	t.Helper()
	s = acctest.Cluster(t, pvesim.Options{})
	taken = map[int]string{}
	for id := 5000; id < 5100; id++ {
		node := []string{"pve1", "pve2"}[id%2]
		switch id % 10 {
		case 0:
			taken[id] = "container"
			s.WriteFile(fmt.Sprintf("nodes/%s/lxc/%d.conf", node, id), "arch: amd64\nhostname: foreign\n")
		case 3:
			taken[id] = "VM"
			s.WriteFile(fmt.Sprintf("nodes/%s/qemu-server/%d.conf", node, id), "name: foreign\n")
		case 4:
			taken[id] = "template"
			s.WriteFile(fmt.Sprintf("nodes/%s/lxc/%d.conf", node, id), "arch: amd64\nhostname: foreign\ntemplate: 1\n")
		case 7:
			taken[id] = "volume"
			s.AddVolume(node, fmt.Sprintf("local-lvm:vm-%d-disk-0", id), 1<<30)
		case 8:
			taken[id] = "backup"
			s.AddVolume(node, fmt.Sprintf("local:backup/vzdump-lxc-%d-2026_11_29-12_00_00.tar.zst", id), 1<<20)
		}
	}
	s.ResetRequests()
	return s, taken
}

// got are the numbers of a finished apply, by host name.
func got(t *testing.T, cli *acctest.CLI) map[string]int {
	t.Helper()
	out := cli.Must("output", "-json", "vmids")
	numbers := map[string]int{}
	if err := json.Unmarshal([]byte(out), &numbers); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return numbers
}

// claim notes numbers and complains about each that is taken or was claimed.
func claim(t *testing.T, s *pvesim.Server, numbers map[string]int, taken map[int]string) {
	t.Helper()
	for name, id := range numbers {
		if id < 5000 || id > 8999 {
			t.Errorf("%s has %d, which is outside of the range", name, id)
		}
		if what := taken[id]; what != "" {
			t.Errorf("%s has %d, which is taken: %s", name, id, what)
		}
		taken[id] = name
		if config, _ := s.ReadFile(fmt.Sprintf("nodes/pve1/lxc/%d.conf", id)); !strings.Contains(config, "hostname: "+name+"\n") {
			t.Errorf("under %d there is not %s but:\n%s", id, name, config)
		}
	}
}

// onlyCreates complains about every write that is not the create of a container.
func onlyCreates(t *testing.T, s *pvesim.Server) (creates, collisions int) {
	t.Helper()
	for _, r := range s.Requests() {
		switch {
		case r.Method == http.MethodGet:
			if strings.Contains(r.Path, "/cluster/nextid") && !r.Params.Has("vmid") {
				t.Error("nextid was asked for a number")
			}
		case r.Method == http.MethodPost && r.Path == "/nodes/pve1/lxc":
			creates++
			if r.Status != 200 {
				collisions++
			}
		default:
			t.Errorf("%s %s", r.Method, r.Path)
		}
	}
	return creates, collisions
}

func TestFortyContainersGetFortyNumbers(t *testing.T) {
	t.Parallel()
	s, taken := fragmented(t)
	cli := acctest.NewCLI(t)
	block := acctest.Provider(s, `vmid_range = "5000-8999"`)
	// A range holds and has retired numbers that lie in the way.
	cli.Config(block + manyRange(5101, 5103, `"a", "b", "c"`))
	cli.Must("apply", "-auto-approve")
	taken[5101], taken[5102], taken[5103] = "held by a", "retired", "held by c"

	// Half of the first 100 numbers are taken; with thirty more the containers
	// reach beyond the range.
	for id := 5000; id < 5060; id++ {
		if taken[id] == "" {
			taken[id] = "container"
			s.WriteFile(fmt.Sprintf("nodes/pve2/lxc/%d.conf", id), "arch: amd64\nhostname: foreign\n")
		}
	}
	cli.Config(block + manyRange(5101, 5103, `"a", "c"`) + manyContainers("one", 40))
	s.ResetRequests()
	cli.Must("apply", "-auto-approve", "-parallelism=20")
	numbers := got(t, cli)
	if len(numbers) != 40 {
		t.Fatalf("%d containers have numbers", len(numbers))
	}
	free := 0 // the lowest 40 numbers that nothing holds, and no other
	for id := 5000; free < 40; id++ {
		if taken[id] == "" {
			free++
			if !contains(numbers, id) {
				t.Errorf("%d was free and is not used", id)
			}
		}
	}
	claim(t, s, numbers, taken)
	creates, collisions := onlyCreates(t, s)
	if creates != 40 || collisions != 0 {
		t.Errorf("%d creates with %d collisions", creates, collisions)
	}
}

func contains(numbers map[string]int, id int) bool {
	for _, n := range numbers {
		if n == id {
			return true
		}
	}
	return false
}

func TestTwoProcessesNeverShareANumber(t *testing.T) {
	t.Parallel()
	s, taken := fragmented(t)
	block := acctest.Provider(s, `vmid_range = "5000-8999"`)
	projects := map[string]*acctest.CLI{"one": acctest.NewCLI(t), "two": acctest.NewCLI(t)}
	results := map[string]acctest.Result{}
	var mu sync.Mutex
	var wait sync.WaitGroup
	for name, cli := range projects {
		cli.Config(block + manyRange(8000, 8009, "") + manyContainers(name, 40))
		wait.Go(func() {
			result := cli.Run("apply", "-auto-approve", "-parallelism=20")
			mu.Lock()
			defer mu.Unlock()
			results[name] = result
		})
	}
	wait.Wait()
	for name, cli := range projects {
		if results[name].Code != 0 {
			t.Fatalf("%s ended with %d:\n%s", name, results[name].Code, results[name].Out)
		}
		numbers := got(t, cli)
		if len(numbers) != 40 {
			t.Errorf("%d containers of %s have numbers", len(numbers), name)
		}
		claim(t, s, numbers, taken)
	}
	creates, collisions := onlyCreates(t, s)
	t.Logf("%d creates, %d of them collided", creates, collisions)
	if creates-collisions != 80 {
		t.Errorf("%d creates with %d collisions made %d containers", creates, collisions, creates-collisions)
	}
}
