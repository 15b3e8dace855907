package internal_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/proxmox-guests/terraform-provider-proxmox"

type layer struct {
	prefix string
	may    []string
	why    string
}

// layers say which of our packages a package may import, itself and its own subpackages aside.
// The first prefix that fits decides.
var layers = []layer{
	{"/internal/pvesim", nil, "the simulator shares nothing with the client: one bug would cancel the other"},
	{"/internal/pve/props", nil, "the codec knows no Proxmox call"},
	{"/internal/pve", rules("/internal/pve/props"), "the client imports rules for value types only"},
	{"/internal/lifecycle", rules("/internal/pve"), "the lifecycle knows no Terraform"},
	{"/internal/provider", rules("/internal/pve", "/internal/lifecycle", "/internal/provider"), "arrows run from resources to rules"},
	{"/internal/acctest", []string{"/internal"}, "the test harness may know everything"},
	{"/tools", []string{"/internal/provider"}, "tools ask the provider"},
	{"/internal/", rules(), "a rule imports rules only"},
	{"", []string{"/internal/provider"}, "main serves the provider"},
}

func rules(more ...string) []string {
	return append(more,
		"/internal/bytesize", "/internal/guest", "/internal/volume", "/internal/datalabel", "/internal/blocker",
		"/internal/stage", "/internal/vmidrange", "/internal/vzdump")
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

func TestImportArrowsRunOneWay(t *testing.T) {
	t.Parallel()
	packages := listPackages(t)
	if len(packages) < 8 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	for _, p := range packages {
		path := strings.TrimPrefix(p.ImportPath, module)
		at := slices.IndexFunc(layers, func(l layer) bool { return strings.HasPrefix(path, l.prefix) })
		from := layers[at]
		for _, imported := range p.Imports {
			ours, isOurs := strings.CutPrefix(imported, module)
			if !isOurs || from.prefix != "" && from.prefix != "/internal/" && within(ours, from.prefix) {
				continue
			}
			if !slices.ContainsFunc(from.may, func(m string) bool { return within(ours, m) }) {
				t.Errorf("%s imports %s: %s", path, ours, from.why)
			}
		}
	}
}

func TestRulesAreStandardLibraryOnly(t *testing.T) {
	t.Parallel()
	forbidden := []string{"context", "net/http", "os", "time/tzdata"}
	for _, p := range listPackages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		isRule := slices.ContainsFunc(rules(), func(r string) bool { return within(path, r) })
		alone := isRule || strings.HasPrefix(path, "/internal/pvesim")
		for _, imported := range p.Imports {
			if alone && strings.Contains(strings.Split(imported, "/")[0], ".") && !strings.HasPrefix(imported, module) {
				t.Errorf("%s imports %s, which is not the standard library", path, imported)
			}
			if isRule && slices.Contains(forbidden, imported) {
				t.Errorf("%s imports %s: time and facts are arguments of a rule", path, imported)
			}
		}
	}
}

// notListed are shared folders that the provider needs itself; everything else
// that it imports is a resource, a data source or the like.
var notListed = []string{"meta", "attrs", "diags"}

func TestResourcesNeverImportEachOther(t *testing.T) {
	t.Parallel()
	const root = module + "/internal/provider"
	packages := listPackages(t)
	listed := map[string]bool{} // folders of resources: the provider itself imports them
	for _, p := range packages {
		if p.ImportPath != root {
			continue
		}
		for _, imported := range p.Imports {
			if folder, ours := strings.CutPrefix(imported, root+"/"); ours && !slices.Contains(notListed, folder) {
				listed[folder] = true
			}
		}
	}
	if !listed["container"] {
		t.Fatalf("the provider lists %v and no containers", listed)
	}
	for _, p := range packages {
		path, ok := strings.CutPrefix(p.ImportPath, root+"/")
		if !ok {
			continue
		}
		for _, imported := range p.Imports {
			if other, ours := strings.CutPrefix(imported, root+"/"); ours && listed[other] && !within(path, other) {
				t.Errorf("provider/%s imports provider/%s, which is a resource", path, other)
			}
		}
	}
}
