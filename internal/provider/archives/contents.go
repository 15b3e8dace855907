package archives

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// Guest is a guest and its name, to be backed up.
type Guest struct {
	Ref  guest.Ref
	Name string
}

func (g Guest) String() string {
	if g.Name == "" {
		return fmt.Sprintf("%s %d", g.Ref.Kind.Noun(), g.Ref.VMID)
	}
	return fmt.Sprintf("%s %d (%s)", g.Ref.Kind.Noun(), g.Ref.VMID, g.Name)
}

// WarnOfContainers warns of each container whose archive will lack data that
// stands on volumes, and of each that could not be restored by a token. It
// reads one configuration a container; what cannot be read it says so.
func WarnOfContainers(ctx context.Context, data *meta.Data, at path.Path, guests []Guest) diag.Diagnostics {
	configs := make([]pve.GuestConfig, len(guests))
	failures := make([]error, len(guests))
	var wait sync.WaitGroup
	for i, g := range guests {
		wait.Go(func() { configs[i], failures[i] = data.Client.Config(ctx, g.Ref) })
	}
	wait.Wait()
	var found diag.Diagnostics
	for i, g := range guests {
		if failures[i] != nil {
			found.Append(diag.NewAttributeWarningDiagnostic(at, fmt.Sprintf("What a backup of %s holds is not known", g),
				fmt.Sprintf("Its configuration on node %s cannot be read: %v.", g.Ref.Node, failures[i])))
			continue
		}
		found.Append(leftOut(at, g, configs[i].Values)...)
		found.Append(deviceNodes(at, g, configs[i].Values)...)
	}
	return found
}

func leftOut(at path.Path, g Guest, config map[string]string) diag.Diagnostics {
	var lines, keys []string
	for _, c := range vzdump.LeftOut(vzdump.Contents(g.Ref.Kind, config)) {
		if c.Reason != vzdump.FlagOff && c.Reason != vzdump.Unreadable {
			continue // a bind mount is never in, and nobody expects it
		}
		lines = append(lines, fmt.Sprintf("  %s at %s: %s (%s)", c.Key, c.Path, c.Source, c.Reason))
		keys = append(keys, c.Key)
	}
	if len(lines) == 0 {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(at,
		fmt.Sprintf("The archives of %s will not hold %s", g, strings.Join(keys, ", ")),
		"A mount point of a container is only backed up when its backup flag is set. The data on these volumes is lost when the container is restored:\n"+
			strings.Join(lines, "\n")+"\n\nSet backup = true on the mount points whose data matters.")}
}

// deviceNodes warns of a container that can be backed up and not be restored:
// an unprivileged one cannot make the device nodes that its archive may hold.
func deviceNodes(at path.Path, g Guest, config map[string]string) diag.Diagnostics {
	if g.Ref.Kind != guest.LXC || config["unprivileged"] != "1" {
		return nil
	}
	for _, flag := range strings.Split(config["features"], ",") {
		if flag != "mknod=1" {
			continue
		}
		return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(at, fmt.Sprintf("An archive of %s may not be restorable", g),
			"It is unprivileged and may make device nodes (feature mknod). Backing up device nodes works, and restoring them into an unprivileged container fails.\n\n"+
				"Try a restore before you need one, or remove the feature.")}
	}
	return nil
}
