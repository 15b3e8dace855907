#!/bin/sh
# Fail a pipeline when a saved plan would erase more than the root volume of a guest.
#
#   terraform plan -out=plan.bin
#   terraform show -json plan.bin | sh no-erased-mounts.sh
#
# What a destroy does to each volume stands in the attribute "volumes" of the guest before the change;
# "unknown" counts as erased. Needs jq.
set -eu
found=$(jq -r '
  .resource_changes[]?
  | select(.type == "proxmox_container" or .type == "proxmox_vm")
  | select(.change.actions | index("delete"))
  | .address as $address
  | (.change.before.volumes // {}) | to_entries[]
  | select(.key != "rootfs" and (.value.data == "erased" or .value.data == "unknown"))
  | "\($address): \(.key) (\(.value.id)) would be \(.value.data); its mount would be \(.value.mount)"
')
if [ -n "$found" ]; then
  printf '%s\n' "This plan erases data beside root volumes:" "$found" >&2
  exit 1
fi
