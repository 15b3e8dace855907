# After the container was lost: restore in place of ostemplate, and VMIDs written
# out, because the archive comes before the container now. Everything else is as
# it was.
resource "proxmox_container" "shop" {
  node     = "pve1"
  vmid     = 5001
  hostname = "shop"
  restore  = { archive = proxmox_backup.drill.volume_id }
  rootfs   = { storage = "local-lvm", size = "8G" }
  network  = { net0 = { name = "eth0", bridge = "vmbr0", ip = "dhcp" } }

  mount_points = {
    mp0 = { path = "/srv/shop", storage = "local-lvm", size = "16G", backup = true }
  }
}

resource "proxmox_vzdump_policy" "nightly" {
  id            = "nightly"
  vmids         = [5001]
  schedule      = "02:30"
  storage       = "local"
  compress      = "zstd"
  prune_backups = { keep_daily = 7, keep_weekly = 4 }
}

resource "proxmox_backup" "drill" {
  vmid      = 5001
  storage   = "local"
  mode      = "stop"
  compress  = "zstd"
  notes     = "drill"
  protected = true
}
