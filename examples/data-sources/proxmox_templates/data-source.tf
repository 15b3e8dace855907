data "proxmox_templates" "all" {}

output "templates" {
  value = [for f in data.proxmox_templates.all.files : f.volume_id]
}
