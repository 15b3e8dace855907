package pvesim

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// folders of testdata/cases by kind of guest.
var caseFolders = map[kind]string{kindLXC: "lxc", kindQEMU: "qemu"}

// rewritten are cases that Proxmox's own writer gives other bytes; the
// others come out of it as they went in.
var rewritten = map[string]bool{
	"lxc/13-dev-nodes-gid0-denywrite":        true,
	"lxc/14-nvidia-raw-idmap-comment":        true,
	"lxc/22-lowercase-mac-umlaut":            true,
	"lxc/23-description-raw-utf8-markdown":   true,
	"lxc/44-raw-hooks-equals-syntax":         true,
	"lxc/52-crlf-line-endings":               true,
	"lxc/53-bool-words-and-quirks":           true,
	"qemu/13-hand-edited-order-foreign-disk": true,
	"qemu/20-machine-property-string":        true,
	"qemu/37-pve2-era-minimal":               true,
	"qemu/47-chs-secs-legacy":                true,
	"qemu/56-tags-mixed-and-umlaut-notes":    true,
	"qemu/62-usb-and-pci-mappings":           true,
	"qemu/64-comments-between-keys":          true,
	"qemu/65-invalid-appended-lines":         true,
	"qemu/70-blank-boot-quoted-strings":      true,
	"qemu/71-boolean-words":                  true,
}

func readCase(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"testdata", "cases"}, parts...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func caseNames(t *testing.T, k kind) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "cases", caseFolders[k], "*.conf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases of %s: %v", k, err)
	}
	var out []string
	for _, f := range files {
		out = append(out, strings.TrimSuffix(filepath.Base(f), ".conf"))
	}
	return out
}

// get asks the server as its own token and decodes what is below data.
func get(t *testing.T, s *Server, path string, into any) int {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, s.URL()+"/api2/json"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "PVEAPIToken="+s.Token())
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close() //nolint:errcheck // read to its end
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if into != nil {
		if err := json.Unmarshal(text, &struct{ Data any }{into}); err != nil {
			t.Fatalf("GET %s: %s: %v", path, text, err)
		}
	}
	return answer.StatusCode
}

// TestCasesAreServed drops real guest files into the state and compares what
// the API shows with what Proxmox's own parsers make of them.
func TestCasesAreServed(t *testing.T) {
	t.Parallel()
	for k, folder := range caseFolders {
		for i, name := range caseNames(t, k) {
			t.Run(folder+"/"+name, func(t *testing.T) {
				t.Parallel()
				s, err := New(Options{Nodes: []string{"pve1"}})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				vmid := 100 + i
				s.WriteFile("storage.cfg", readCase(t, "storage", "00-union-for-all-cases.cfg"))
				s.WriteFile(guestPath("pve1", k, vmid), readCase(t, folder, name+".conf"))
				var want map[string]any
				if err := json.Unmarshal([]byte(readCase(t, "parsed", folder, name+".json")), &want); err != nil {
					t.Fatal(err)
				}
				compareSections(t, s, fmt.Sprintf("/nodes/pve1/%s/%d/config", folder, vmid), want)
			})
		}
	}
}

func compareSections(t *testing.T, s *Server, path string, want map[string]any) {
	t.Helper()
	snapshots, _ := want["snapshots"].(map[string]any)
	for _, key := range words("snapshots pending special-sections") {
		delete(want, key)
	}
	if want["cipassword"] != nil {
		want["cipassword"] = "**********" // the API hides what the parser reads
	}
	var got map[string]any
	get(t, s, path+"?current=1", &got)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("main section:\n got %v\nwant %v", got, want)
	}
	for name, section := range snapshots {
		var got map[string]any
		get(t, s, path+"?snapshot="+name, &got)
		delete(got, "digest")
		if !reflect.DeepEqual(got, section) {
			t.Errorf("snapshot %s:\n got %v\nwant %v", name, got, section)
		}
	}
}

// TestCasesAreWritten checks the writer: Proxmox's own gives these bytes.
func TestCasesAreWritten(t *testing.T) {
	t.Parallel()
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for k, folder := range caseFolders {
		for _, name := range caseNames(t, k) {
			text := readCase(t, folder, name+".conf")
			again := conf.ParseGuest(k, text, s.checker(k)).Print(k)
			if (again == text) == rewritten[folder+"/"+name] {
				t.Errorf("%s/%s: same = %t\n%s\n--- want\n%s", folder, name, again == text, again, text)
			}
		}
	}
}
