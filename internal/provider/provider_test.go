package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider"
)

func TestSchemasAreValid(t *testing.T) {
	t.Parallel()
	server, err := providerserver.NewProtocol6WithError(provider.New("test")())()
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range schemas.Diagnostics {
		t.Errorf("%s: %s", d.Summary, d.Detail)
	}
	if _, ok := schemas.ResourceSchemas["proxmox_container"]; !ok {
		t.Error("there is no proxmox_container")
	}
	identities, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range identities.Diagnostics {
		t.Errorf("%s: %s", d.Summary, d.Detail)
	}
}
