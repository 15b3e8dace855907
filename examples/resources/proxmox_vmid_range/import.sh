# A range without anything given out.
terraform import proxmox_vmid_range.team 5000-5099

# After a lost state: the range, name=number for each name, and the numbers that
# have retired.
terraform import proxmox_vmid_range.team 5000-5099,web=5000,db=5003,5001-5002
