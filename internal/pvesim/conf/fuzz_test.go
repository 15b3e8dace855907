package conf_test

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// keep accepts every value as it is.
func keep(_, value string) (string, bool) { return value, true }

// FuzzGuest: what is written reads back as the same, and is written alike.
func FuzzGuest(f *testing.F) {
	for kind, folder := range map[conf.Kind]string{conf.LXC: "lxc", conf.QEMU: "qemu"} {
		files, err := filepath.Glob(filepath.Join("..", "testdata", "cases", folder, "*.conf"))
		if err != nil || len(files) == 0 {
			f.Fatal("no cases", err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text), kind == conf.LXC)
		}
	}
	f.Fuzz(func(t *testing.T, text string, container bool) {
		kind := conf.QEMU
		if container {
			kind = conf.LXC
		}
		first := conf.ParseGuest(kind, text, keep)
		printed := first.Print(kind)
		second := conf.ParseGuest(kind, printed, keep)
		if again := second.Print(kind); again != printed {
			t.Errorf("written again:\n%q\nat first:\n%q", again, printed)
		}
		if !maps.Equal(first.Values, second.Values) || !reflect.DeepEqual(first.Raw, second.Raw) {
			t.Errorf("read back:\n%q %q\nat first:\n%q %q", second.Values, second.Raw, first.Values, first.Raw)
		}
	})
}

// FuzzSections: a section file survives writing and reading.
func FuzzSections(f *testing.F) {
	f.Add("dir: local\n\tpath /var/lib/vz\n\tcontent iso\n\nnfs: n\n\tserver 192.0.2.1\n\tdisable\n")
	f.Fuzz(func(t *testing.T, text string) {
		printed := conf.PrintSections(conf.ParseSections(text))
		if again := conf.PrintSections(conf.ParseSections(printed)); again != printed {
			t.Errorf("written again:\n%q\nat first:\n%q", again, printed)
		}
	})
}
