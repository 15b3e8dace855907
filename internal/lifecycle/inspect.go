package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// Unseen says that a number is taken and that the guest under it cannot be
// read: neither its presence nor its absence is proved.
type Unseen struct {
	Guest guest.Ref
	Cause error
}

// Error names the guest and what the node said.
func (e *Unseen) Error() string {
	return fmt.Sprintf("the number %d is taken, but %s %d on node %s cannot be read: %s",
		e.Guest.VMID, e.Guest.Kind.Noun(), e.Guest.VMID, e.Guest.Node, e.Cause)
}

// Unwrap is what the node said.
func (e *Unseen) Unwrap() error { return e.Cause }

// Inspect gathers the facts of a guest. The configuration is read last, so that
// as little as possible lies between it and what follows. wanted are the sizes
// of the volumes that the next guest would get; nil if none comes.
//
// What only adds a reason to refuse and cannot be seen becomes a sentence in
// Blind; that the guest itself cannot be seen is an error, an *Unseen among
// others. Absence needs proof: the number is free in the whole cluster, or
// another guest has it.
func (l *Lifecycle) Inspect(ctx context.Context, ref guest.Ref, wanted map[string]bytesize.Size) (Facts, error) {
	f := Facts{Guest: ref}
	if err := l.locate(ctx, &f); err != nil {
		return f, err
	}
	l.tasks(ctx, &f)
	if !f.Present {
		return f, nil
	}
	l.archives(ctx, &f)
	if err := l.managed(ctx, &f); err != nil {
		return f, err
	}
	config, err := l.client.ConfigFull(ctx, f.Guest)
	if err != nil {
		return f, err
	}
	f.Config = config
	f.Entries = EntriesOf(f.Guest.Kind, f.Guest.VMID, config)
	l.sizes(ctx, &f, wanted)
	return f, nil
}

// locate finds the guest, also on a node that it was moved to.
func (l *Lifecycle) locate(ctx context.Context, f *Facts) error {
	config, err := l.client.Config(ctx, f.Guest)
	switch {
	case err == nil:
		f.Present, f.Config = true, config
		return nil
	case !errors.Is(err, pve.ErrNotFound) && !errors.Is(err, pve.ErrPermission):
		return err
	}
	taken, askErr := l.client.VMIDTaken(ctx, f.Guest.VMID)
	if askErr != nil {
		return errors.Join(err, askErr)
	}
	if !taken {
		return nil
	}
	other, listErr := l.listed(ctx, f.Guest.VMID)
	switch {
	case listErr != nil:
		return errors.Join(err, listErr)
	case other == nil || *other == f.Guest:
		return &Unseen{Guest: f.Guest, Cause: err}
	case other.Kind != f.Guest.Kind:
		f.Now = other
		return nil
	}
	f.Guest = *other
	if f.Config, err = l.client.Config(ctx, f.Guest); err != nil {
		return &Unseen{Guest: f.Guest, Cause: err}
	}
	f.Present = true
	return nil
}

// listed is the guest that has a number according to the cluster's overview,
// nil if there is no row: that proves nothing.
func (l *Lifecycle) listed(ctx context.Context, id guest.VMID) (*guest.Ref, error) {
	rows, err := l.client.Resources(ctx)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if ref, ok := row.Guest(); ok && ref.VMID == id {
			return &ref, nil
		}
	}
	return nil, nil
}

// managed reads whether the guest runs and whether HA or replication has it.
func (l *Lifecycle) managed(ctx context.Context, f *Facts) error {
	status, err := l.client.Status(ctx, f.Guest)
	if err != nil {
		return err
	}
	f.Running = status.Running()
	m := blocker.Managed{Guest: f.Guest}
	if status.HA.Managed {
		m.HA = "ct:" + f.Guest.VMID.String()
		if f.Guest.Kind == guest.QEMU {
			m.HA = "vm:" + f.Guest.VMID.String()
		}
	}
	jobs, err := l.client.Replications(ctx, f.Guest.VMID)
	if err != nil && !errors.Is(err, pve.ErrNotImplemented) {
		f.blind("whether replication jobs of the guest exist", err)
	}
	for _, job := range jobs {
		m.Jobs = append(m.Jobs, job.ID)
	}
	slices.Sort(m.Jobs)
	if m.HA != "" || len(m.Jobs) > 0 {
		f.Managed = &m
	}
	return nil
}

// sizes asks the storages for the real size of what the configuration leaves
// open.
func (l *Lifecycle) sizes(ctx context.Context, f *Facts, wanted map[string]bytesize.Size) {
	for _, e := range Unsure(f.Entries, wanted) {
		info, err := l.client.Volume(ctx, f.Guest.Node, e.ID.String())
		if err != nil || info.Size <= 0 {
			continue // the rule decides what a silent storage means
		}
		if f.Real == nil {
			f.Real = map[string]bytesize.Size{}
		}
		f.Real[e.Key] = bytesize.Size(info.Size)
	}
}

// Recognise is nil if a guest with these values is the one that a kept
// fingerprint belongs to. The task list is asked only if the values alone do
// not decide. The error is a *blocker.Stranger.
func (l *Lifecycle) Recognise(ctx context.Context, ref guest.Ref, values map[string]string, kept string) error {
	f := Facts{Guest: ref, Present: true, Config: pve.GuestConfig{Values: values}}
	if f.Recognise(kept) {
		return nil
	}
	if known, err := ParseFingerprint(kept); err == nil && known.Compare(f.Fingerprint()) == Undecided {
		f.Past, _ = l.client.Tasks(ctx, ref.Node, pve.TaskFilter{VMID: ref.VMID})
		if f.Recognise(kept) {
			return nil
		}
	}
	return &blocker.Stranger{Guest: ref, Known: kept, Found: f.Fingerprint().String()}
}

func (f *Facts) blind(what string, err error) {
	f.Blind = append(f.Blind, fmt.Sprintf("It could not be seen %s: %s.", what, err))
}
