# Terraform 1.14 or newer: a backup before each change of the container. It leaves
# nothing in the state.
action "proxmox_backup" "before" {
  config {
    vmid     = 5001
    storage  = "local"
    mode     = "snapshot"
    compress = "zstd"
    notes    = "before a change"
  }
}

resource "terraform_data" "release" {
  input = "2026.11"

  lifecycle {
    action_trigger {
      events  = [before_update]
      actions = [action.proxmox_backup.before]
    }
  }
}
