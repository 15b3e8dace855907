package vm

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

// described is what a configuration says that describes a VM with these keys.
func described(t *testing.T, live map[string]string) *settings {
	t.Helper()
	m := imported(t, live, 100)
	s, d := m.settings(t.Context())
	if d.HasError() {
		t.Fatal(d)
	}
	return s
}

func planned(t *testing.T, c *change) {
	t.Helper()
	c.self = 100
	if c.before == nil {
		c.before = keys.Null[settings]()
	}
	if err := c.plan(); err != nil {
		t.Fatal(err)
	}
}

// Every key is read into an attribute and written back as Proxmox takes it. These
// are the texts on the wire.
func TestTextOfEveryKey(t *testing.T) {
	t.Parallel()
	for _, line := range strings.Split(strings.TrimSpace(wireTexts), "\n") {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		read, want, differs := strings.Cut(rest, " => ")
		if !differs {
			want = read
		}
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			c := change{after: described(t, map[string]string{key: read})}
			planned(t, &c)
			if got := c.config.Set; !maps.Equal(got, map[string]string{key: want}) {
				t.Errorf("sends %q, want %s: %s", got, key, want)
			}
		})
	}
}

const wireTexts = `
name: web-1
description: Two lines,  with = and %
tags: b;A => A;b
protection: 1
hookscript: local:snippets/hook.pl
args: -device x,y=1
bios: ovmf
scsihw: virtio-scsi-single
cores: 4
sockets: 2
vcpus: 3
cpulimit: 3.5
cpuunits: 2000
affinity: 0-7,32-39
arch: aarch64
numa: yes => 1
numa0: cpus=0-3;8,hostnodes=0,memory=1024,policy=bind
cpu: host
cpu: cputype=host,flags=+pcid;-aes,hidden=on => host,flags=+pcid;-aes,hidden=1
cpu: EPYC-v4,hv-vendor-id=Example123,phys-bits=48,guest-phys-bits=40,level=30 => EPYC-v4,guest-phys-bits=40,hv-vendor-id=Example123,level=30,phys-bits=48
memory: 2048
memory: current=4096 => 4096
balloon: 1024
balloon: 0
shares: 500
hugepages: 1024
keephugepages: 1
allow-ksm: 0
machine: q35
machine: pc-q35-10.1,viommu=intel,aw-bits=48,enable-s3=1,enable-s4=0 => pc-q35-10.1,aw-bits=48,enable-s3=1,enable-s4=0,viommu=intel
ostype: l26
localtime: 1
startdate: 2026-07-01
boot: order=scsi0;ide2;net0
onboot: 1
startup: 3,up=60
startup: down=120
hotplug: cpu,memory
hotplug: 0
tablet: 0
acpi: 0
kvm: 0
reboot: 0
freeze: 1
autostart: 1
tdf: 1
vmgenid: f5d24d2b-3a4c-4aff-b7c3-18830fbf2b0c
vmstatestorage: local-lvm
migrate_speed: 100
migrate_downtime: 0.5
agent: 1
agent: yes,fstrim_cloned_disks=1,type=isa => 1,fstrim_cloned_disks=1,type=isa
agent: 1,freeze-fs=0 => 1,freeze-fs-on-backup=0
vga: serial0
vga: memory=64,type=vmware,clipboard=vnc => vmware,clipboard=vnc,memory=64
keyboard: de
spice_enhancements: foldersharing=1,videostreaming=all
audio0: device=AC97,driver=none
rng0: /dev/urandom,max_bytes=512,period=500
watchdog: model=i6300esb,action=reset => action=reset
watchdog: model=ib700,action=reset => ib700,action=reset
smbios1: uuid=725e44db-7ad5-44ee-9377-f66b5c01b28f
smbios1: serial=SN1 => base64=1,serial=U04x
smbios1: base64=1,family=QSBm => base64=1,family=QSBm
amd-sev: snp,allow-smt=0,kernel-hashes=1,no-debug=1,no-key-sharing=1
intel-tdx: tdx,attestation=0,vsock-cid=3,vsock-port=4051
ivshmem: name=frames,size=64 => size=64,name=frames
ciuser: admin
ciupgrade: 0
citype: configdrive2
sshkeys: ssh-ed25519%20AAAA%2B%2F%3D%20a%40b%0Assh-rsa%20BBBB%20c%0A => ssh-ed25519%20AAAA%2B%2F%3D%20a%40b%0Assh-rsa%20BBBB%20c
ipconfig0: ip=192.0.2.10/24,gw=192.0.2.1,ip6=auto => gw=192.0.2.1,ip=192.0.2.10/24,ip6=auto
nameserver: 192.0.2.53 2001:db8::53
searchdomain: example.com
cicustom: user=local:snippets/u.yaml,meta=local:snippets/m.yaml => meta=local:snippets/m.yaml,user=local:snippets/u.yaml
net0: virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1
net1: model=e1000,macaddr=BC:24:11:00:00:01,tag=5,trunks=2;5-9,rate=10.000,queues=4,mtu=1,link_down=1 => e1000=BC:24:11:00:00:01,link_down=1,mtu=1,queues=4,rate=10,tag=5,trunks=2;5-9
net2: virtio,host-tunnel=1
hostpci0: 0000:01:00.0;0000:01:00.1,pcie=1,x-vga=1,rombar=0,romfile=a.rom => 0000:01:00.0;0000:01:00.1,pcie=1,rombar=0,romfile=a.rom,x-vga=1
hostpci1: mapping=igpu,mdev=i915-GVTg_V5_4,driver=keep,legacy-igd=1 => driver=keep,legacy-igd=1,mapping=igpu,mdev=i915-GVTg_V5_4
hostpci2: host=0000:0a:00.3,device-id=0x1234,sub-device-id=0x0001,sub-vendor-id=0x1af4,vendor-id=0x8086 => 0000:0a:00.3,device-id=0x1234,sub-device-id=0x0001,sub-vendor-id=0x1af4,vendor-id=0x8086
usb0: spice
usb1: host=046d:c534,usb3=1 => 046d:c534,usb3=1
usb2: mapping=stick
virtiofs0: share,cache=never,direct-io=1,expose-acl=1,expose-xattr=1
serial0: socket
parallel0: /dev/parport0
scsi0: local-lvm:vm-200-disk-0,aio=native,backup=0,cache=writeback,detect_zeroes=0,discard=on,iothread=1,replicate=0,ro=1,ssd=1
scsi1: /dev/disk/by-id/x,queues=4,vendor=ACME,product=Disk,scsiblock=1,serial=S,wwn=0x5000c500a1b2c3d4,rerror=stop,werror=ignore,shared=1,snapshot=1 => /dev/disk/by-id/x,product=Disk,queues=4,rerror=stop,scsiblock=1,serial=S,shared=1,snapshot=1,vendor=ACME,werror=ignore,wwn=0x5000c500a1b2c3d4
ide0: local:iso/a.iso,media=disk,model=ACME
virtio0: local-lvm:vm-200-disk-0,mbps_rd=10,mbps_rd_max=20,iops_wr=100,iops_wr_max=200,iops_wr_max_length=5 => local-lvm:vm-200-disk-0,iops_wr=100,iops_wr_max=200,iops_wr_max_length=5,mbps_rd=10,mbps_rd_max=20
sata0: local-lvm:vm-100-disk-0,size=8G => local-lvm:8
scsi2: local-lvm:vm-100-disk-0,size=1536M,ssd=1 => local-lvm:1.5,ssd=1
ide2: local:iso/a.iso,media=cdrom
ide2: none,media=cdrom
ide2: local-lvm:vm-100-cloudinit,media=cdrom => local-lvm:cloudinit
efidisk0: local-lvm:vm-100-disk-1,efitype=4m,pre-enrolled-keys=1,size=4M => local-lvm:1,efitype=4m,pre-enrolled-keys=1
tpmstate0: local-lvm:vm-100-disk-2,size=4M,version=v2.0 => local-lvm:1,version=v2.0
`

