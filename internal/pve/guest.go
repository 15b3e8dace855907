package pve

import (
	"context"
	"strconv"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// GuestStatus is the state of a guest now, from its own node.
type GuestStatus struct {
	VMID     Int    `json:"vmid"`
	Name     string `json:"name"`   // "CT<vmid>" or "VM <vmid>" when there is none
	Status   string `json:"status"` // running or stopped
	QMP      string `json:"qmpstatus"`
	Lock     string `json:"lock"`
	Template Bool   `json:"template"`
	Agent    Bool   `json:"agent"`   // configured; says nothing of whether it answers
	Uptime   Int    `json:"uptime"`  // seconds
	MaxDisk  Int    `json:"maxdisk"` // bytes
	MaxMem   Int    `json:"maxmem"`  // bytes
	HA       struct {
		Managed Bool   `json:"managed"`
		State   string `json:"state"`
	} `json:"ha"`
}

// Running reports whether the guest runs. A VM that is stopped runs for the time
// of its backup; its QMP state is prelaunch then.
func (s GuestStatus) Running() bool { return s.Status == "running" }

// Status asks the guest's node for its state now. Needs VM.Audit.
func (c *Client) Status(ctx context.Context, ref guest.Ref) (GuestStatus, error) {
	return call[GuestStatus](ctx, c, get(nil, guestPath(ref, "status", "current")...))
}

// Start starts a guest; needs VM.PowerMgmt. A guest that HA manages is started
// later than its task ends.
func (c *Client) Start(ctx context.Context, ref guest.Ref) (UPID, error) {
	return task(ctx, c, post(nil, guestPath(ref, "status", "start")...))
}

// Stop cuts the power; needs VM.PowerMgmt. Shutdown tasks of the same guest that
// still run are ended first. Stopping a container that is stopped is ErrNotRunning,
// a VM that is stopped a task that ends well.
func (c *Client) Stop(ctx context.Context, ref guest.Ref) (UPID, error) {
	return task(ctx, c, post(Params{"overrule-shutdown": "1"}, guestPath(ref, "status", "stop")...))
}

// Shutdown asks a guest to shut itself down within limit, in whole seconds; needs
// VM.PowerMgmt. With force the power is cut after that, without it the task fails.
func (c *Client) Shutdown(ctx context.Context, ref guest.Ref, limit time.Duration, force bool) (UPID, error) {
	p := Params{"timeout": seconds(limit)}
	if force {
		p["forceStop"] = "1"
	}
	return task(ctx, c, post(p, guestPath(ref, "status", "shutdown")...))
}

// Reboot shuts a guest down within limit and starts it again, which applies what is
// pending; needs VM.PowerMgmt. For a VM the task ends when the VM is down: a second
// one, of root@pam, starts it.
func (c *Client) Reboot(ctx context.Context, ref guest.Ref, limit time.Duration) (UPID, error) {
	return task(ctx, c, post(Params{"timeout": seconds(limit)}, guestPath(ref, "status", "reboot")...))
}

// seconds rounds up: a limit of less than a second is one, not none.
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}

// DestroyOptions is what goes with a guest beside its own volumes, firewall rules,
// access rules and pool membership, which always go.
// Volumes that no option names are never asked for: destroy-unreferenced-disks
// finds them by the number in their names alone.
type DestroyOptions struct {
	// Purge removes the guest from backup jobs, replication and HA too. Without it
	// a guest that HA manages is not destroyed.
	Purge bool
	// Force stops a running container first. There is no such thing for a VM.
	Force bool
}

// Destroy removes a guest and every volume that it owns; needs VM.Allocate.
// ErrProtected, ErrLocked and ErrRunning come at once, before the task.
func (c *Client) Destroy(ctx context.Context, ref guest.Ref, o DestroyOptions) (UPID, error) {
	// A VM's default is explicit 0, a container's is not: it is said for both.
	p := Params{"destroy-unreferenced-disks": "0"}
	if o.Purge {
		p["purge"] = "1"
	}
	if o.Force && ref.Kind == guest.LXC {
		p["force"] = "1"
	}
	return task(ctx, c, del(p, guestPath(ref)...))
}

// Resize grows a volume to a size such as "20G"; needs VM.Config.Disk and
// Datastore.AllocateSpace. Sizes with a plus are relative and never used here. A
// container is refused at once with ErrShrink or ErrSameSize, a VM in its task; the
// same size is no error for a VM.
func (c *Client) Resize(ctx context.Context, ref guest.Ref, key, size, digest string) (UPID, error) {
	p := Params{"disk": key, "size": size}
	if digest != "" {
		p["digest"] = digest
	}
	return task(ctx, c, put(p, guestPath(ref, "resize")...))
}

