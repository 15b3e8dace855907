# From the appliance catalogue of the node: pveam available lists it.
resource "proxmox_template_file" "debian" {
  node      = "pve1"
  storage   = "local"
  appliance = "debian-13-standard_13.1-2_amd64.tar.zst"
}

# From the web. A file with another checksum is not kept.
resource "proxmox_template_file" "alpine" {
  node               = "pve1"
  storage            = "local"
  url                = "https://images.example.org/alpine-3.22-default_20250617_amd64.tar.xz"
  checksum           = "5a2b4ad4d9b5d8c0a6d1f6b8d1f1c0a3a0e0f4a5d3c5b6a7988776655443322f"
  checksum_algorithm = "sha256"
}

resource "proxmox_container" "small" {
  node       = "pve1"
  ostemplate = proxmox_template_file.alpine.volume_id
  rootfs     = { storage = "local-lvm", size = "4G" }
}
