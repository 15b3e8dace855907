resource "proxmox_container" "web" {
  vmid       = 5001
  ostemplate = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"
  rootfs     = { storage = "local-lvm", size = "8G" }
}

# One archive before something risky. consistency says what came of it: with mode
# "stop" the guest stands still while it is read.
resource "proxmox_backup" "before_upgrade" {
  vmid      = proxmox_container.web.vmid
  storage   = "local"
  mode      = "stop"
  compress  = "zstd"
  notes     = "before the upgrade"
  protected = true # set it to false before the resource is destroyed

  # A backup that takes longer goes on: state is "running" then, and the next
  # refresh settles it.
  timeouts = { create = "2h" }
}

output "consistency" {
  value = proxmox_backup.before_upgrade.consistency
}
