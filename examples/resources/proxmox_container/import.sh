# By VMID; the cluster is asked for the node.
terraform import proxmox_container.web 5001

# By node and VMID.
terraform import proxmox_container.web pve1/5001
