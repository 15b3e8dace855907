package vm

import (
	"context"
	"fmt"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// send sends the keys of a change, with the digest of the configuration that it was
// worked out on. A change that makes volumes goes as a task: it may take longer than
// the 30 seconds after which a node's proxy gives up.
func (c *change) send(ctx context.Context, s *guests.Steps, digest string) error {
	for _, part := range c.parts(digest) {
		if c.allocates {
			if err := s.Wait(ctx, func() (pve.UPID, error) { return s.Data.Client.ChangeVM(ctx, s.Ref, part, false) }); err != nil {
				return err
			}
			continue
		}
		if err := s.Data.Client.UpdateConfig(ctx, s.Ref, part); err != nil {
			return err
		}
	}
	return nil
}

// DiskError says which disk could not be grown or moved.
type DiskError struct {
	Key, What string
	Err       error
}

// Error names the disk and what was to be done.
func (e *DiskError) Error() string {
	return fmt.Sprintf("%s could not be %s: %v", e.Key, e.What, e.Err)
}

// Unwrap is the reason.
func (e *DiskError) Unwrap() error { return e.Err }

// run moves a disk to another storage, online. The old copy stays as unusedN:
// nothing is erased by a move.
func (m move) run(ctx context.Context, s *guests.Steps) error {
	err := s.Wait(ctx, func() (pve.UPID, error) {
		return s.Data.Client.MoveVolume(ctx, s.Ref, pve.MoveOptions{Key: m.key, Storage: m.storage, Format: m.format, Delete: m.free})
	})
	if err != nil {
		return &DiskError{Key: m.key, What: "moved to storage " + m.storage, Err: err}
	}
	return nil
}

// run grows a disk to an absolute size, online. It does nothing when the disk has
// the size already, and refuses to make it smaller.
func (one resize) run(ctx context.Context, s *guests.Steps, config pve.GuestConfig) (grown bool, err error) {
	text := flatOf(config.Values)[spaceDisk+one.key+".size"]
	if stored, err := bytesize.ParseStored(text); err == nil && !stored.Bare {
		switch {
		case stored.Size == one.size:
			return false, nil
		case stored.Size > one.size:
			return false, &ShrinkError{Key: one.key, Has: stored.Size, Wanted: one.size}
		}
	}
	err = s.Wait(ctx, func() (pve.UPID, error) {
		return s.Data.Client.Resize(ctx, s.Ref, one.key, one.size.String(), "")
	})
	if err != nil {
		return false, &DiskError{Key: one.key, What: "grown to " + one.size.String(), Err: err}
	}
	return true, nil
}
