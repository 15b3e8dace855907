# By the node and the volume id.
terraform import proxmox_template_file.debian pve1/local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst
