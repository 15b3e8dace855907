package pve_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// The answers are in the forms that Proxmox VE 9.2 was recorded to give.
func TestConfig(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer string
		want   pve.GuestConfig
	}{
		"a container": {
			`{"digest":"0a03ad0a","rootfs":"local:130/vm-130-disk-0.raw,size=2G","onboot":1,"hostname":"CT130","unprivileged":1,` +
				`"arch":"amd64","memory":300,"description":"js\n","swap":512,"tags":" ","cpulimit":"0.5",` +
				`"lxc":[["lxc.mount.entry","/a b none bind 0 0"],["lxc.cap.drop",""],["lxc.mount.entry","/c d none bind 0 0"]]}`,
			pve.GuestConfig{Digest: "0a03ad0a",
				Values: map[string]string{"rootfs": "local:130/vm-130-disk-0.raw,size=2G", "onboot": "1", "hostname": "CT130",
					"unprivileged": "1", "arch": "amd64", "memory": "300", "description": "js\n", "swap": "512", "tags": " ", "cpulimit": "0.5"},
				Raw: [][2]string{{"lxc.mount.entry", "/a b none bind 0 0"}, {"lxc.cap.drop", ""}, {"lxc.mount.entry", "/c d none bind 0 0"}}},
		},
		"a VM, whose memory is a string": {
			`{"digest":"1","memory":"2048","cores":2,"boot":" ","agent":"1","vmgenid":null}`,
			pve.GuestConfig{Digest: "1", Values: map[string]string{"memory": "2048", "cores": "2", "boot": " ", "agent": "1"}},
		},
		"a guest that is being made": {
			`{"digest":"2","lock":"create"}`,
			pve.GuestConfig{Digest: "2", Values: map[string]string{"lock": "create"}},
		},
		"values in forms of other versions": {
			`{"digest":"3","onboot":true,"debug":false,"memory":1e3,"future":{"a":1},"swap":18446744073709551615}`,
			pve.GuestConfig{Digest: "3", Values: map[string]string{"onboot": "1", "debug": "0", "memory": "1e3", "future": `{"a":1}`, "swap": "18446744073709551615"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, step{request: "GET /nodes/pve1/lxc/100/config", answer: data(tc.answer)})
			got, err := s.client(t).Config(t.Context(), ct100)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestConfigFullReadsWhatIsInEffectAndWhatIsPending(t *testing.T) {
	t.Parallel()
	vm := guest.Ref{Node: "pve1", Kind: guest.QEMU, VMID: 201}
	s := newScript(t,
		step{request: "GET /nodes/pve1/qemu/201/config?current=1", answer: data(`{"digest":"9","cores":2}`)},
		step{request: "GET /nodes/pve1/qemu/201/pending", answer: data(`[{"key":"cores","value":2,"pending":4},{"key":"digest","value":"9"},` +
			`{"key":"scsi1","value":"local:201/x","delete":1},{"key":"net0","pending":"virtio"},{"key":"efidisk0","value":"l:x","delete":2},{"key":"tags","value":"a","pending":""}]`)})
	got, err := s.client(t).ConfigFull(t.Context(), vm)
	want := pve.GuestConfig{Full: true, Digest: "9", Values: map[string]string{"cores": "2"}, Pending: map[string]pve.PendingValue{
		"cores": {Value: "4"}, "scsi1": {Delete: 1}, "net0": {Value: "virtio"}, "efidisk0": {Delete: 2}, "tags": {}}}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUpdateConfigSendsTheChangeAndNothingElse(t *testing.T) {
	t.Parallel()
	s := newScript(t, step{
		request: "PUT /nodes/pve1/lxc/100/config",
		body:    "cores=2\ndelete=mp3%2Ctags\ndigest=abc\nrevert=memory",
		answer:  data("null")})
	err := s.client(t).UpdateConfig(t.Context(), ct100, pve.ConfigChange{
		Set: map[string]string{"cores": "2"}, Delete: []string{"tags", "mp3"}, Revert: []string{"memory"}, Digest: "abc"})
	if err != nil {
		t.Error(err)
	}
}

// Proxmox refuses an update without options; so does nothing at all.
func TestAnEmptyChangeSendsNothing(t *testing.T) {
	t.Parallel()
	if err := newScript(t).client(t).UpdateConfig(t.Context(), ct100, pve.ConfigChange{Digest: "abc"}); err != nil {
		t.Error(err)
	}
}
