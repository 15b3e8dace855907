package pve_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// reads checks a call that is one GET: its words, and what is made of the answer.
func reads[T any](t *testing.T, request, json string, call func(*pve.Client) (T, error), want T) {
	t.Helper()
	got, err := call(newScript(t, step{request: "GET " + request, answer: data(json)}).client(t))
	if err != nil {
		t.Errorf("%s: %v", request, err)
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", request, diff)
	}
}

// The answers are recorded from Proxmox VE 9.2, shortened.
func TestReads(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	reads(t, "/cluster/resources",
		`[{"status":"unknown","vmid":100,"type":"lxc","id":"lxc/100","node":"pve1"},`+
			`{"pool":"tfpool","type":"qemu","id":"qemu/101","node":"pve2","status":"running","vmid":"101","template":1,"tags":"a;b","maxmem":536870912},`+
			`{"content":"vztmpl,backup,images","id":"storage/pve1/local","node":"pve1","plugintype":"dir","shared":0,"storage":"local","type":"storage"},`+
			`{"level":"","id":"node/pve1","node":"pve1","type":"node","cgroup-mode":1,"status":"online"},{"id":"/pool/tfpool","pool":"tfpool","type":"pool"}]`,
		func(c *pve.Client) ([]pve.Resource, error) { return c.Resources(ctx) },
		[]pve.Resource{
			{ID: "lxc/100", Type: "lxc", Node: "pve1", VMID: 100, Status: "unknown"},
			{ID: "qemu/101", Type: "qemu", Node: "pve2", VMID: 101, Status: "running", Template: true, Tags: "a;b", Pool: "tfpool", MaxMem: 536870912},
			{ID: "storage/pve1/local", Type: "storage", Node: "pve1", Storage: "local", Plugin: "dir", Content: "vztmpl,backup,images"},
			{ID: "node/pve1", Type: "node", Node: "pve1", Status: "online"},
			{ID: "/pool/tfpool", Type: "pool", Pool: "tfpool"},
		})
	reads(t, "/nodes/pve1/lxc/110/interfaces",
		`[{"hwaddr":"bc:24:11:00:00:01","name":"eth0","ip-addresses":[{"ip-address-type":"inet","ip-address":"192.0.2.7","prefix":"24"},{"ip-address-type":"inet6","prefix":"64","ip-address":"fe80::1"}]}]`,
		func(c *pve.Client) ([]pve.ContainerInterface, error) {
			return c.Interfaces(ctx, guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 110})
		},
		[]pve.ContainerInterface{{Name: "eth0", MAC: "bc:24:11:00:00:01",
			Addresses: []pve.Address{{IP: "192.0.2.7", Prefix: 24}, {IP: "fe80::1", Prefix: 64, V6: true}}}})
	reads(t, "/nodes/pve1/lxc/100/interfaces", "null",
		func(c *pve.Client) ([]pve.ContainerInterface, error) { return c.Interfaces(ctx, ct100) }, []pve.ContainerInterface{})
	reads(t, "/nodes/pve1/lxc/100/feature?feature=snapshot", `{"hasFeature":0}`,
		func(c *pve.Client) (bool, error) { return c.Feature(ctx, ct100, "snapshot", "") }, false)
	reads(t, "/nodes/pve1/lxc/100/feature?feature=clone&snapname=s1", `{"hasFeature":1}`,
		func(c *pve.Client) (bool, error) { return c.Feature(ctx, ct100, "clone", "s1") }, true)
	reads(t, "/nodes/pve1/lxc/100/snapshot",
		`[{"name":"s1","description":"first\n","snaptime":1795953053},{"name":"current","description":"You are here!","running":0,"parent":"s1","digest":"04a5"}]`,
		func(c *pve.Client) ([]pve.Snapshot, error) { return c.Snapshots(ctx, ct100) },
		[]pve.Snapshot{{Name: "s1", Description: "first\n", Time: 1795953053}})
	reads(t, "/pools?poolid=tfpool", `[{"members":[{"id":"lxc/101","type":"lxc","node":"pve1","vmid":101,"status":"unknown"}],"poolid":"tfpool"}]`,
		func(c *pve.Client) (pve.Pool, error) { return c.Pool(ctx, "tfpool") },
		pve.Pool{ID: "tfpool", Members: []pve.Resource{{ID: "lxc/101", Type: "lxc", Node: "pve1", VMID: 101, Status: "unknown"}}})
	reads(t, "/nodes/pve1/lxc/100/firewall/options", `{"digest":"x","enable":1,"log_level_in":"info","policy_in":"DROP"}`,
		func(c *pve.Client) (pve.FirewallOptions, error) { return c.FirewallOptions(ctx, ct100) },
		pve.FirewallOptions{Digest: "x", Values: map[string]string{"enable": "1", "log_level_in": "info", "policy_in": "DROP"}})
	reads(t, "/cluster/firewall/options", `{"digest":"x","enable":1}`,
		func(c *pve.Client) (pve.FirewallOptions, error) { return c.ClusterFirewallOptions(ctx) },
		pve.FirewallOptions{Digest: "x", Values: map[string]string{"enable": "1"}})
	reads(t, "/nodes/pve1/lxc/100/firewall/rules",
		`[{"action":"DROP","digest":"x","enable":0,"pos":0,"type":"out"},{"action":"ACCEPT","comment":"ssh","digest":"x","dport":"22","enable":1,"icmp-type":"any","pos":1,"proto":"tcp","type":"in"}]`,
		func(c *pve.Client) ([]pve.FirewallRule, error) { return c.FirewallRules(ctx, ct100) },
		[]pve.FirewallRule{
			{Digest: "x", Values: map[string]string{"action": "DROP", "enable": "0", "type": "out"}},
			{Position: 1, Digest: "x", Values: map[string]string{"action": "ACCEPT", "comment": "ssh", "dport": "22", "enable": "1", "icmp-type": "any", "proto": "tcp", "type": "in"}},
		})
	reads(t, "/cluster/ha/resources/vm%3A201", `{"comment":"c","digest":"x","max_relocate":3,"max_restart":2,"sid":"vm:201","state":"stopped","type":"vm"}`,
		func(c *pve.Client) (pve.HAResource, error) { return c.HAResource(ctx, vm201) },
		pve.HAResource{SID: "vm:201", State: "stopped", MaxRestart: 2, MaxRelocate: 3, Comment: "c"})
	reads(t, "/access/acl",
		`[{"path":"/","propagate":1,"roleid":"PVEAdmin","type":"user","ugid":"a@pve"},{"path":"/vms/100","propagate":0,"roleid":"R1","type":"user","ugid":"u1@pve"}]`,
		func(c *pve.Client) ([]pve.ACL, error) { return c.ACLs(ctx, "/vms/100") },
		[]pve.ACL{{Path: "/vms/100", Type: "user", ID: "u1@pve", Role: "R1"}})
	reads(t, "/nodes/pve1/storage/local/content?content=rootdir&vmid=100",
		`[{"content":"rootdir","parent":null,"vmid":100,"ctime":1795953187,"size":4294967296,"volid":"local:100/vm-100-disk-0.raw","format":"raw","used":36470784}]`,
		func(c *pve.Client) ([]pve.Content, error) {
			return c.Content(ctx, "pve1", "local", pve.ContentFilter{Type: "rootdir", VMID: 100})
		},
		[]pve.Content{{VolID: "local:100/vm-100-disk-0.raw", Content: "rootdir", Format: "raw", Size: 4294967296, Used: 36470784, VMID: 100, CTime: 1795953187}})
	reads(t, "/nodes/pve1/storage/local/content/local%3A100%2Fvm-100-disk-0.raw", `{"path":"/var/lib/vz/images/100/vm-100-disk-0.raw","size":4294967296,"used":36470784,"format":"raw"}`,
		func(c *pve.Client) (pve.VolumeInfo, error) {
			return c.Volume(ctx, "pve1", "local:100/vm-100-disk-0.raw")
		},
		pve.VolumeInfo{Path: "/var/lib/vz/images/100/vm-100-disk-0.raw", Size: 4294967296, Used: 36470784, Format: "raw"})
	reads(t, "/nodes/pve1/qemu/201/status/current", `{"vmid":201,"name":"VM 201","status":"running","qmpstatus":"prelaunch","lock":"backup","ha":{"managed":1,"state":"started"}}`,
		func(c *pve.Client) (string, error) {
			s, err := c.Status(ctx, vm201)
			if !s.Running() || !bool(s.HA.Managed) {
				t.Errorf("got %+v", s)
			}
			return s.QMP + " " + s.Lock, err
		}, "prelaunch backup")
}

