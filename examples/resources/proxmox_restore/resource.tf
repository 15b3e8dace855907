resource "proxmox_container" "web" {
  vmid       = 5001
  ostemplate = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"
  rootfs     = { storage = "local-lvm", size = "8G" }
}

resource "proxmox_backup" "web" {
  vmid     = proxmox_container.web.vmid
  storage  = "local"
  compress = "zstd"
}

# The archive beside the running original, with other MAC addresses, to look into
# it. Destroying this resource destroys the copy.
resource "proxmox_restore" "look" {
  archive = proxmox_backup.web.volume_id
  vmid    = 5101
  storage = "local-lvm"
  name    = "web-restored"
  started = false
}
