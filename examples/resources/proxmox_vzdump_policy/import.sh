# By the id of the job, as /etc/pve/jobs.cfg has it.
terraform import proxmox_vzdump_policy.nightly backup-1f0c9a2e-77b1
