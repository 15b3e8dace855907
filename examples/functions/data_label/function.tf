# "erased": the volume goes with guest 5001, which owns it.
output "own_volume" {
  value = provider::proxmox::data_label(5001, "local-lvm:vm-5001-disk-0")
}

# "excluded": the volume of another guest stays.
output "volume_of_another" {
  value = provider::proxmox::data_label(5001, "local-lvm:vm-5002-disk-0")
}

# "host_managed": Proxmox never touches a path of the node.
output "bind_mount" {
  value = provider::proxmox::data_label(5001, "/tank/photos")
}
