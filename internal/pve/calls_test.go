package pve_test

import (
	"context"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

var vm201 = guest.Ref{Node: "pve1", Kind: guest.QEMU, VMID: 201}

// Every call is one request, and these are its words.
func TestWhatIsOnTheWire(t *testing.T) {
	t.Parallel()
	started := data(`"` + string(upid) + `"`)
	for name, tc := range map[string]struct {
		call func(context.Context, *pve.Client) (pve.UPID, error)
		step step
	}{
		"create a container": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.CreateContainer(ctx, "pve1", pve.Params{"vmid": "100", "ssh-public-keys": "ssh-ed25519 AAAA+/= a@b\n", "swap": "0"})
		}, step{request: "POST /nodes/pve1/lxc", body: "ssh-public-keys=ssh-ed25519%20AAAA%2B%2F%3D%20a%40b%0A\nswap=0\nvmid=100"}},
		"stop": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) { return c.Stop(ctx, ct100) },
			step{request: "POST /nodes/pve1/lxc/100/status/stop", body: "overrule-shutdown=1"}},
		"shut down": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.Shutdown(ctx, ct100, 90*time.Second, false)
		}, step{request: "POST /nodes/pve1/lxc/100/status/shutdown", body: "timeout=90"}},
		"shut down in less than a second": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.Shutdown(ctx, vm201, time.Millisecond, true)
		}, step{request: "POST /nodes/pve1/qemu/201/status/shutdown", body: "forceStop=1\ntimeout=1"}},
		"reboot": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) { return c.Reboot(ctx, ct100, time.Minute) },
			step{request: "POST /nodes/pve1/lxc/100/status/reboot", body: "timeout=60"}},
		"destroy": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.Destroy(ctx, ct100, pve.DestroyOptions{})
		}, step{request: "DELETE /nodes/pve1/lxc/100?destroy-unreferenced-disks=0"}},
		"destroy a container that runs": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.Destroy(ctx, ct100, pve.DestroyOptions{Purge: true, Force: true})
		}, step{request: "DELETE /nodes/pve1/lxc/100?destroy-unreferenced-disks=0&force=1&purge=1"}},
		"destroy a VM, which knows no force": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.Destroy(ctx, vm201, pve.DestroyOptions{Force: true})
		}, step{request: "DELETE /nodes/pve1/qemu/201?destroy-unreferenced-disks=0"}},
		"resize": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.Resize(ctx, ct100, "rootfs", "20G", "abc")
		}, step{request: "PUT /nodes/pve1/lxc/100/resize", body: "digest=abc\ndisk=rootfs\nsize=20G"}},
		"move a volume": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.MoveVolume(ctx, ct100, pve.MoveOptions{Key: "mp0", Storage: "nfs", Delete: true, Format: "raw"})
		}, step{request: "POST /nodes/pve1/lxc/100/move_volume", body: "delete=1\nstorage=nfs\nvolume=mp0"}},
		"move a disk": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.MoveVolume(ctx, vm201, pve.MoveOptions{Key: "scsi0", Storage: "nfs", Format: "qcow2", Digest: "d"})
		}, step{request: "POST /nodes/pve1/qemu/201/move_disk", body: "digest=d\ndisk=scsi0\nformat=qcow2\nstorage=nfs"}},
		"migrate a container": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.Migrate(ctx, ct100, pve.MigrateOptions{Target: "pve2", Running: true, WithLocalDisks: true})
		}, step{request: "POST /nodes/pve1/lxc/100/migrate", body: "restart=1\ntarget=pve2"}},
		"migrate a VM": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.Migrate(ctx, vm201, pve.MigrateOptions{Target: "pve2", Running: true, WithLocalDisks: true, TargetStorage: "a:b"})
		}, step{request: "POST /nodes/pve1/qemu/201/migrate", body: "online=1\ntarget=pve2\ntargetstorage=a%3Ab\nwith-local-disks=1"}},
		"clone a container": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.Clone(ctx, ct100, pve.CloneOptions{NewID: 101, Name: "web", Full: new(true)})
		}, step{request: "POST /nodes/pve1/lxc/100/clone", body: "full=1\nhostname=web\nnewid=101"}},
		"clone a VM": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.Clone(ctx, vm201, pve.CloneOptions{NewID: 202, Name: "web", Full: new(false), Pool: "p"})
		}, step{request: "POST /nodes/pve1/qemu/201/clone", body: "full=0\nname=web\nnewid=202\npool=p"}},
		"turn a VM into a template": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) { return c.Template(ctx, vm201) },
			step{request: "POST /nodes/pve1/qemu/201/template"}},
		"create a VM": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.CreateVM(ctx, "pve1", pve.Params{"vmid": "201", "sshkeys": "ssh-ed25519%20AAAA%2B"})
		}, step{request: "POST /nodes/pve1/qemu", body: "sshkeys=ssh-ed25519%2520AAAA%252B\nvmid=201"}},
		"change a VM as a task": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.ChangeVM(ctx, vm201, pve.ConfigChange{Delete: []string{"scsi1"}, Digest: "d"}, true)
		}, step{request: "POST /nodes/pve1/qemu/201/config", body: "delete=scsi1\ndigest=d\nforce=1"}},
		"reset":      {func(ctx context.Context, c *pve.Client) (pve.UPID, error) { return c.Reset(ctx, vm201) }, step{request: "POST /nodes/pve1/qemu/201/status/reset"}},
		"suspend":    {func(ctx context.Context, c *pve.Client) (pve.UPID, error) { return c.Suspend(ctx, vm201, true) }, step{request: "POST /nodes/pve1/qemu/201/status/suspend", body: "todisk=1"}},
		"resume":     {func(ctx context.Context, c *pve.Client) (pve.UPID, error) { return c.Resume(ctx, vm201) }, step{request: "POST /nodes/pve1/qemu/201/status/resume"}},
		"start a VM": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) { return c.StartVM(ctx, vm201, time.Minute) }, step{request: "POST /nodes/pve1/qemu/201/status/start", body: "timeout=60"}},
		"free a volume": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.DeleteVolume(ctx, "pve1", "local:100/vm-100-disk-0.raw")
		}, step{request: "DELETE /nodes/pve1/storage/local/content/local%3A100%2Fvm-100-disk-0.raw"}},
		"take a snapshot of a VM": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.CreateSnapshot(ctx, vm201, "before", "a & b", true)
		}, step{request: "POST /nodes/pve1/qemu/201/snapshot", body: "description=a%20%26%20b\nsnapname=before\nvmstate=1"}},
		"take a snapshot of a container, which has no memory to save": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.CreateSnapshot(ctx, ct100, "before", "", true)
		}, step{request: "POST /nodes/pve1/lxc/100/snapshot", body: "snapname=before"}},
		"delete a snapshot": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.DeleteSnapshot(ctx, ct100, "before")
		},
			step{request: "DELETE /nodes/pve1/lxc/100/snapshot/before"}},
		"roll back": {func(ctx context.Context, c *pve.Client) (pve.UPID, error) {
			return c.Rollback(ctx, ct100, "before", true)
		},
			step{request: "POST /nodes/pve1/lxc/100/snapshot/before/rollback", body: "start=1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.step.answer = started
			got, err := tc.call(t.Context(), newScript(t, tc.step).client(t))
			if err != nil || got != upid {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestWhatIsOnTheWireWithoutATask(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		call func(context.Context, *pve.Client) error
		step step
	}{
		"turn a container into a template": {func(ctx context.Context, c *pve.Client) error { _, err := c.Template(ctx, ct100); return err },
			step{request: "POST /nodes/pve1/lxc/100/template"}},
		"end a task": {func(ctx context.Context, c *pve.Client) error { return c.StopTask(ctx, upid) },
			step{request: "DELETE " + upidPath}},
		"write a cloud-init drive": {func(ctx context.Context, c *pve.Client) error { return c.RegenerateCloudInit(ctx, vm201) },
			step{request: "PUT /nodes/pve1/qemu/201/cloudinit"}},
		"unlink": {func(ctx context.Context, c *pve.Client) error { return c.Unlink(ctx, vm201, "unused0", true) },
			step{request: "PUT /nodes/pve1/qemu/201/unlink", body: "force=1\nidlist=unused0"}},
		"add to a pool": {func(ctx context.Context, c *pve.Client) error { return c.AddToPool(ctx, "p1", 100) },
			step{request: "PUT /pools", body: "allow-move=1\npoolid=p1\nvms=100"}},
		"remove from a pool": {func(ctx context.Context, c *pve.Client) error { return c.RemoveFromPool(ctx, "p1", 100) },
			step{request: "PUT /pools", body: "delete=1\npoolid=p1\nvms=100"}},
		"firewall options": {func(ctx context.Context, c *pve.Client) error {
			return c.SetFirewallOptions(ctx, ct100, pve.ConfigChange{Set: map[string]string{"enable": "1", "ipfilter": "1"}, Delete: []string{"dhcp"}, Digest: "ab12"})
		}, step{request: "PUT /nodes/pve1/lxc/100/firewall/options", body: "delete=dhcp\ndigest=ab12\nenable=1\nipfilter=1"}},
		"put a firewall rule first": {func(ctx context.Context, c *pve.Client) error {
			return c.CreateFirewallRule(ctx, ct100, map[string]string{"type": "in", "action": "ACCEPT", "enable": "0", "comment": "a b"})
		}, step{request: "POST /nodes/pve1/lxc/100/firewall/rules", body: "action=ACCEPT\ncomment=a%20b\nenable=0\ntype=in"}},
		"change a firewall rule": {func(ctx context.Context, c *pve.Client) error {
			return c.UpdateFirewallRule(ctx, ct100, 2, pve.ConfigChange{Set: map[string]string{"enable": "1"}, Delete: []string{"log"}, Digest: "ab12"})
		}, step{request: "PUT /nodes/pve1/lxc/100/firewall/rules/2", body: "delete=log\ndigest=ab12\nenable=1"}},
		"move a firewall rule": {func(ctx context.Context, c *pve.Client) error {
			return c.MoveFirewallRule(ctx, ct100, 0, 3, "ab12")
		}, step{request: "PUT /nodes/pve1/lxc/100/firewall/rules/0", body: "digest=ab12\nmoveto=3"}},
		"remove a firewall rule": {func(ctx context.Context, c *pve.Client) error {
			return c.DeleteFirewallRule(ctx, ct100, 3, "ab12")
		}, step{request: "DELETE /nodes/pve1/lxc/100/firewall/rules/3?digest=ab12"}},
		"make an IPSet": {func(ctx context.Context, c *pve.Client) error { return c.CreateIPSet(ctx, ct100, "ipfilter-net0") },
			step{request: "POST /nodes/pve1/lxc/100/firewall/ipset", body: "name=ipfilter-net0"}},
		"add to an IPSet": {func(ctx context.Context, c *pve.Client) error {
			return c.AddIPSetEntry(ctx, ct100, "ipfilter-net0", "192.0.2.0/24")
		},
			step{request: "POST /nodes/pve1/lxc/100/firewall/ipset/ipfilter-net0", body: "cidr=192.0.2.0%2F24"}},
		"take out of an IPSet": {func(ctx context.Context, c *pve.Client) error {
			return c.DeleteIPSetEntry(ctx, ct100, "ipfilter-net0", "192.0.2.0/24")
		},
			step{request: "DELETE /nodes/pve1/lxc/100/firewall/ipset/ipfilter-net0/192.0.2.0%2F24"}},
		"remove an IPSet": {func(ctx context.Context, c *pve.Client) error { return c.DeleteIPSet(ctx, ct100, "ipfilter-net0") },
			step{request: "DELETE /nodes/pve1/lxc/100/firewall/ipset/ipfilter-net0?force=1"}},
		"manage by HA": {func(ctx context.Context, c *pve.Client) error {
			return c.AddHAResource(ctx, ct100, pve.Params{"state": "started"})
		},
			step{request: "POST /cluster/ha/resources", body: "sid=ct%3A100\nstate=started"}},
		"change HA": {func(ctx context.Context, c *pve.Client) error {
			return c.UpdateHAResource(ctx, vm201, pve.ConfigChange{Set: map[string]string{"state": "stopped"}})
		}, step{request: "PUT /cluster/ha/resources/vm%3A201", body: "state=stopped"}},
		"leave HA": {func(ctx context.Context, c *pve.Client) error { return c.RemoveHAResource(ctx, vm201) },
			step{request: "DELETE /cluster/ha/resources/vm%3A201"}},
		"describe a snapshot": {func(ctx context.Context, c *pve.Client) error { return c.UpdateSnapshot(ctx, ct100, "s1", "x") },
			step{request: "PUT /nodes/pve1/lxc/100/snapshot/s1/config", body: "description=x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.step.answer = data("null")
			if err := tc.call(t.Context(), newScript(t, tc.step).client(t)); err != nil {
				t.Error(err)
			}
		})
	}
}
