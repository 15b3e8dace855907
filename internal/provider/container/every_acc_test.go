package container_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// everything sets every attribute that a create can send.
const everything = `
resource "proxmox_container" "c" {
  node            = "pve1"
  vmid            = 5001
  pool            = "web"
  hostname        = "web.example.org"
  description     = "First line\nsecond line\n"
  tags            = ["Web", "prod"]
  protection      = true
  hookscript      = "local:snippets/hook.pl"
  timezone        = "host"
  ostemplate      = "` + template + `"
  unprivileged    = true
  password_wo     = "not-stored-anywhere"
  password_wo_version = 1
  ssh_public_keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4rV6PzVtHcYAS5PmSKl0fKQyHcmYoMrUeCNsL3dT0r one@example.org"]
  started         = false

  cpu     = { cores = 2, limit = 1.5, units = 200 }
  memory  = { size = 1024, swap = 256 }
  dns     = { nameservers = ["192.0.2.53", "2001:db8::53"], search_domains = ["example.org", "example.net"] }
  console = { enabled = false, tty = 1, mode = "shell" }
  boot    = { on_boot = true, debug = true, startup = { order = 3, up = 60, down = 30 } }
  init    = { entrypoint = "/sbin/init --x", env = { B = "2", A = "one two" } }
  os      = { type = "debian", arch = "amd64" }
  features = { nesting = true, keyctl = true, fuse = true, mknod = true, force_rw_sys = true, mount = ["nfs", "cifs"] }

  rootfs = { storage = "local-lvm", size = "8G", acl = true, mount_options = ["noatime", "discard"], replicate = false }
  mount_points = {
    mp0 = { path = "/srv", storage = "local-lvm", size = "0.5G", backup = true, acl = false, quota = false, read_only = true, mount_options = ["nodev"], replicate = false, shared = true, keepattrs = true }
    mp5 = { path = "/photos", volume = "/tank/photos", read_only = true }
    mp200 = { path = "/ext", volume = "/dev/sdb1" }
  }
  network = {
    net0  = { name = "eth0", bridge = "vmbr0", hwaddr = "bc:24:11:00:00:01", ip = "192.0.2.10/24", gw = "192.0.2.1", ip6 = "2001:db8::10/64", gw6 = "2001:db8::1", tag = 7, mtu = 1400, rate = 12.5, trunks = ["10", "20"], firewall = true, link_down = true, host_managed = true }
    net31 = { name = "eth1", bridge = "vmbr0", ip = "dhcp", ip6 = "auto" }
  }
  devices = { dev0 = { path = "/dev/net/tun", mode = "0660", uid = 1000, gid = 44, deny_write = true } }
}
`

// everyCreate is what the create of everything sends.
const everyCreate = `arch=amd64
cmode=shell
console=0
cores=2
cpulimit=1.5
cpuunits=200
debug=1
description=First line
second line

dev0=/dev/net/tun,deny-write=1,gid=44,mode=0660,uid=1000
entrypoint=/sbin/init --x
env=A=one two NUL B=2
features=force_rw_sys=1,fuse=1,keyctl=1,mknod=1,mount=cifs;nfs,nesting=1
hookscript=local:snippets/hook.pl
hostname=web.example.org
memory=1024
mp0=local-lvm:0.5,mp=/srv,acl=0,backup=1,keepattrs=1,mountoptions=nodev,quota=0,replicate=0,ro=1,shared=1
mp200=/dev/sdb1,mp=/ext
mp5=/tank/photos,mp=/photos,ro=1
nameserver=192.0.2.53 2001:db8::53
net0=name=eth0,bridge=vmbr0,firewall=1,gw=192.0.2.1,gw6=2001:db8::1,host-managed=1,hwaddr=bc:24:11:00:00:01,ip=192.0.2.10/24,ip6=2001:db8::10/64,link_down=1,mtu=1400,rate=12.5,tag=7,trunks=10;20
net31=name=eth1,bridge=vmbr0,ip=dhcp,ip6=auto
onboot=1
ostemplate=local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst
ostype=debian
password=not-stored-anywhere
pool=web
protection=1
rootfs=local-lvm:8,acl=1,mountoptions=discard;noatime,replicate=0
searchdomain=example.org example.net
ssh-public-keys=ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4rV6PzVtHcYAS5PmSKl0fKQyHcmYoMrUeCNsL3dT0r one@example.org

startup=down=30,order=3,up=60
swap=256
tags=Web;prod
timezone=host
tty=1
unprivileged=1
vmid=5001`

