# Containers of production whose names begin with web. The query
#   terraform query -generate-config-out=containers.tf
# writes a resource block and an import block for each of them.
list "proxmox_container" "web" {
  provider         = proxmox
  include_resource = true

  config {
    name = "web-*"
    tags = ["production"]
  }
}
