package blocker

import (
	"fmt"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// name is how sentences call a guest: "Container 5001".
func name(ref guest.Ref) string {
	return title(ref.Kind.Noun()) + " " + ref.VMID.String()
}

// Sentence says who has the number now.
func (b Gone) Sentence() string {
	if b.Now == nil {
		return fmt.Sprintf("%s is gone from the whole cluster: something else has destroyed it.", name(b.Guest))
	}
	return fmt.Sprintf("%s is not on node %s any more: the number %d now belongs to a %s on node %s.",
		name(b.Guest), b.Guest.Node, b.Guest.VMID, b.Now.Kind.Noun(), b.Now.Node)
}

// Help is to plan again: a refresh sees what is there now.
func (b Gone) Help() string { return "Plan again, so that the plan follows what is there now." }

// Sentence says that Proxmox refuses, too.
func (b Protected) Sentence() string {
	return fmt.Sprintf("%s has protection set.", name(b.Guest))
}

// Help is the two ways to clear protection.
func (b Protected) Help() string {
	return fmt.Sprintf("If it may go, set protection = false and apply that alone, or run on node %s: %s set %d --protection 0",
		b.Guest.Node, b.Guest.Kind.Command(), b.Guest.VMID)
}

// Sentence names the lock.
func (b Locked) Sentence() string {
	return fmt.Sprintf("%s is locked (%s): an operation holds it, or has died and left its lock.", name(b.Guest), b.Lock)
}

// Help is to wait, or to unlock what nobody holds any more.
func (b Locked) Help() string {
	return fmt.Sprintf("Wait for the operation to end. Only if no task of this guest is running, unlock it on node %s: %s unlock %d",
		b.Guest.Node, b.Guest.Kind.Command(), b.Guest.VMID)
}

// Sentence names the tasks.
func (b BackupOrRestoreRunning) Sentence() string {
	return fmt.Sprintf("A backup or restore of %s %d is running: %s.", b.Guest.Kind.Noun(), b.Guest.VMID, tasks(b.Tasks))
}

// Help is to wait.
func (b BackupOrRestoreRunning) Help() string { return "Wait for it to end and plan again." }

// Sentence names the archives.
func (b ProtectedRestorePoint) Sentence() string {
	return fmt.Sprintf("Somebody has protected a backup of %s %d, which says that its data still matters: %s.",
		b.Guest.Kind.Noun(), b.Guest.VMID, strings.Join(b.Archives, ", "))
}

// Help is the waiver, or clearing the protection of the archive.
func (b ProtectedRestorePoint) Help() string {
	first := strings.Join(b.Archives[:min(1, len(b.Archives))], "")
	storage, _, _ := strings.Cut(first, ":")
	return fmt.Sprintf("The backup itself stays. To go on, set waive_blockers = [%q], or clear the protection of each, for example on node %s: pvesh set /nodes/%s/storage/%s/content/%s --protected 0",
		KindProtectedRestorePoint, b.Guest.Node, b.Guest.Node, storage, first)
}

// Sentence gives both sizes in bytes and in GiB rounded up.
func (b RootfsWouldShrink) Sentence() string {
	return fmt.Sprintf("%s of %s %d would shrink from %s to %s.", b.Key, b.Guest.Kind.Noun(), b.Guest.VMID, both(b.Current), both(b.Wanted))
}

// Help is the smallest size that is allowed.
func (b RootfsWouldShrink) Help() string {
	return fmt.Sprintf("Set its size to %dG or more.", b.Current.GiBUp())
}

// Sentence quotes what cannot be read.
func (b SizeUnreadable) Sentence() string {
	if b.Text == "" {
		return fmt.Sprintf("The size of %s of %s %d cannot be told: its configuration has none and the storage does not say it.",
			b.Key, b.Guest.Kind.Noun(), b.Guest.VMID)
	}
	return fmt.Sprintf("The size of %s of %s %d cannot be told: its configuration says %q and the storage does not say it.",
		b.Key, b.Guest.Kind.Noun(), b.Guest.VMID, b.Text)
}

// Help is to let Proxmox read the size again.
func (b SizeUnreadable) Help() string {
	return fmt.Sprintf("Let Proxmox write the size again, on node %s: %s rescan --vmid %d", b.Guest.Node, b.Guest.Kind.Command(), b.Guest.VMID)
}

// Sentence quotes the entries.
func (b UnclassifiableVolume) Sentence() string {
	list := make([]string, len(b.Entries))
	for i, e := range b.Entries {
		list[i] = fmt.Sprintf("%s: %s", e.Key, e.Value)
	}
	return fmt.Sprintf("What would happen to some volumes of %s %d cannot be told, because their entries cannot be read: %s.",
		b.Guest.Kind.Noun(), b.Guest.VMID, strings.Join(list, "; "))
}

// Help is to repair the entries.
func (b UnclassifiableVolume) Help() string {
	return fmt.Sprintf("Repair or remove these entries of the guest's configuration, on node %s: %s config %d",
		b.Guest.Node, b.Guest.Kind.Command(), b.Guest.VMID)
}

// Sentence tells the record's story, the tasks, or both.
func (b ReplaceInFlight) Sentence() string {
	var parts []string
	if b.Record != nil {
		parts = append(parts, b.Record.Story())
	}
	if len(b.Tasks) > 0 {
		parts = append(parts, fmt.Sprintf("Another operation that creates or destroys %s %d is running: %s.",
			b.Guest.Kind.Noun(), b.Guest.VMID, tasks(b.Tasks)))
	}
	return strings.Join(parts, " ")
}

// Help is the token, or to wait.
func (b ReplaceInFlight) Help() string {
	if b.Record == nil {
		return "Wait for it to end and plan again."
	}
	return fmt.Sprintf("Look at the guest. Then close the record with acknowledge = [%q] on the provider, or forget the guest with terraform state rm.", b.Record.Token())
}

func tasks(list []Task) string {
	texts := make([]string, len(list))
	for i, t := range list {
		texts[i] = t.UPID
	}
	return strings.Join(texts, ", ")
}

func both(s bytesize.Size) string {
	return fmt.Sprintf("%d bytes (%d GiB)", s, s.GiBUp())
}
