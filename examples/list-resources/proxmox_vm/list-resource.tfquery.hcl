# All VMs on one node that are no templates. A query asks for at most 100 results
# unless limit says otherwise.
list "proxmox_vm" "all" {
  provider = proxmox
  limit    = 1000

  config {
    node     = "pve1"
    template = false
  }
}
