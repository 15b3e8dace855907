# Before: a container with data, a policy that backs it up every night, and one
# archive to rehearse with. Nothing prunes that archive.
resource "proxmox_container" "shop" {
  node       = "pve1"
  vmid       = 5001
  hostname   = "shop"
  ostemplate = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"
  rootfs     = { storage = "local-lvm", size = "8G" }
  network    = { net0 = { name = "eth0", bridge = "vmbr0", ip = "dhcp" } }

  mount_points = {
    # Without backup = true its data would be in no archive.
    mp0 = { path = "/srv/shop", storage = "local-lvm", size = "16G", backup = true }
  }
}

resource "proxmox_vzdump_policy" "nightly" {
  id            = "nightly"
  vmids         = [proxmox_container.shop.vmid]
  schedule      = "02:30"
  storage       = "local"
  compress      = "zstd"
  prune_backups = { keep_daily = 7, keep_weekly = 4 }
}

resource "proxmox_backup" "drill" {
  vmid      = proxmox_container.shop.vmid
  storage   = "local"
  mode      = "stop" # consistent: the container stands still while it is read
  compress  = "zstd"
  notes     = "drill"
  protected = true
}
