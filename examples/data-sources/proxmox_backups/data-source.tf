# The archives of one guest, newest first.
data "proxmox_backups" "web" {
  vmid = 5001
}

# unseen names the storages that could not be looked into: an empty list without it
# does not mean that there is no backup.
output "newest" {
  value = length(data.proxmox_backups.web.unseen) > 0 ? "not known" : try(data.proxmox_backups.web.backups[0].volume_id, "none")
}
