locals {
  # node of each guest
  guests = {
    web = "pve1"
    db  = "pve2"
  }
}

# A number for each guest, the lowest free ones first. A guest that leaves the
# map retires its number: no later guest gets it.
resource "proxmox_vmid_range" "team" {
  start   = 5000
  end     = 5099
  reserve = keys(local.guests)
}

resource "proxmox_container" "guest" {
  for_each = local.guests

  node       = each.value
  vmid       = proxmox_vmid_range.team.vmids[each.key]
  hostname   = each.key
  ostemplate = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"
  rootfs     = { storage = "local-lvm", size = "8G" }
}

# Warns while there is still time to choose a larger range.
check "numbers_left" {
  assert {
    condition     = proxmox_vmid_range.team.free >= 10
    error_message = "Fewer than 10 VMIDs are left from 5000 to 5099."
  }
}
