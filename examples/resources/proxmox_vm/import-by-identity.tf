import {
  to = proxmox_vm.database
  identity = {
    vmid = 5001
  }
}
