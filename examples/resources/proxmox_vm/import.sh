# By VMID; the cluster is asked for the node.
terraform import proxmox_vm.database 5001

# By node and VMID.
terraform import proxmox_vm.database pve1/5001
