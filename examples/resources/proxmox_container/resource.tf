# The shortest useful container. It gets the lowest free VMID of the provider's
# vmid_range and runs on the provider's default_node.
resource "proxmox_container" "small" {
  ostemplate = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"
  rootfs     = { storage = "local-lvm", size = "8G" }
}

# A web server with a data volume of its own.
resource "proxmox_container" "web" {
  node        = "pve1"
  vmid        = 5001
  hostname    = "web"
  description = "Serves https://www.example.org"
  tags        = ["web", "production"]
  protection  = true

  # A change of ostemplate reinstalls the container: it is destroyed, with the
  # volumes rootfs and mp0, and created again.
  ostemplate      = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"
  ssh_public_keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4rV6PzVtHcYAS5PmSKl0fKQyHcmYoMrUeCNsL3dT0r admin@example.org"]

  cpu    = { cores = 2 }
  memory = { size = 2048, swap = 512 }
  rootfs = { storage = "local-lvm", size = "8G" }

  mount_points = {
    # A volume of the container. It can grow; leaving it out detaches it.
    mp0 = { path = "/srv/www", storage = "local-lvm", size = "32G", backup = true }
  }

  network = {
    net0 = { name = "eth0", bridge = "vmbr0", ip = "192.0.2.10/24", gw = "192.0.2.1", firewall = true }
  }

  # It filters net0 because that has firewall = true, and is there before the first
  # start. The container can send from no other address than its own.
  firewall = {
    enabled   = true
    ip_filter = true
    rules = [
      { type = "in", action = "ACCEPT", macro = "HTTPS" },
      { type = "in", action = "ACCEPT", macro = "SSH", source = "192.0.2.0/24", comment = "management" },
    ]
  }

  dns  = { nameservers = ["192.0.2.53"], search_domains = ["example.org"] }
  boot = { on_boot = true, startup = { order = 2, up = 30 } }

  features            = { nesting = true }
  restart_for_pending = true

  timeouts = { create = "20m" }
}
