# A clone of a cloud-init template. It gets the lowest free VMID of the provider's
# vmid_range and runs on the provider's default_node. What the template brings and
# is not declared here stays as it is.
resource "proxmox_vm" "small" {
  name  = "small"
  clone = { vmid = 9000 }

  cloud_init = {
    user      = "admin"
    ssh_keys  = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4rV6PzVtHcYAS5PmSKl0fKQyHcmYoMrUeCNsL3dT0r admin@example.org"]
    ip_config = { ipconfig0 = { ip = "dhcp" } }
  }
}

# A database server: a full clone with a larger system disk, a data disk of its own
# and a fixed address.
resource "proxmox_vm" "database" {
  node        = "pve1"
  vmid        = 8001 # of its own choice, far from the low end, from where numbers are given out
  name        = "database"
  description = "PostgreSQL of https://www.example.org"
  tags        = ["database", "production"]
  protection  = true

  # A change of the source reinstalls the VM: it is destroyed, with its disks, and
  # made again. A new version of the template under the same number does nothing.
  clone = { vmid = 9000, full = true }

  cpu    = { cores = 2, type = "x86-64-v2-AES" }
  memory = { size = 4096, minimum = 2048 }

  disks = {
    scsi0 = { size = "20G", discard = "on", ssd = true } # of the template, grown
    scsi1 = { storage = "local-lvm", size = "64G", discard = "on", iothread = true }
  }

  network = {
    net0 = { bridge = "vmbr0", firewall = true }
  }

  cloud_init = {
    user                = "admin"
    password_wo         = var.password
    password_wo_version = 1
    ip_config           = { ipconfig0 = { ip = "192.0.2.20/24", gw = "192.0.2.1" } }
    dns                 = { nameservers = ["192.0.2.53"], search_domain = "example.org" }
  }

  agent               = { enabled = true }
  boot                = { on_boot = true }
  restart_for_pending = true
}

# A UEFI machine made from a disk image, without any template.
resource "proxmox_vm" "image" {
  name          = "image"
  bios          = "ovmf"
  scsi_hardware = "virtio-scsi-single"
  machine       = { type = "q35" }
  os            = { type = "l26" }
  memory        = { size = 2048 }

  efi_disk = { storage = "local-lvm", type = "4m", pre_enrolled_keys = true }
  disks = {
    scsi0 = { storage = "local-lvm", size = "10G", import_from = "local:import/debian-13-generic-amd64.qcow2" }
  }
  network    = { net0 = { bridge = "vmbr0" } }
  cloud_init = { storage = "local-lvm", user = "admin" }
  serial     = { serial0 = { device = "socket" } }
}

# A machine to be installed by hand from a CD-ROM.
resource "proxmox_vm" "installer" {
  name    = "installer"
  memory  = { size = 2048 }
  disks   = { virtio0 = { storage = "local-lvm", size = "32G" } }
  cdroms  = { ide2 = { volume = "local:iso/debian-13.1.0-amd64-netinst.iso" } }
  network = { net0 = { bridge = "vmbr0" } }
  boot    = { order = ["virtio0", "ide2"] }
}

variable "password" {
  type      = string
  sensitive = true
  default   = "only for the example"
}