func TestGuestsAmongResources(t *testing.T) {
	t.Parallel()
	ref, ok := pve.Resource{Type: "qemu", Node: "pve2", VMID: 101}.Guest()
	if want := (guest.Ref{Node: "pve2", Kind: guest.QEMU, VMID: 101}); !ok || ref != want {
		t.Errorf("got %v, %t, want %v", ref, ok, want)
	}
	if _, ok := (pve.Resource{Type: "storage", Node: "pve2"}).Guest(); ok {
		t.Error("a storage is taken for a guest")
	}
	if got := (pve.Resource{Content: "vztmpl,backup,images"}).ContentTypes(); !slices.Equal(got, []string{"backup", "images", "vztmpl"}) {
		t.Errorf("content is %v", got)
	}
}

func TestVMIDTaken(t *testing.T) {
	t.Parallel()
	const ask = "GET /cluster/nextid?vmid=300"
	for name, tc := range map[string]struct {
		answer string
		taken  bool
		fails  bool
	}{
		"taken": {answer: "400 Parameter verification failed.\n" +
			`{"data":null,"errors":{"vmid":"VM 300 already exists"},"message":"Parameter verification failed.\n"}`, taken: true},
		"free, as a string":            {answer: data(`"300"`)},
		"free, as a number":            {answer: data(`300`)},
		"another number is no answer":  {answer: data(`"301"`), fails: true},
		"a number out of range":        {answer: "400 Parameter verification failed.\n" + `{"errors":{"vmid":"invalid format - value does not look like a valid VM ID\n"}}`, fails: true},
		"no quorum is no answer":       {answer: "500 cluster not ready - no quorum?\n", fails: true},
		"forbidden is not free either": {answer: "403 Permission check failed\n", fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			taken, err := newScript(t, step{request: ask, answer: tc.answer}).client(t).VMIDTaken(t.Context(), 300)
			if taken != tc.taken || (err != nil) != tc.fails {
				t.Errorf("got %t, %v", taken, err)
			}
		})
	}
}

func TestStorageThatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	s := newScript(t, step{request: "GET /nodes/pve1/storage/nosuch/status", answer: "400 Parameter verification failed.\n" +
		`{"data":null,"errors":{"storage":"No such storage."},"message":"Parameter verification failed.\n"}`})
	_, err := s.client(t).Storage(t.Context(), "pve1", "nosuch")
	missing, ok := errors.AsType[*pve.NoSuchError](err)
	if !ok || *missing != (pve.NoSuchError{What: "storage", Name: "nosuch"}) {
		t.Errorf("got %v", err)
	}
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	s := newScript(t, step{request: "GET /access/permissions?path=%2Fvms%2F101", answer: data(`{"/vms/101":{"VM.Audit":1,"VM.Backup":0}}`)})
	p, err := s.client(t).Permissions(t.Context(), "/vms/101")
	if err != nil {
		t.Fatal(err)
	}
	// 0 says that the privilege does not reach below the path, not that it is absent.
	if !p.Has("/vms/101", "VM.Audit") || !p.Has("/vms/101", "VM.Backup") || p.Has("/vms/101", "VM.Allocate") || p.Has("/vms/102", "VM.Audit") {
		t.Errorf("got %v", p)
	}
}

func TestAgentInterfaces(t *testing.T) {
	t.Parallel()
	const ask = "GET /nodes/pve1/qemu/201/agent/network-get-interfaces"
	reads(t, ask[4:], `{"result":[{"name":"lo"},{"name":"ens18","hardware-address":"bc:24:11:00:00:01","ip-addresses":[{"ip-address":"2001:db8::7","ip-address-type":"ipv6","prefix":64}]}]}`,
		func(c *pve.Client) ([]pve.AgentInterface, error) { return c.AgentInterfaces(t.Context(), vm201) },
		[]pve.AgentInterface{{Name: "lo"}, {Name: "ens18", MAC: "bc:24:11:00:00:01", Addresses: []pve.Address{{IP: "2001:db8::7", Prefix: 64, V6: true}}}})

	s := newScript(t, step{request: ask, answer: data(`{"result":{"error":{"class":"CommandNotFound","desc":"not allowed"}}}`)})
	_, err := s.client(t).AgentInterfaces(t.Context(), vm201)
	inner, ok := errors.AsType[*pve.AgentError](err)
	if !ok || *inner != (pve.AgentError{Class: "CommandNotFound", Description: "not allowed"}) {
		t.Errorf("got %v", err)
	}
}

