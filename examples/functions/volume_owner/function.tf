# 5001: Proxmox frees this volume when it destroys guest 5001.
output "owner_of_a_disk" {
  value = provider::proxmox::volume_owner("local-lvm:vm-5001-disk-0")
}

# null: no guest owns an ISO image.
output "owner_of_an_image" {
  value = provider::proxmox::volume_owner("local:iso/debian-13.iso")
}
