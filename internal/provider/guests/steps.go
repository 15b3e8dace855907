package guests

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// ShutdownLimit is how long a guest may take to shut down before its power is cut.
const ShutdownLimit = 3 * time.Minute

// Steps are the calls on one guest that every resource makes in the same way. Each
// waits for its task and shows its warnings.
type Steps struct {
	Data *meta.Data
	Ref  guest.Ref
	// Diags takes the warnings of tasks.
	Diags *diag.Diagnostics
	// Did completes "VM 100 was … with a warning".
	Did string
	// Unfinished is a task that runs on, or that died without cleaning up.
	Unfinished pve.UPID
}

func (s *Steps) title() string { return Title(s.Ref.Kind, s.Ref.VMID) }

// Wait starts a task and follows it to its end.
func (s *Steps) Wait(ctx context.Context, start func() (pve.UPID, error)) error {
	task, err := start()
	if err != nil {
		return err
	}
	return s.Follow(ctx, task)
}

// Follow waits for a task.
func (s *Steps) Follow(ctx context.Context, task pve.UPID) error {
	result, err := s.Data.Client.Wait(ctx, task)
	if lifecycle.Unfinished(err) {
		s.Unfinished = task
	}
	s.Warn(result.Warnings)
	return err
}

// Warn shows the warnings of a task.
func (s *Steps) Warn(warnings []string) {
	for _, text := range warnings {
		s.Diags.AddWarning(fmt.Sprintf("%s was %s with a warning", s.title(), s.Did), "The task is done and says: "+text)
	}
}

// Start starts the guest. One that runs already is what is wanted.
func (s *Steps) Start(ctx context.Context) (pve.UPID, error) {
	task, err := s.Data.Client.Start(ctx, s.Ref)
	if err == nil {
		err = s.Follow(ctx, task)
	}
	if err != nil && !errors.Is(err, pve.ErrRunning) {
		return task, err
	}
	if err := s.settle(ctx, task, true); err != nil {
		return task, err
	}
	s.note(true)
	return task, nil
}

// Stop shuts the guest down, and cuts its power after a while. One that is stopped
// already is what is wanted.
func (s *Steps) Stop(ctx context.Context) error {
	task, err := s.Data.Client.Shutdown(ctx, s.Ref, ShutdownLimit, true)
	if err == nil {
		err = s.Follow(ctx, task)
	}
	if err != nil && !errors.Is(err, pve.ErrNotRunning) {
		return err
	}
	if err := s.settle(ctx, task, false); err != nil {
		return err
	}
	s.note(false)
	return nil
}

// Restart stops the guest and starts it again, which applies what is pending. It
// does not use the reboot of Proxmox: for a VM that one ends before the VM is up.
func (s *Steps) Restart(ctx context.Context) error {
	if err := s.Stop(ctx); err != nil {
		return err
	}
	_, err := s.Start(ctx)
	return err
}

// The task of a guest that HA manages ends when the request is queued; the manager
// acts later. These are the pauses between two looks.
const (
	firstLook   = 200 * time.Millisecond
	longestLook = 3 * time.Second
)

// settle waits until a guest that HA manages is in the state that was asked for.
// Source: PVE::API2::Qemu vm_start, vm_stop, PVE::API2::LXC::Status.
func (s *Steps) settle(ctx context.Context, task pve.UPID, running bool) error {
	if kind := task.Type(); kind != "hastart" && kind != "hastop" {
		return nil
	}
	for pause := firstLook; ; pause = min(2*pause, longestLook) {
		status, err := s.Data.Client.Status(ctx, s.Ref)
		if err != nil {
			return err
		}
		if status.Running() == running {
			return nil
		}
		if !Pause(ctx, pause) {
			return fmt.Errorf("HA has not brought it to the wanted state (HA state %s): %w", status.HA.State, context.Cause(ctx))
		}
	}
}

// Power brings the guest to the wanted state, and does nothing if it is in it.
func (s *Steps) Power(ctx context.Context, running bool) diag.Diagnostics {
	status, err := s.Data.Client.Status(ctx, s.Ref)
	switch {
	case err != nil:
		return diag.Diagnostics{Unreadable(s.Ref, err)}
	case status.Running() == running:
		s.note(running)
		return nil
	case running:
		if _, err := s.Start(ctx); err != nil {
			return diag.Diagnostics{diags.FailedAt(path.Root("started"), s.title()+" did not start", err, "It is stopped.")}
		}
		return nil
	}
	if err := s.Stop(ctx); err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("started"), s.title()+" could not be shut down", err, "")}
	}
	return nil
}

func (s *Steps) note(running bool) {
	status := "stopped"
	if running {
		status = "running"
	}
	s.Data.Guests.Note(s.Ref.VMID, meta.Note{Node: s.Ref.Node, Status: status})
}

// Migrate moves the guest to another node: a VM live while it runs, with its local
// disks; a container with a restart.
func (s *Steps) Migrate(ctx context.Context, target string) diag.Diagnostics {
	summary := fmt.Sprintf("%s could not be migrated from node %s to %s", s.title(), s.Ref.Node, target)
	status, err := s.Data.Client.Status(ctx, s.Ref)
	if err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("node"), summary, err, diags.Nothing)}
	}
	if err := s.Wait(ctx, func() (pve.UPID, error) {
		return s.Data.Client.Migrate(ctx, s.Ref, pve.MigrateOptions{Target: target, Running: status.Running(), WithLocalDisks: status.Running() && s.Ref.Kind == guest.QEMU})
	}); err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("node"), summary, err, "")}
	}
	s.Ref.Node = target
	s.Data.Guests.Note(s.Ref.VMID, meta.Note{Node: target})
	return nil
}
