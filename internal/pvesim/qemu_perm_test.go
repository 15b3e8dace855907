package pvesim_test

import (
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// asUser lets a token of a user with a role on a path ask.
func asUser(t *testing.T, c *client, acl ...string) *client {
	t.Helper()
	users, _ := c.sim.ReadFile("user.cfg")
	c.sim.WriteFile("user.cfg", users+"user:u@pve:1:0::::::\ntoken:u@pve!t:0:0::\nrole:Low:VM.Audit,VM.Config.CPU:\npool:p::::\n"+strings.Join(acl, "\n")+"\n")
	secrets, _ := c.sim.ReadFile("priv/token.cfg")
	c.sim.WriteFile("priv/token.cfg", secrets+"u@pve!t 22222222-2222-3333-4444-555555555555\n")
	return &client{t, c.sim, "u@pve!t=22222222-2222-3333-4444-555555555555"}
}

func TestVMPrivileges(t *testing.T) {
	t.Parallel()
	const net = "net0=virtio=02:00:00:00:00:01,bridge=vmbr0"
	admin := "acl:1:/vms:u@pve:PVEVMAdmin:"
	space := "acl:1:/storage:u@pve:PVEDatastoreUser:"
	for name, tc := range map[string]struct {
		acl          []string
		method, path string
		fields       []string
		want         string
	}{
		"nothing":                              {nil, "POST", "/nodes/pve1/qemu", []string{"vmid=200"}, "403 Permission check failed"},
		"a pool is enough to create":           {[]string{"acl:1:/pool/p:u@pve:PVEVMAdmin:"}, "POST", "/nodes/pve1/qemu", []string{"vmid=200", "pool=p", "memory=64"}, "200 OK"},
		"a disk needs its storage":             {[]string{admin}, "POST", "/nodes/pve1/qemu", []string{"vmid=200", "scsi0=thin:1"}, "403 Permission check failed (/storage/thin, Datastore.AllocateSpace)"},
		"a NIC needs its bridge":               {[]string{admin}, "POST", "/nodes/pve1/qemu", []string{"vmid=200", net}, "403 Permission check failed (/sdn/zones/localnetwork/vmbr0, SDN.Use)"},
		"startup needs the cluster":            {[]string{admin}, "PUT", vm100 + "/config", []string{"startup=order=1"}, "403 Permission check failed (/, Sys.Modify)"},
		"HA needs the cluster":                 {[]string{admin}, "POST", "/nodes/pve1/qemu", []string{"vmid=200", "ha-managed=1"}, "403 Permission check failed (/, Sys.Console)"},
		"a disk of an existing machine":        {[]string{"acl:1:/vms:u@pve:Low:", space}, "PUT", vm100 + "/config", []string{"scsi1=thin:1"}, "403 Permission check failed (/vms/100, VM.Config.Disk)"},
		"a CD of an existing machine":          {[]string{"acl:1:/vms:u@pve:Low:", space}, "PUT", vm100 + "/config", []string{"ide2=local:iso/a.iso,media=cdrom"}, "403 Permission check failed (/vms/100, VM.Config.CDROM)"},
		"cloud-init by either privilege":       {[]string{"acl:1:/vms:u@pve:PVEVMUser:"}, "PUT", vm100 + "/config", []string{"ciuser=x"}, "200 OK"},
		"what a key needs":                     {[]string{"acl:1:/vms:u@pve:Low:"}, "PUT", vm100 + "/config", []string{"cores=1"}, "200 OK"},
		"what another key needs":               {[]string{"acl:1:/vms:u@pve:Low:"}, "PUT", vm100 + "/config", []string{"memory=64"}, "403 Permission check failed (/vms/100, VM.Config.Memory)"},
		"a mapped device needs its mapping":    {[]string{admin}, "PUT", vm100 + "/config", []string{"hostpci0=mapping=gpu"}, "403 Permission check failed (/mapping/pci/gpu, Mapping.Use)"},
		"a custom CPU needs its mapping":       {[]string{admin}, "PUT", vm100 + "/config", []string{"cpu=custom-x"}, "403 Permission check failed (/mapping/cpu/x, Mapping.Use)"},
		"arguments are for root alone":         {[]string{admin}, "PUT", vm100 + "/config", []string{"args=-x"}, "500 only root can set 'args' config"},
		"locks are for root alone to skip":     {[]string{admin}, "PUT", vm100 + "/config", []string{"skiplock=1", "cores=1"}, "400 Parameter verification failed."},
		"a volume of another guest":            {[]string{"acl:1:/vms/100:u@pve:PVEVMAdmin:", space}, "PUT", vm100 + "/config", []string{"scsi1=thin:vm-999-disk-0"}, "403 Permission check failed (/vms/999, VM.Config.Disk)"},
		"a clone needs its target":             {[]string{"acl:1:/vms/100:u@pve:PVETemplateUser:", space}, "POST", vm100 + "/clone", []string{"newid=200"}, "403 Permission check failed"},
		"a clone needs the storage":            {[]string{admin}, "POST", vm100 + "/clone", []string{"newid=200"}, "403 Permission check failed (/storage/thin, Datastore.AllocateSpace)"},
		"the agent by auditors":                {[]string{"acl:1:/vms:u@pve:PVEAuditor:"}, "GET", vm100 + "/agent/network-get-interfaces", nil, "500 No QEMU guest agent configured"},
		"the agent not by those who only look": {[]string{"acl:1:/vms:u@pve:PVETemplateUser:"}, "GET", vm100 + "/agent/network-get-interfaces", nil, "403 Permission check failed (/vms/100, VM.GuestAgent.Audit|VM.GuestAgent.Unrestricted)"},
		"a rollback that starts":               {[]string{"role:Roll:VM.Snapshot.Rollback:", "acl:1:/vms:u@pve:Roll:"}, "POST", vm100 + "/snapshot/s1/rollback", []string{"start=1"}, "403 Permission check failed (/vms/100, VM.PowerMgmt)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startVM(t, pvesim.Options{}, "scsi0: thin:vm-100-disk-0,size=1G")
			c.sim.AddVolume("pve1", "thin:vm-999-disk-0", 1<<30)
			asUser(t, c, tc.acl...).refused(tc.want, tc.method, tc.path, tc.fields...)
		})
	}
}

// TestVMChangeWaitsForItsCreation: the number is taken at once, the file is
// complete only when the worker is done.
func TestVMChangeWaitsForItsCreation(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "name: x")
	c.sim.HoldTasks("qmcreate")
	a := c.must("POST", "/nodes/pve1/qemu", "vmid=200", "memory=64")
	c.refused("500 unable to create VM 200 - VM 200 already exists on node 'pve1'", "POST", "/nodes/pve1/qemu", "vmid=200")
	got := c.object("/nodes/pve1/qemu/200/config")
	if len(got) != 2 || got["lock"] != "create" || got["digest"] == nil {
		t.Errorf("while it is made a machine shows %v", got)
	}
	c.refused("500 VM is locked (create)", "POST", "/nodes/pve1/qemu/200/config", "memory=128")
	c.sim.ReleaseTasks()
	if exit := c.exit(a); exit != "OK" {
		t.Fatal(exit)
	}
	c.must("PUT", "/nodes/pve1/qemu/200/config", "memory=128")
}
