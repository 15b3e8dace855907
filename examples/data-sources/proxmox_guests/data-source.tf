# Every guest with the tag, whoever made it.
data "proxmox_guests" "production" {
  tag = "production"
}

output "production" {
  value = { for g in data.proxmox_guests.production.guests : g.vmid => g.name }
}
