resource "proxmox_container" "web" {
  vmid       = 5001
  ostemplate = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"
  rootfs     = { storage = "local-lvm", size = "8G" }
}

# A snapshot is no backup: it is on the same storage and goes with the guest.
resource "proxmox_snapshot" "before_upgrade" {
  vmid        = proxmox_container.web.vmid
  name        = "before_upgrade"
  description = "before the upgrade to Debian 14"
}
