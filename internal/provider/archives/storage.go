// Package archives holds what the resources and actions about backups share:
// whether a storage can take what they write, how a task's log is followed,
// what a vzdump's log says, and which archives exist.
//
// It brings facts of the cluster to the rules of internal/vzdump. It knows no
// schema: paths are handed in.
package archives

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// Use is what a storage is to be used for.
type Use struct {
	Storage string
	Nodes   []string // the nodes in question; none: every node that is online
	Content string   // the content type that is needed
	For     string   // completes "is to hold …", for example "the archives of policy nightly"
}

// CheckStorage refuses a storage that does not exist, is not enabled, is not
// reachable now, or does not take the content. It asks the listing that the
// whole process shares and, only for a storage that is not in it, the node.
func CheckStorage(ctx context.Context, data *meta.Data, at path.Path, use Use) diag.Diagnostics {
	rows, err := data.Guests.All(ctx)
	if err != nil {
		return diag.Diagnostics{diags.FailedAt(at, fmt.Sprintf("Storage %s could not be checked", use.Storage), err, diags.Nothing)}
	}
	nodes := use.Nodes
	if len(nodes) == 0 {
		nodes = onlineNodes(rows)
	}
	var found diag.Diagnostics
	for _, node := range nodes {
		i := slices.IndexFunc(rows, func(r pve.Resource) bool {
			return r.Type == "storage" && r.Storage == use.Storage && r.Node == node
		})
		if i < 0 {
			found.Append(unlisted(ctx, data, at, use, node)...)
		} else {
			found.Append(judge(at, use, rows[i])...)
		}
		if found.HasError() {
			return found // one node is enough to say why
		}
	}
	return found
}

func onlineNodes(rows []pve.Resource) []string {
	var nodes []string
	for _, r := range rows {
		if r.Type == "node" && r.Status == "online" {
			nodes = append(nodes, r.Node)
		}
	}
	slices.Sort(nodes)
	return nodes
}

func judge(at path.Path, use Use, row pve.Resource) diag.Diagnostics {
	switch {
	case row.Status != "available":
		return refusal(at, fmt.Sprintf("Storage %s is not reachable from node %s", use.Storage, row.Node),
			fmt.Sprintf("It is to hold %s, and the cluster reports its state on node %s as %q. %s", use.For, row.Node, row.Status, diags.Nothing),
			"Bring the storage back, then plan again.")
	case !slices.Contains(row.ContentTypes(), use.Content):
		return wrongContent(at, use, row.ContentTypes())
	}
	return nil
}

func wrongContent(at path.Path, use Use, has []string) diag.Diagnostics {
	return refusal(at, fmt.Sprintf("Storage %s does not take content %s", use.Storage, use.Content),
		fmt.Sprintf("It is to hold %s, and it is set to %s. %s", use.For, strings.Join(has, ", "), diags.Nothing),
		fmt.Sprintf("Choose another storage, or let it take %s in the cluster (Datacenter, Storage).", use.Content))
}

// unlisted asks the node about a storage that the listing does not show: it may
// not exist, be disabled or meant for other nodes, or be hidden from us.
func unlisted(ctx context.Context, data *meta.Data, at path.Path, use Use, node string) diag.Diagnostics {
	status, err := data.Client.Storage(ctx, node, use.Storage)
	switch {
	case errors.Is(err, pve.ErrNoSuch):
		return refusal(at, fmt.Sprintf("There is no storage %s", use.Storage),
			fmt.Sprintf("It is to hold %s. %s", use.For, diags.Nothing), "Check the name of the storage.")
	case errors.Is(err, pve.ErrPermission):
		return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(at, fmt.Sprintf("Storage %s cannot be seen", use.Storage),
			fmt.Sprintf("It is to hold %s. Whether it exists, is reachable and takes content %s is not known.\n\nGive the user Datastore.Audit on /storage/%s.", use.For, use.Content, use.Storage))}
	case err != nil:
		return diag.Diagnostics{diags.FailedAt(at, fmt.Sprintf("Storage %s could not be checked", use.Storage), err, diags.Nothing)}
	case !bool(status.Enabled):
		return refusal(at, fmt.Sprintf("Storage %s is not available on node %s", use.Storage, node),
			fmt.Sprintf("It is to hold %s, and it is disabled or meant for other nodes. %s", use.For, diags.Nothing), "Enable it for this node, or choose another storage.")
	case !bool(status.Active):
		return refusal(at, fmt.Sprintf("Storage %s is not reachable from node %s", use.Storage, node),
			fmt.Sprintf("It is to hold %s. %s", use.For, diags.Nothing), "Bring the storage back, then plan again.")
	case !status.Allows(use.Content):
		return wrongContent(at, use, status.ContentTypes())
	}
	return nil
}

func refusal(at path.Path, summary, why, remedy string) diag.Diagnostics {
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(at, summary, why+"\n\n"+remedy)}
}
