data "proxmox_version" "node" {}

output "version" {
  value = data.proxmox_version.node.version
}
