// Command terraform-provider-proxmox serves the provider to Terraform and
// OpenTofu. Everything else is in internal/provider.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider"
)

// version is set by the linker of a release build.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger to attach; prints the value of TF_REATTACH_PROVIDERS")
	flag.Parse()

	err := providerserver.Serve(context.Background(), provider.New(version), providerserver.ServeOpts{
		Address: provider.Address,
		Debug:   *debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}
