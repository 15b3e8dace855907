// Command providerschema prints the provider's schemas in the format of
// `terraform providers schema -json`, asked from the provider itself.
//
// The docs generator would otherwise ask a Terraform binary, and a binary older
// than 1.14 leaves out actions, list resources and identities.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider"
)

// docsAddress is the key under which tfplugindocs looks the provider up: it
// assumes the namespace hashicorp whatever the provider's own address is.
const docsAddress = "registry.terraform.io/hashicorp/proxmox"

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	server, err := providerserver.NewProtocol6WithError(provider.New("dev")())()
	if err != nil {
		return err
	}
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return err
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return err
	}
	if err := faults(append(schemas.Diagnostics, identities.Diagnostics...)); err != nil {
		return err
	}
	document, err := convert(schemas, identities)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}

func faults(diagnostics []*tfprotov6.Diagnostic) error {
	var all []error
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			all = append(all, fmt.Errorf("%s: %s", d.Summary, d.Detail))
		}
	}
	return errors.Join(all...)
}