func TestChanges(t *testing.T) {
	t.Parallel()
	template := map[string]string{
		"boot": "order=scsi0;net0", "cores": "1", "cpu": "x86-64-v2-AES,flags=+aes", "ide2": "local-lvm:vm-100-cloudinit,media=cdrom,size=4M",
		"net0": "virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1", "scsi0": "local-lvm:vm-100-disk-0,discard=on,size=8G", "agent": "1,fstrim_cloned_disks=1",
	}
	with := func(change func(s *settings)) *settings { s := keys.Null[settings](); change(s); return s }
	disk := func(change func(d *diskModel)) *settings {
		return with(func(s *settings) {
			d := *keys.Null[diskModel]()
			d.Size = attrs.NullSize()
			change(&d)
			s.Disks = map[string]diskModel{"scsi0": d}
		})
	}
	str, num := types.StringValue, types.Int64Value
	for name, tc := range map[string]struct {
		live          map[string]string
		before, after *settings
		set           string
		gone          string
		more          string // moves, resizes and frees
	}{
		"what the template brought and nobody declares is left alone": {live: template, after: with(func(*settings) {})},
		"a bridge is changed and the address kept": {live: template,
			after: with(func(s *settings) {
				n := *keys.Null[networkModel]()
				n.Bridge = str("vmbr9")
				s.Network = map[string]networkModel{"net0": n}
			}),
			set: "net0=virtio=BC:24:11:00:00:01,bridge=vmbr9,firewall=1"},
		"a new device has a model": {live: template,
			after: with(func(s *settings) {
				n := *keys.Null[networkModel]()
				n.Bridge = str("vmbr0")
				s.Network = map[string]networkModel{"net1": n}
			}),
			set: "net1=virtio,bridge=vmbr0"},
		"a sub-key is changed and the others kept": {live: template,
			after: with(func(s *settings) { s.CPU = keys.Null[cpuModel](); s.CPU.Type = str("host") }), set: "cpu=host,flags=+aes"},
		"a default that is in force is not sent": {live: template,
			after: with(func(s *settings) { s.CPU = keys.Null[cpuModel](); s.CPU.Cores, s.CPU.Sockets = num(1), num(1) })},
		"a default that the template overrides is sent": {live: map[string]string{"cores": "4"},
			after: with(func(s *settings) { s.CPU = keys.Null[cpuModel](); s.CPU.Cores = num(1) }), set: "cores=1"},
		"what is left out is reset": {live: template,
			before: with(func(s *settings) { s.CPU = keys.Null[cpuModel](); s.CPU.Cores = num(1) }), after: with(func(*settings) {}), gone: "cores"},
		"what is left of a property string stays": {live: template,
			before: with(func(s *settings) { s.CPU = keys.Null[cpuModel](); s.CPU.Flags = attrs.TagSet([]string{"+aes"}) }), after: with(func(*settings) {}), set: "cpu=x86-64-v2-AES"},
		"what is left without its main key goes": {live: template,
			before: with(func(s *settings) { s.Agent = keys.Null[agentModel](); s.Agent.Enabled = types.BoolValue(true) }), after: with(func(*settings) {}), gone: "agent"},
		"a device that is left out goes whole": {live: template,
			before: with(func(s *settings) {
				n := *keys.Null[networkModel]()
				n.Bridge = str("vmbr0")
				s.Network = map[string]networkModel{"net0": n}
			}),
			after: with(func(*settings) {}), gone: "net0"},
		"a cloned disk grows and keeps its options": {live: template, after: disk(func(d *diskModel) { d.Size = attrs.SizeText("32G") }), more: "resize scsi0 32G"},
		"a cloned disk is moved":                    {live: template, after: disk(func(d *diskModel) { d.Storage = str("ceph") }), more: "move scsi0 ceph"},
		"an option of a disk is sent with its volume": {live: template, after: disk(func(d *diskModel) { d.SSD = types.BoolValue(true) }),
			set: "scsi0=local-lvm:vm-100-disk-0,discard=on,size=8G,ssd=1"},
		"an import has its size afterwards": {live: map[string]string{},
			after: disk(func(d *diskModel) {
				d.Storage, d.ImportFrom, d.Size, d.Format = str("local-lvm"), str("local:import/a.qcow2"), attrs.SizeText("20G"), str("raw")
			}),
			set: "scsi0=local-lvm:0,format=raw,import-from=local:import/a.qcow2", more: "resize scsi0 20G"},
		"a disk that is left out is detached": {live: template, before: disk(func(d *diskModel) { d.Storage = str("local-lvm") }), after: with(func(*settings) {}), gone: "scsi0"},
		"a disk is freed only by the user's word": {live: template,
			before: disk(func(d *diskModel) { d.Storage, d.OnRemove = str("local-lvm"), str("delete") }), after: with(func(*settings) {}), more: "free scsi0"},
		"somebody else's disk is not freed by the user's word": {live: map[string]string{"scsi0": "local-lvm:vm-999-disk-0,size=8G"},
			before: disk(func(d *diskModel) { d.Volume, d.OnRemove = str("local-lvm:vm-999-disk-0"), str("delete") }), after: with(func(*settings) {}), gone: "scsi0"},
		"an empty VM boots from its first disk": {live: map[string]string{"boot": " "},
			after: disk(func(d *diskModel) { d.Storage, d.Size = str("local-lvm"), attrs.SizeText("8G") }), set: "boot=order=scsi0 scsi0=local-lvm:8"},
		"a boot order takes the place of letters": {live: map[string]string{"boot": "cdn"},
			after: with(func(s *settings) {
				s.Boot = keys.Null[bootModel]()
				s.Boot.Order = types.ListValueMust(types.StringType, []attr.Value{str("scsi0")})
			}), set: "boot=order=scsi0"},
		"the cloud-init drive of a template is kept": {live: template,
			after: with(func(s *settings) { s.CloudInit = keys.Null[cloudInitModel](); s.CloudInit.Storage = str("local-lvm") })},
		"the cloud-init drive moves": {live: template,
			after: with(func(s *settings) { s.CloudInit = keys.Null[cloudInitModel](); s.CloudInit.Storage = str("ceph") }), more: "move ide2 ceph and free"},
		"the cloud-init drive changes its place": {live: template,
			after: with(func(s *settings) { s.CloudInit = keys.Null[cloudInitModel](); s.CloudInit.Drive = str("scsi1") }), set: "scsi1=local-lvm:cloudinit", gone: "ide2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := change{live: tc.live, before: tc.before, after: tc.after}
			planned(t, &c)
			var set, more []string
			for key, text := range c.config.Set {
				set = append(set, key+"="+text)
			}
			slices.Sort(set)
			for _, m := range c.moves {
				more = append(more, fmt.Sprintf("move %s %s", m.key, m.storage)+map[bool]string{true: " and free"}[m.free])
			}
			for _, r := range c.resizes {
				more = append(more, fmt.Sprintf("resize %s %s", r.key, r.size))
			}
			for _, key := range c.frees {
				more = append(more, "free "+key)
			}
			if got := strings.Join(set, " "); got != tc.set {
				t.Errorf("sets %q, want %q", got, tc.set)
			}
			if got := strings.Join(c.config.Delete, " "); got != tc.gone {
				t.Errorf("deletes %q, want %q", got, tc.gone)
			}
			if got := strings.Join(more, " "); got != tc.more {
				t.Errorf("then %q, want %q", got, tc.more)
			}
		})
	}
}

