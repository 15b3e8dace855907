package pve_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// kinds are all sentinels, by name.
var kinds = map[string]error{
	"NotFound": pve.ErrNotFound, "NoSuch": pve.ErrNoSuch, "NoSuchTask": pve.ErrNoSuchTask, "Exists": pve.ErrExists,
	"Locked": pve.ErrLocked, "LockTimeout": pve.ErrLockTimeout, "Protected": pve.ErrProtected,
	"Permission": pve.ErrPermission, "Unauthorized": pve.ErrUnauthorized, "Digest": pve.ErrDigest,
	"Params": pve.ErrParams, "Running": pve.ErrRunning, "NotRunning": pve.ErrNotRunning, "NoAgent": pve.ErrNoAgent,
	"Shrink": pve.ErrShrink, "SameSize": pve.ErrSameSize, "InUse": pve.ErrInUse, "NoQuorum": pve.ErrNoQuorum,
	"NotImplemented": pve.ErrNotImplemented, "Unreachable": pve.ErrUnreachable, "Untrusted": pve.ErrUntrusted,
	"Ambiguous": pve.ErrAmbiguous, "Protocol": pve.ErrProtocol,
}

// kindsOf are the names of the sentinels that an error matches, sorted.
func kindsOf(err error) string {
	var names []string
	for name, kind := range kinds {
		if errors.Is(err, kind) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// The status line and the parameters are recorded from Proxmox VE 9.2.
func TestKindsOfRecordedErrors(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"500 CT 100 already exists on node 'pve1'":                                                  "Exists",
		"500 unable to create VM 200 - VM 200 already exists on node 'pve1'":                        "Exists",
		"500 unable to create VM 211: config file already exists":                                   "Exists",
		"500 create pool failed: pool 'p1' already exists":                                          "Exists",
		"500 Job 'job1' already exists":                                                             "Exists",
		"500 create storage failed: storage ID 's2' already defined":                                "Exists",
		"500 Configuration file 'nodes/pve1/lxc/4711.conf' does not exist":                          "NotFound",
		"500 Configuration file 'nodes/pve1/qemu-server/4711.conf' does not exist":                  "NotFound",
		"500 storage 'nosuch' does not exist":                                                       "NoSuch",
		"500 pool 'p1' does not exist":                                                              "NoSuch",
		"500 delete pool failed: pool 'p1' does not exist":                                          "NoSuch",
		"500 snapshot 'nosuch' does not exist":                                                      "NoSuch",
		"500 no such vzdump job":                                                                    "NoSuch",
		"500 no such resource 'ct:130'":                                                             "NoSuch",
		"500 no such cluster node 'nosuch'":                                                         "NoSuch",
		"500 hostname lookup 'nosuchnode' failed - failed to get address info for: nosuchnode: Tem": "NoSuch",
		"500 volume 'local:201/vm-201-disk-99.raw' does not exist":                                  "NoSuch",
		"500 CT is locked (backup)":                                                                 "Locked",
		"500 VM is locked (migrate)":                                                                "Locked",
		"500 can't lock file '/run/lock/lxc/pve-config-100.lock' - got timeout":                     "LockTimeout",
		"500 cfs-lock 'storage-nfs' error: got lock request timeout":                                "LockTimeout",
		"500 'storage-nfs'-locked command timed out - aborting":                                     "LockTimeout",
		"500 can't remove CT 101 - protection mode enabled":                                         "Protected",
		"500 unable to restore CT 120 - protection mode enabled":                                    "Protected",
		"500 detected modified configuration - file changed by other user? Try again.":              "Digest",
		"500 checksum mismatch (file change by other user?)":                                        "Digest",
		"500 unable to destroy CT 101 - container is running":                                       "Running",
		"500 VM 200 is running - destroy failed":                                                    "Running",
		"500 CT 101 already running":                                                                "Running",
		"500 CT 100 not running":                                                                    "NotRunning",
		"500 VM 200 is not running":                                                                 "NotRunning",
		"500 QEMU guest agent is not running":                                                       "NoAgent",
		"500 No QEMU guest agent configured":                                                        "NoAgent",
		"500 unable to shrink disk size":                                                            "Shrink",
		"500 disk is already at specified size":                                                     "SameSize",
		"500 only root can set 'args' config":                                                       "Permission",
		"500 only root can set 'hostpci0' config for non-mapped devices":                            "Permission",
		"500 Only root can pass arbitrary filesystem paths. at /usr/share/perl5/PVE/Storage.pm lin": "Permission",
		"500 cluster not ready - no quorum?":                                                        "NoQuorum",
		"403 Permission check failed (/vms/101, VM.Audit)":                                          "Permission",
		"403 Permission check failed":                                                               "Permission",
		"403 Permission check failed (pool 'nosuchpool' does not exist)":                            "NoSuch Permission",
		"403 Permission check failed (mount point type bind is only allowed for root@pam)":          "Permission",
		"401 No ticket":              "Unauthorized",
		"401 Authentication failed!": "Unauthorized",
		"501 Method 'GET /nodes/pve1/nosuchpath' not implemented": "NotImplemented",
		"595 No route to host":                           "Unreachable",
		"596 Connection timed out":                       "Ambiguous",
		"500 no options specified":                       "",
		"500 bridge 'vmbr77' does not exist":             "",
		"500 can't overwrite running container":          "",
		"500 unable to delete required option 'memory'":  "",
		"500 parameter 'storage' not allowed for linked": "",
	} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, step{request: "POST /nodes/pve1/lxc/100/status/start", answer: answer + "\n"})
			_, err := s.client(t, single).Start(t.Context(), ct100)
			if err == nil {
				t.Fatal("no error")
			}
			if got := kindsOf(err); got != want {
				t.Errorf("kinds are %q, want %q: %v", got, want, err)
			}
		})
	}
}

