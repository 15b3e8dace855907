# By the VMID of the guest and the name of the snapshot.
terraform import proxmox_snapshot.before_upgrade 5001/before_upgrade
