package pvesim_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

func newCluster(t *testing.T) *pvesim.Server {
	t.Helper()
	sim, err := pvesim.New(pvesim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sim.Close)
	return sim
}

// exit is how the task of a request ended.
func exit(t *testing.T, sim *pvesim.Server, upid any) string {
	t.Helper()
	text, ok := upid.(string)
	if !ok {
		t.Fatalf("no task: %v", upid)
	}
	sim.WaitTasks()
	_, status := ask(t, sim, http.MethodGet, "/nodes/pve1/tasks/"+url.PathEscape(text)+"/status", nil)
	return status.(map[string]any)["exitstatus"].(string)
}

func TestDownloads(t *testing.T) {
	t.Parallel()
	const image = "https://example.org/images/small.tar.zst"
	for name, tc := range map[string]struct {
		form   url.Values
		prior  bool // the file is there already
		status string
		exit   string
	}{
		"right checksum":            {form: url.Values{"checksum": {"AB"}, "checksum-algorithm": {"sha256"}}, status: "200 OK", exit: "OK"},
		"no checksum":               {status: "200 OK", exit: "OK"},
		"wrong checksum":            {form: url.Values{"checksum": {"cd"}, "checksum-algorithm": {"sha256"}}, status: "200 OK", exit: "checksum mismatch: got 'ab' != expect 'cd'"},
		"checksum alone":            {form: url.Values{"checksum": {"cd"}}, status: "400 Parameter verification failed."},
		"there already, not proven": {prior: true, status: "200 OK", exit: "refusing to override existing file '/var/lib/vz/template/cache/small.tar.zst'"},
		"there already, proven":     {form: url.Values{"checksum": {"ab"}, "checksum-algorithm": {"sha256"}}, prior: true, status: "200 OK", exit: "OK"},
		"not a template":            {form: url.Values{"filename": {"small.iso"}}, status: "400 Parameter verification failed."},
		"a storage without files":   {form: url.Values{"storage": {"local-lvm"}}, status: "500 can't upload to storage type 'lvmthin', not a file based storage!"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sim := newCluster(t)
			sim.ServeURL(image, pvesim.RemoteFile{Size: 5 << 20, Checksums: map[string]string{"sha256": "ab"}})
			if tc.prior {
				sim.AddVolume("pve1", "local:vztmpl/small.tar.zst", 5<<20)
			}
			form := url.Values{"url": {image}, "content": {"vztmpl"}, "filename": {"small.tar.zst"}}
			storage := "local"
			for key, value := range tc.form {
				form[key] = value
			}
			if form.Has("storage") {
				storage = form.Get("storage")
				form.Del("storage")
			}
			status, upid := ask(t, sim, http.MethodPost, "/nodes/pve1/storage/"+storage+"/download-url", form)
			if status != tc.status {
				t.Fatalf("status %q, want %q", status, tc.status)
			}
			if tc.exit == "" {
				return
			}
			if got := exit(t, sim, upid); got != tc.exit {
				t.Errorf("exit %q, want %q", got, tc.exit)
			}
			if has := slices.Contains(sim.Volumes("pve1"), "local:vztmpl/small.tar.zst"); has != (tc.exit == "OK" || tc.prior) {
				t.Errorf("the file is there: %t", has)
			}
		})
	}
}
