data "proxmox_nodes" "all" {}

output "online" {
  value = [for n in data.proxmox_nodes.all.nodes : n.name if n.status == "online"]
}
