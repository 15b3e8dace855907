variable "vmid" {
  type    = number
  default = 5001

  validation {
    condition     = provider::proxmox::vmid_in_range(var.vmid, "5000-8999")
    error_message = "Guests of this team have the numbers 5000 to 8999."
  }
}
