package pvesim

import (
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

const someUsers = `user:root@pam:1:0::::::
user:a@pve:1:0::::::
user:b@pve:1:0::::::
token:root@pam!full:0:0::
token:root@pam!sep:0:1::
token:a@pve!sep:0:1::
group:ops:b@pve::
pool:p::101,102::
acl:1:/:a@pve:PVEAuditor:
acl:1:/vms:a@pve:PVEVMUser:
acl:0:/vms/100:a@pve:PVEVMAdmin:
acl:1:/vms/103:a@pve:NoAccess:
acl:1:/vms:@ops:PVEAuditor:
acl:1:/vms/100:b@pve:PVEVMUser:
acl:1:/pool/p:b@pve:PVEVMAdmin:
acl:1:/vms/100:a@pve!sep:Administrator:
acl:1:/storage:root@pam!sep:PVEDatastoreUser:
`

func TestPrivileges(t *testing.T) {
	t.Parallel()
	users := conf.ParseUsers(someUsers)
	for name, tc := range map[string]struct {
		who, path, priv string
		want            bool
	}{
		"an entry above goes on below":                     {"a@pve", "/storage/local", "Datastore.Audit", true},
		"a deeper entry replaces the one above":            {"a@pve", "/vms/110", "Sys.Audit", false},
		"a deeper entry adds what it has":                  {"a@pve", "/vms/110", "VM.PowerMgmt", true},
		"an entry without propagation counts at its path":  {"a@pve", "/vms/100", "VM.Allocate", true},
		"NoAccess takes everything":                        {"a@pve", "/vms/103", "VM.Audit", false},
		"a group gives its members":                        {"b@pve", "/vms/200", "VM.Audit", true},
		"an entry of the user wins over that of the group": {"b@pve", "/vms/100", "Sys.Audit", false},
		"a pool gives its members":                         {"b@pve", "/vms/102", "VM.Allocate", true},
		"a pool gives nothing beside its members":          {"b@pve", "/vms/104", "VM.Allocate", false},
		"root may everything":                              {"root@pam", "/vms/100", "Permissions.Modify", true},
		"a token without separation is its user":           {"root@pam!full", "/", "Sys.Modify", true},
		"a separated token has nothing by itself":          {"root@pam!sep", "/vms/100", "VM.Audit", false},
		"a separated token has its own entries":            {"root@pam!sep", "/storage/local", "Datastore.AllocateSpace", true},
		"a separated token never has more than its user":   {"a@pve!sep", "/vms/100", "Sys.Modify", false},
		"a separated token has what both have":             {"a@pve!sep", "/vms/100", "VM.Allocate", true},
		"an unknown user has nothing":                      {"c@pve", "/", "Sys.Audit", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, got := privileges(users, identity{tc.who}, tc.path)[tc.priv]
			if got != tc.want {
				t.Errorf("%s has %s on %s: %t, want %t", tc.who, tc.priv, tc.path, got, tc.want)
			}
		})
	}
}
