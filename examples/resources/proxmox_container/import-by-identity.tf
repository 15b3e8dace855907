import {
  to = proxmox_container.web
  identity = {
    vmid = 5001
  }
}
