package valid

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// Rule lifts a rule into a validator: what it refuses, its error explains. want
// completes the sentence "It must be …" in the documentation.
func Rule(want string, check func(string) error) validator.String {
	return rule{want, check}
}

type rule struct {
	want  string
	check func(string) error
}

func (r rule) Description(context.Context) string         { return "must be " + r.want }
func (r rule) MarkdownDescription(context.Context) string { return "must be " + r.want }

// ValidateString refuses a known value with the rule's own words.
func (r rule) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !attrs.Known(req.ConfigValue) {
		return
	}
	if err := r.check(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path,
			fmt.Sprintf("%s cannot be %q", req.Path, req.ConfigValue.ValueString()),
			"The value is refused: "+err.Error()+". Nothing has been changed.")
	}
}