// rootCluster is a cluster in which everything that a test names exists.
func rootCluster(t *testing.T) *pvesim.Server {
	t.Helper()
	sim := acctest.Cluster(t, pvesim.Options{RootPassword: acctest.RootPassword})
	users, _ := sim.ReadFile("user.cfg")
	sim.WriteFile("user.cfg", users+"pool:web::::\npool:db::::\n")
	sim.AddVolume("pve1", "local:snippets/hook.pl", 100)
	return sim
}

func TestEveryAttribute(t *testing.T) {
	t.Parallel()
	sim := rootCluster(t)
	empty := resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}
	acctest.Run(t, resource.TestCase{
		Steps: []resource.TestStep{
			{
				Config:           acctest.RootProvider(sim) + everything,
				ConfigPlanChecks: empty,
				Check: func(*terraform.State) error {
					compare(t, everyCreate, posted(sim, "POST", "/nodes/pve1/lxc"))
					sim.ResetRequests()
					return nil
				},
			},
			{
				Config:           acctest.RootProvider(sim) + strings.NewReplacer("protection      = true", "protection      = false").Replace(everything),
				ConfigPlanChecks: empty,
				Check: func(*terraform.State) error {
					compare(t, "protection=0", posted(sim, "PUT", "/nodes/pve1/lxc/5001/config"))
					sim.ResetRequests()
					return nil
				},
			},
			{
				Config:           acctest.RootProvider(sim) + shortest,
				ConfigPlanChecks: empty,
				Check: func(*terraform.State) error {
					compare(t, everyRemoval, posted(sim, "PUT", "/nodes/pve1/lxc/5001/config"))
					compare(t, "delete=1\npoolid=web\nvms=5001", posted(sim, "PUT", "/pools"))
					return nil
				},
			},
		},
	})
}

// shortest leaves out everything that can be left out.
const shortest = `
resource "proxmox_container" "c" {
  node       = "pve1"
  vmid       = 5001
  ostemplate = "` + template + `"
  started    = false
  rootfs     = { storage = "local-lvm", size = "8G" }
}
`

// everyRemoval is what goes back to Proxmox's defaults.
const everyRemoval = `delete=cmode,console,cores,cpulimit,cpuunits,debug,description,dev0,entrypoint,env,features,hookscript,hostname,mp0,mp200,mp5,nameserver,net0,net31,onboot,searchdomain,startup,tags,timezone,tty
memory=512
rootfs=local-lvm:vm-5001-disk-0,size=8G
swap=0`

// posted are the parameters of the one request of a method and path, sorted, a
// line each. The digest, which is a hash, is left out.
func posted(sim *pvesim.Server, method, path string) string {
	var found []string
	for _, r := range sim.Requests() {
		if r.Method != method || r.Path != path {
			continue
		}
		var lines []string
		for name, values := range r.Params {
			if name != "digest" {
				lines = append(lines, name+"="+strings.ReplaceAll(strings.Join(values, " AND "), "\x00", " NUL "))
			}
		}
		slices.Sort(lines)
		found = append(found, strings.Join(lines, "\n"))
	}
	return strings.Join(found, "\nAND THEN\n")
}

func compare(t *testing.T, want, got string) {
	t.Helper()
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Error(diff)
	}
}
