# Guests that no policy backs up.
data "proxmox_unprotected_guests" "all" {}

check "every_guest_is_in_a_policy" {
  assert {
    condition     = length(data.proxmox_unprotected_guests.all.guests) == 0
    error_message = "No policy backs up ${join(", ", [for g in data.proxmox_unprotected_guests.all.guests : g.vmid])}."
  }
}
