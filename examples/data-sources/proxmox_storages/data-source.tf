data "proxmox_storages" "for_backups" {
  content = "backup"
}

output "storages" {
  value = [for s in data.proxmox_storages.for_backups.storages : s.name]
}