func TestFindLost(t *testing.T) {
	t.Parallel()
	sent := time.Unix(0x6B0C11A8, 0)
	const (
		list   = "GET /nodes/pve1/tasks?limit=1000&since=1795953034&source=all&typefilter=vzcreate"
		nextID = "GET /cluster/nextid?vmid=160"
		config = "GET /nodes/pve1/lxc/160/config"
		mine   = `{"upid":"` + string(upid) + `","starttime":1795953064,"node":"pve1","type":"vzcreate","id":"160","user":"tf@pve","tokenid":"plan"}`
		others = `{"upid":"UPID:pve1:000006B9:0004EDCE:6B0C11A8:vzcreate:160:other@pve:","starttime":1795953065,"type":"vzcreate","id":"160"},` +
			`{"upid":"UPID:pve1:000006B9:0004EDCE:6B0C11A8:vzcreate:161:tf@pve!plan:","starttime":1795953066,"type":"vzcreate","id":"161"}`
	)
	taken := "400 Parameter verification failed.\n" + `{"errors":{"vmid":"VM 160 already exists"}}`
	for name, tc := range map[string]struct {
		steps []step
		want  pve.Lost
		err   error
	}{
		"the task and the guest are there": {
			[]step{{request: list, answer: data("[" + others + "," + mine + "]")}, {request: nextID, answer: taken}, {request: config, answer: data(`{"digest":"1","lock":"create"}`)}},
			pve.Lost{Task: upid, Taken: true, Config: &pve.GuestConfig{Digest: "1", Values: map[string]string{"lock": "create"}}}, nil},
		"the number is somebody else's": {
			[]step{{request: list, answer: data("[" + others + "]")}, {request: nextID, answer: taken},
				{request: config, answer: "500 Configuration file 'nodes/pve1/lxc/160.conf' does not exist\n"}},
			pve.Lost{Taken: true}, nil},
		"nothing is to be found": {
			[]step{{request: list, answer: data("[]")}, {request: nextID, answer: data(`"160"`)}},
			pve.Lost{}, nil},
		"a task of which nothing is left": {
			[]step{{request: list, answer: data("[" + mine + "]")}, {request: nextID, answer: data(`"160"`)}},
			pve.Lost{Task: upid}, nil},
		"it cannot be looked for": {
			[]step{{request: list, answer: "403 Permission check failed (/nodes/pve1, Sys.Audit)\n"}},
			pve.Lost{}, pve.ErrPermission},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := newScript(t, tc.steps...).client(t).FindLost(t.Context(), pve.LostCall{
				Guest: guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 160}, Type: "vzcreate", Sent: sent})
			if !errors.Is(err, tc.err) {
				t.Fatalf("got %v, want %v", err, tc.err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
