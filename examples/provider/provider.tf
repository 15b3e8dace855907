terraform {
  required_providers {
    proxmox = {
      source = "proxmox-guests/proxmox"
    }
  }
}

provider "proxmox" {
  endpoint = "https://pve1.example.org:8006"

  # Better than insecure = true: the SHA-256 fingerprint of the node's certificate
  # (in the web interface: node, System, Certificates).
  tls_fingerprint = "4B:1C:7A:0E:52:90:9D:2F:AA:31:C6:08:E7:5D:41:B3:6F:12:84:DE:39:C0:77:1B:F5:28:63:9A:0C:D4:EE:57"

  # The token comes from the environment: export PROXMOX_VE_API_TOKEN='USER@REALM!NAME=SECRET'

  # What is outside of this range is neither changed nor read.
  vmid_range   = "5000-8999"
  default_node = "pve1"
}
