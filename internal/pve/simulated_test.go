package pve_test

import (
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// simulated is a client of a simulated cluster with its own clock.
func simulated(t *testing.T, change ...func(*pve.Options)) (*pve.Client, *pvesim.Server) {
	t.Helper()
	s, err := pvesim.New(pvesim.Options{RootPassword: "rootpw"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	o := pve.Options{Endpoints: []string{s.URL()}, APIToken: s.Token(), Clock: newClock()}
	for _, f := range change {
		f(&o)
	}
	c, err := pve.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

// template is the first container template of a node's storage local.
func template(t *testing.T, c *pve.Client) string {
	t.Helper()
	list, err := c.Content(t.Context(), "pve1", "local", pve.ContentFilter{Type: "vztmpl"})
	if err != nil || len(list) == 0 {
		t.Fatalf("no template: %v", err)
	}
	return list[0].VolID
}

func wait(t *testing.T, c *pve.Client, u pve.UPID, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Wait(t.Context(), u); err != nil {
		t.Fatal(err)
	}
}

func TestTheLifeOfAContainer(t *testing.T) {
	t.Parallel()
	c, _ := simulated(t)
	ctx := t.Context()
	ref := guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 5001}
	params := pve.Params{"vmid": "5001", "ostemplate": template(t, c), "rootfs": "local-lvm:4", "hostname": "web", "swap": "0"}

	u, err := c.CreateContainer(ctx, "pve1", params)
	wait(t, c, u, err)
	if _, err := c.CreateContainer(ctx, "pve1", params); !errors.Is(err, pve.ErrExists) {
		t.Errorf("a second create: %v, want ErrExists", err)
	}
	if taken, err := c.VMIDTaken(ctx, 5001); err != nil || !taken {
		t.Errorf("taken is %t, %v", taken, err)
	}
	first, err := c.Config(ctx, ref)
	if err != nil || first.Values["hostname"] != "web" || first.Values["swap"] != "0" || first.Digest == "" {
		t.Fatalf("config is %+v, %v", first, err)
	}
	if err := c.UpdateConfig(ctx, ref, pve.ConfigChange{Set: map[string]string{"mp0": "local-lvm:1,mp=/srv"}, Digest: first.Digest}); err != nil {
		t.Fatal(err)
	}
	if err := c.UpdateConfig(ctx, ref, pve.ConfigChange{Set: map[string]string{"cores": "1"}, Digest: first.Digest}); !errors.Is(err, pve.ErrDigest) {
		t.Errorf("an old digest: %v, want ErrDigest", err)
	}
	u, err = c.Resize(ctx, ref, "rootfs", "5G", "")
	wait(t, c, u, err)
	if _, err = c.Resize(ctx, ref, "rootfs", "4G", ""); !errors.Is(err, pve.ErrShrink) {
		t.Errorf("shrinking: %v, want ErrShrink", err)
	}
	u, err = c.Start(ctx, ref)
	wait(t, c, u, err)
	if s, err := c.Status(ctx, ref); err != nil || !s.Running() {
		t.Errorf("status is %+v, %v", s, err)
	}
	if _, err = c.Destroy(ctx, ref, pve.DestroyOptions{}); !errors.Is(err, pve.ErrRunning) {
		t.Errorf("destroying what runs: %v, want ErrRunning", err)
	}
	u, err = c.Shutdown(ctx, ref, time.Minute, true)
	wait(t, c, u, err)
	u, err = c.Destroy(ctx, ref, pve.DestroyOptions{Purge: true})
	wait(t, c, u, err)
	if _, err := c.Config(ctx, ref); !errors.Is(err, pve.ErrNotFound) {
		t.Errorf("config afterwards: %v, want ErrNotFound", err)
	}
}

func TestALostCreateIsFoundAndNotRepeated(t *testing.T) {
	t.Parallel()
	c, s := simulated(t)
	ref := guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 5001}
	params := pve.Params{"vmid": "5001", "ostemplate": template(t, c), "rootfs": "local-lvm:4"}
	s.FailNext(http.MethodPost, "/nodes/*/lxc", pvesim.Fault{Drop: true, After: true})
	s.ResetRequests()
	sent := c.ServerTime()
	if _, err := c.CreateContainer(t.Context(), "pve1", params); !errors.Is(err, pve.ErrAmbiguous) {
		t.Fatalf("got %v, want ErrAmbiguous", err)
	}
	posts := slices.DeleteFunc(s.Requests(), func(r pvesim.Request) bool { return r.Method != http.MethodPost })
	if len(posts) != 1 {
		t.Errorf("%d POST requests, want 1", len(posts))
	}
	lost, err := c.FindLost(t.Context(), pve.LostCall{Guest: ref, Type: "vzcreate", Sent: sent})
	if err != nil || lost.Task.ID() != "5001" || !lost.Taken || lost.Config == nil {
		t.Fatalf("got %+v, %v", lost, err)
	}
	wait(t, c, lost.Task, nil)
}

func TestALostCreateThatNeverArrived(t *testing.T) {
	t.Parallel()
	c, s := simulated(t)
	params := pve.Params{"vmid": "5001", "ostemplate": template(t, c), "rootfs": "local-lvm:4"}
	s.FailNext(http.MethodPost, "/nodes/*/lxc", pvesim.Fault{Drop: true})
	sent := c.ServerTime()
	if _, err := c.CreateContainer(t.Context(), "pve1", params); !errors.Is(err, pve.ErrAmbiguous) {
		t.Fatalf("got %v, want ErrAmbiguous", err)
	}
	lost, err := c.FindLost(t.Context(), pve.LostCall{
		Guest: guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 5001}, Type: "vzcreate", Sent: sent})
	if err != nil || lost.Task != "" || lost.Taken || lost.Config != nil {
		t.Errorf("got %+v, %v", lost, err)
	}
}

func TestATaskThatTheNodeForgets(t *testing.T) {
	t.Parallel()
	c, s := simulated(t)
	u, err := c.CreateContainer(t.Context(), "pve1", pve.Params{"vmid": "5001", "ostemplate": template(t, c), "rootfs": "local-lvm:4"})
	wait(t, c, u, err)
	s.ForgetTask(string(u))
	if _, err := c.Wait(t.Context(), u); !errors.Is(err, pve.ErrNoSuchTask) {
		t.Errorf("got %v, want ErrNoSuchTask", err)
	}
}

func TestANodeThatIsDown(t *testing.T) {
	t.Parallel()
	c, s := simulated(t)
	s.NodeDown("pve2")
	if _, err := c.Status(t.Context(), guest.Ref{Node: "pve2", Kind: guest.LXC, VMID: 100}); !errors.Is(err, pve.ErrUnreachable) {
		t.Errorf("got %v, want ErrUnreachable", err)
	}
	if _, err := c.CreateContainer(t.Context(), "pve2", pve.Params{"vmid": "5001", "ostemplate": "local:vztmpl/x.tar.gz"}); !errors.Is(err, pve.ErrUnreachable) || errors.Is(err, pve.ErrAmbiguous) {
		t.Errorf("got %v, want ErrUnreachable", err)
	}
}

func TestRootWithATicketMayWhatATokenMayNot(t *testing.T) {
	t.Parallel()
	token, s := simulated(t)
	root, err := pve.New(pve.Options{Endpoints: []string{s.URL()}, Username: "root@pam", Password: "rootpw"})
	if err != nil {
		t.Fatal(err)
	}
	u, err := token.CreateContainer(t.Context(), "pve1", pve.Params{"vmid": "5001", "ostemplate": template(t, token), "rootfs": "local-lvm:4"})
	wait(t, token, u, err)
	ref := guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 5001}
	bind := pve.ConfigChange{Set: map[string]string{"mp0": "/srv/data,mp=/data"}}
	err = token.UpdateConfig(t.Context(), ref, bind)
	if refused, ok := errors.AsType[*pve.PermissionError](err); !ok || !refused.RootOnly {
		t.Errorf("a token: %v, want a PermissionError", err)
	}
	if err := root.UpdateConfig(t.Context(), ref, bind); err != nil {
		t.Errorf("root: %v", err)
	}
}
