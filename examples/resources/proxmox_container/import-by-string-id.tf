# terraform plan -generate-config-out=web.tf writes the resource block, and the
# plan after it is empty.
import {
  to = proxmox_container.web
  id = "5001"
}
