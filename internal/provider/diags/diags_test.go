package diags_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

const upid = "UPID:pve1:0000C350:0001E240:6AC1B2D3:vzcreate:5001:root@pam!tf:"

func TestFailedSaysWhyAndWhatHelps(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err  error
		want string
	}{
		"a privilege": {
			&pve.PermissionError{Path: "/vms/5001", Privilege: "VM.Audit|VM.Backup"},
			"The privilege VM.Audit or VM.Backup is missing on /vms/5001. Nothing has been changed.\n\n" +
				"Give it to the user and, with privilege separation, to the token as well: pveum acl modify /vms/5001 --tokens USER@REALM!NAME --roles ROLE.\n\n" +
				"The error was: the privilege VM.Audit or VM.Backup on /vms/5001 is missing",
		},
		"for root@pam alone": {
			&pve.PermissionError{RootOnly: true},
			"Proxmox lets only root@pam do this, and an API token is never root@pam. Nothing has been changed.\n\n" +
				"Use username and password of root@pam in the provider block, or leave the attribute out.\n\n" +
				"The error was: only root@pam may do this, and no API token",
		},
		"a lock": {
			&pve.LockedError{Lock: "backup"},
			"The guest is locked (backup): an operation is running on it, or one broke off and left the lock behind. Nothing has been changed.\n\n" +
				"Wait for the operation to end. If none is running, look into what happened and remove the lock on the node with pct unlock VMID (qm unlock VMID for a VM).\n\n" +
				"The error was: the guest is locked (backup)",
		},
		"a node that is down": {
			fmt.Errorf("no route: %w", pve.ErrUnreachable),
			"The node could not be reached; this says nothing about the guest. Nothing has been changed.\n\n" +
				"Check the endpoint and the network, or name the other nodes of the cluster in endpoints.\n\n" +
				"The error was: no route: the node could not be reached",
		},
		"an error that nobody knows": {errors.New("the disk is on fire"), "Nothing has been changed.\n\nThe error was: the disk is on fire"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := diags.Failed("Container 5001 could not be changed", tc.err, diags.Nothing)
			if d.Summary() != "Container 5001 could not be changed" || d.Detail() != tc.want {
				t.Errorf("got\n%s\nwant\n%s", d.Detail(), tc.want)
			}
		})
	}
}

func TestFailedShowsTheLogOfATask(t *testing.T) {
	t.Parallel()
	d := diags.Failed("x", &pve.TaskError{UPID: upid, Exit: "unable to create CT 5001 - no space left", Log: []string{"extracting archive", "TASK ERROR: no space left"}}, "")
	const want = "The task " + upid + " ended with: unable to create CT 5001 - no space left.\n\n" +
		"The last lines of its log:\n  extracting archive\n  TASK ERROR: no space left"
	if got := d.Detail(); len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFailedAtPointsAtTheAttribute(t *testing.T) {
	t.Parallel()
	d, ok := diags.FailedAt(path.Root("pool"), "x", errors.New("y"), "").(diag.DiagnosticWithPath)
	if !ok || !d.Path().Equal(path.Root("pool")) || d.Detail() != "The error was: y" {
		t.Errorf("%v", d)
	}
}
