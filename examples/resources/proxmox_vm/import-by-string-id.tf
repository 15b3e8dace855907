# terraform plan -generate-config-out=database.tf writes the resource block, and the
# plan after it is empty.
import {
  to = proxmox_vm.database
  id = "5001"
}
