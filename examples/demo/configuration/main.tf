# What `make demo` applies against the simulated cluster: one container with the three kinds of mounts.

terraform {
  required_providers {
    proxmox = {
      source = "proxmox-guests/proxmox"
    }
  }
}

# The endpoint and the login of root@pam come from PROXMOX_VE_ENDPOINT, PROXMOX_VE_USERNAME and PROXMOX_VE_PASSWORD.
# Only root@pam itself may attach a directory of the node, an API token may not.
provider "proxmox" {
  default_node = "pve1"
  vmid_range   = "5000-5999"
}

variable "ostemplate" {
  description = "The template. Another one reinstalls the container."
  type        = string
}

resource "proxmox_container" "app" {
  vmid       = 5001
  hostname   = "app"
  ostemplate = var.ostemplate

  cpu    = { cores = 2 }
  memory = { size = 1024 }

  rootfs = { storage = "local-lvm", size = "8G" }

  mount_points = {
    # A volume of its own: comes back empty after a reinstall.
    mp0 = { path = "/var/lib/app", storage = "local-lvm", size = "32G", backup = true }
    # A directory of the node: is attached again.
    mp1 = { path = "/srv/media", volume = "/srv/media" }
    # A volume of container 5900: is never freed with this container.
    mp2 = { path = "/srv/shared", volume = "local-lvm:vm-5900-disk-1" }
  }

  network = {
    net0 = { name = "eth0", bridge = "vmbr0", ip = "192.0.2.10/24", gw = "192.0.2.1" }
  }
}