func TestChangesThatAreRefused(t *testing.T) {
	t.Parallel()
	disk := func(storage, size string) *settings {
		s, d := keys.Null[settings](), *keys.Null[diskModel]()
		d.Size = attrs.NullSize()
		if storage != "" {
			d.Storage = types.StringValue(storage)
		}
		if size != "" {
			d.Size = attrs.SizeText(size)
		}
		s.Disks = map[string]diskModel{"scsi0": d}
		return s
	}
	small := &change{live: map[string]string{"scsi0": "local-lvm:vm-100-disk-0,size=10G"}, before: keys.Null[settings](), after: disk("", "8G"), self: 100}
	if _, ok := errors.AsType[*ShrinkError](small.plan()); !ok {
		t.Errorf("a template of 10G with size 8G: %v", small.plan())
	}
	nothing := &change{live: map[string]string{}, before: keys.Null[settings](), after: disk("local-lvm", ""), self: 100}
	if _, ok := errors.AsType[*SourceError](nothing.plan()); !ok {
		t.Errorf("a disk of no size: %v", nothing.plan())
	}
	theirs := &change{live: map[string]string{"cores": "8"}, before: keys.Null[settings](), after: keys.Null[settings](), self: 100}
	theirs.before.CPU, theirs.after.CPU = keys.Null[cpuModel](), keys.Null[cpuModel]()
	theirs.before.CPU.Cores, theirs.after.CPU.Cores = types.Int64Value(2), types.Int64Value(4)
	if e, ok := errors.AsType[*ConflictError](theirs.plan()); !ok || e.Error() != "somebody else has changed cores of VM 100 since the plan was made" {
		t.Errorf("somebody else's change: %v", theirs.plan())
	}
}
