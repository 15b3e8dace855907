# Terraform 1.14 or newer: terraform apply -invoke=action.proxmox_guest_power.reboot
action "proxmox_guest_power" "reboot" {
  config {
    vmid = 5001
    do   = "reboot"
  }
}
