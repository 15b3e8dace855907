# Every night the named guests. The policy deletes older archives of them as
# prune_backups says; without it nothing is deleted but by the storage's retention.
resource "proxmox_vzdump_policy" "nightly" {
  id       = "nightly"
  vmids    = [5001, 5002]
  schedule = "02:30"
  storage  = "local"
  mode     = "snapshot"
  compress = "zstd"
  comment  = "web and database"
  mail_to  = ["operators@example.org"]

  notes_template = "{{guestname}} on {{node}}"
  prune_backups  = { keep_daily = 7, keep_weekly = 4, keep_monthly = 6 }
}

# Everything else, on Saturdays, slowly.
resource "proxmox_vzdump_policy" "weekly" {
  id            = "weekly"
  all           = true
  exclude       = proxmox_vzdump_policy.nightly.vmids
  schedule      = "sat 04:00"
  repeat_missed = true
  storage       = "local"
  compress      = "zstd"
  bwlimit       = 51200
  ionice        = 8
}