// single has no lock time-out repeated: the clock ends the wait for it.
func single(o *pve.Options) { o.Clock = noPatience{newClock()} }

type noPatience struct{ *fakeClock }

func (noPatience) Sleep(context.Context, time.Duration) error { return errors.New("no patience") }

func TestKindsOfRecordedParameterErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		params map[string]string
		want   string
	}{
		"a number that is taken":       {map[string]string{"vmid": "VM 110 already exists"}, "Exists Params"},
		"a task that is forgotten":     {map[string]string{"upid": "no such task"}, "NoSuchTask Params"},
		"a job that is missing":        {map[string]string{"id": "No such job 'nosuch'"}, "NoSuch Params"},
		"a storage that is missing":    {map[string]string{"storage": "No such storage."}, "NoSuch Params"},
		"an option of root":            {map[string]string{"skiplock": "Only root may use this option."}, "Params Permission"},
		"an ordinary complaint":        {map[string]string{"memory": "value must have a minimum value of 16"}, "Params"},
		"an unknown option to delete":  {map[string]string{"delete": "unknown option 'foo'"}, "Params"},
		"a complaint with a line feed": {map[string]string{"net0": "invalid format - format error\nnet0.name: property is missing and it is not optional\n"}, "Params"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, err := json.Marshal(map[string]any{"data": nil, "errors": tc.params, "message": "Parameter verification failed.\n"})
			if err != nil {
				t.Fatal(err)
			}
			s := newScript(t, step{request: "GET /version", answer: "400 Parameter verification failed.\n" + string(body)})
			_, err = s.client(t).Version(t.Context())
			if got := kindsOf(err); got != tc.want {
				t.Errorf("kinds are %q, want %q: %v", got, tc.want, err)
			}
			refused, ok := errors.AsType[*pve.Error](err)
			if !ok || refused.Status != 400 || len(refused.Params) != len(tc.params) {
				t.Errorf("got %#v", err)
			}
		})
	}
}

// Recorded in 33: the status is 500, the message has the parameters, errors is absent.
func TestParametersInsideAMessage(t *testing.T) {
	t.Parallel()
	s := newScript(t, step{request: "GET /version", answer: "500 400 Parameter verification failed.\n" +
		`{"data":null,"message":"400 Parameter verification failed.\nid: No such job 'nosuch'\n"}`})
	_, err := s.client(t).Version(t.Context())
	const want = "GET /version: 500 Parameter verification failed.; id: No such job 'nosuch'"
	if err == nil || err.Error() != want || kindsOf(err) != "NoSuch Params" {
		t.Errorf("got %v (%s), want %s", err, kindsOf(err), want)
	}
}

func TestFactsInErrors(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]error{
		"500 CT 100 already exists on node 'pve2'": &pve.ExistsError{VMID: 100, Kind: guest.LXC, Node: "pve2"},
		"500 unable to restore VM 200 - VM 200 already exists on node 'pve1'": &pve.ExistsError{
			VMID: 200, Kind: guest.QEMU, Node: "pve1"},
		"500 Configuration file 'nodes/pve1/qemu-server/4711.conf' does not exist": &pve.NotFoundError{
			Guest: guest.Ref{Node: "pve1", Kind: guest.QEMU, VMID: 4711}},
		"500 unable to find configuration file for VM 9 on node 'pve1'": &pve.NotFoundError{
			Guest: guest.Ref{Node: "pve1", Kind: guest.QEMU}},
		"500 unable to create VM 211: config file already exists": &pve.ExistsError{VMID: 211},
		"500 VM 110 already exists":                               &pve.ExistsError{VMID: 110},
		"500 CT is locked (snapshot-delete)":                      &pve.LockedError{Lock: "snapshot-delete"},
		"403 Permission check failed (/vms/101, VM.Audit)":        &pve.PermissionError{Path: "/vms/101", Privilege: "VM.Audit"},
		"403 Permission check failed (/, Sys.Modify)":             &pve.PermissionError{Path: "/", Privilege: "Sys.Modify"},
		"403 Permission check failed (/vms/1, VM.A|VM.B)":         &pve.PermissionError{Path: "/vms/1", Privilege: "VM.A|VM.B"},
		"403 Permission check failed (configuring device passthrough is only allowed for root@pam)": &pve.PermissionError{
			RootOnly: true},
		"500 storage 's9' does not exist": &pve.NoSuchError{What: "storage", Name: "s9"},
		"500 can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout": &pve.LockTimeoutError{
			File: "/var/lock/qemu-server/lock-100.conf", Guest: true},
		"500 can't lock file '/var/lock/pve-manager/pve-storage-local' - got timeout": &pve.LockTimeoutError{
			File: "/var/lock/pve-manager/pve-storage-local"},
	} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, step{request: "GET /version", answer: answer + "\n"})
			_, err := s.client(t, single).Version(t.Context())
			if got := details(err, want); !cmp.Equal(want, got) {
				t.Errorf("got %#v in %v, want %#v", got, err, want)
			}
		})
	}
}

// details returns the error of want's type within err.
func details(err, want error) error {
	refused, ok := errors.AsType[*pve.Error](err)
	if !ok {
		return nil
	}
	for _, cause := range refused.Unwrap() {
		if reflect.TypeOf(cause) == reflect.TypeOf(want) {
			return cause
		}
	}
	return nil
}