// MoveOptions is how a volume is moved to another storage.
type MoveOptions struct {
	Key     string // rootfs, mp0, scsi0, …
	Storage string
	Delete  bool   // free the old volume; otherwise it becomes unusedN
	Format  string // VMs only
	Digest  string
}

// MoveVolume copies a volume to another storage. A container must be stopped; a VM
// may run. Needs VM.Config.Disk and Datastore.AllocateSpace.
func (c *Client) MoveVolume(ctx context.Context, ref guest.Ref, o MoveOptions) (UPID, error) {
	p := Params{"storage": o.Storage}
	verb, name := "move_volume", "volume"
	if ref.Kind == guest.QEMU {
		verb, name = "move_disk", "disk"
		if o.Format != "" {
			p["format"] = o.Format
		}
	}
	p[name] = o.Key
	if o.Delete {
		p["delete"] = "1"
	}
	if o.Digest != "" {
		p["digest"] = o.Digest
	}
	return task(ctx, c, post(p, guestPath(ref, verb)...))
}

// MigrateOptions is how a guest is moved to another node.
type MigrateOptions struct {
	Target         string
	Running        bool   // the guest runs: a VM is moved live, a container is restarted
	WithLocalDisks bool   // VMs only
	TargetStorage  string // a storage, or pairs a:b,c:d
}

// Migrate moves a guest to another node; needs VM.Migrate.
func (c *Client) Migrate(ctx context.Context, ref guest.Ref, o MigrateOptions) (UPID, error) {
	p := Params{"target": o.Target}
	storage := "target-storage"
	if ref.Kind == guest.QEMU {
		storage = "targetstorage"
		if o.WithLocalDisks {
			p["with-local-disks"] = "1"
		}
	}
	if o.Running {
		// A container cannot move live: its task always fails with online=1.
		// Source: PVE::LXC::Migrate prepare.
		p[map[guest.Kind]string{guest.LXC: "restart", guest.QEMU: "online"}[ref.Kind]] = "1"
	}
	if o.TargetStorage != "" {
		p[storage] = o.TargetStorage
	}
	return task(ctx, c, post(p, guestPath(ref, "migrate")...))
}

// Feature reports whether all volumes of a guest can do "snapshot", "clone" (linked)
// or "copy" (a full clone); snapshot may be empty. Needs VM.Audit.
func (c *Client) Feature(ctx context.Context, ref guest.Ref, feature, snapshot string) (bool, error) {
	p := Params{"feature": feature}
	if snapshot != "" {
		p["snapname"] = snapshot
	}
	reply, err := call[struct {
		Has Bool `json:"hasFeature"`
	}](ctx, c, get(p, guestPath(ref, "feature")...))
	return bool(reply.Has), err
}

// Template turns a guest into a template. A container's task is not told; its
// configuration says template=1 when it is done, and the UPID is empty.
// Source: PVE::API2::LXC template returns nothing.
func (c *Client) Template(ctx context.Context, ref guest.Ref) (UPID, error) {
	r := post(nil, guestPath(ref, "template")...)
	if ref.Kind == guest.LXC {
		return "", send(ctx, c, r)
	}
	return task(ctx, c, r)
}

// CloneOptions is what a clone gets that its source does not have.
type CloneOptions struct {
	NewID       guest.VMID
	Name        string
	Description string
	Pool        string
	Snapshot    string
	Full        *bool  // nil: linked from a template, full otherwise
	Storage     string // full clones only
	Format      string // full clones of VMs only
	Target      string // another node; shared storage only
}

// Clone copies a guest. The id in the task is that of the source. Needs VM.Clone on
// the source and VM.Allocate on the new number or the pool.
func (c *Client) Clone(ctx context.Context, source guest.Ref, o CloneOptions) (UPID, error) {
	p := Params{"newid": o.NewID.String()}
	name := "name"
	if source.Kind == guest.LXC {
		name = "hostname"
	}
	for key, value := range map[string]string{
		name: o.Name, "description": o.Description, "pool": o.Pool, "snapname": o.Snapshot,
		"storage": o.Storage, "format": o.Format, "target": o.Target,
	} {
		if value != "" {
			p[key] = value
		}
	}
	if o.Full != nil {
		p["full"] = flag(*o.Full)
	}
	return task(ctx, c, post(p, guestPath(source, "clone")...))
}
