# 8589934592
output "bytes" {
  value = provider::proxmox::size_bytes("8G")
}
