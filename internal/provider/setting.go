package provider

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// source says where a setting came from: an attribute of the provider block or
// an environment variable.
type source struct {
	attribute string
	variable  string // empty when the attribute itself is set
}

func (s source) String() string {
	if s.variable != "" {
		return "from the environment variable " + s.variable
	}
	return "from the provider's " + s.attribute
}

func (s source) problem(summary, detail string) diag.Diagnostic {
	if s.variable != "" {
		return diag.NewErrorDiagnostic(summary, detail+" It comes from the environment variable "+s.variable+".")
	}
	return diag.NewAttributeErrorDiagnostic(path.Root(s.attribute), summary, detail)
}

// text is the configured value, else the environment's. ok is false for neither.
// An empty environment variable counts as unset, an empty attribute as set.
func text(v types.String, attribute, variable string) (value string, from source, ok bool) {
	if attrs.Known(v) {
		return v.ValueString(), source{attribute: attribute}, true
	}
	value = os.Getenv(variable)
	return value, source{attribute, variable}, value != ""
}

// boundary reads the VMID range. Unlike every other setting it counts as given
// when it is unknown, and when the environment variable is set to nothing: a
// boundary that went missing on its way must not let everybody in.
func boundary(v types.String) meta.Boundary {
	configured := source{attribute: "vmid_range"}
	switch {
	case v.IsUnknown():
		return meta.UnknownBoundary(configured.String())
	case !v.IsNull():
		return meta.NewBoundary(v.ValueString(), configured.String())
	}
	if value, given := os.LookupEnv(envVMIDRange); given {
		return meta.NewBoundary(value, source{"vmid_range", envVMIDRange}.String())
	}
	return meta.Boundary{}
}

func list(items []string, variable string) (values []string) {
	if len(items) > 0 {
		return items
	}
	for item := range strings.SplitSeq(os.Getenv(variable), ",") {
		if item = strings.TrimSpace(item); item != "" {
			values = append(values, item)
		}
	}
	return values
}

func boolean(v types.Bool, attribute, variable string) (bool, diag.Diagnostics) {
	if attrs.Known(v) {
		return v.ValueBool(), nil
	}
	word := os.Getenv(variable)
	if word == "" {
		return false, nil
	}
	b, err := strconv.ParseBool(word)
	if err != nil {
		return false, diag.Diagnostics{source{attribute, variable}.problem(
			fmt.Sprintf("%s cannot be %q", attribute, word), "It must be true or false.")}
	}
	return b, nil
}

func number(v types.Int64, attribute, variable string) (int, diag.Diagnostics) {
	if attrs.Known(v) {
		return int(v.ValueInt64()), nil
	}
	word := os.Getenv(variable)
	if word == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > 64 {
		return 0, diag.Diagnostics{source{attribute, variable}.problem(
			fmt.Sprintf("%s cannot be %q", attribute, word), "It must be a number from 1 to 64.")}
	}
	return n, nil
}

func duration(v types.String, attribute, variable string) (time.Duration, diag.Diagnostics) {
	word, from, ok := text(v, attribute, variable)
	if !ok {
		return 0, nil
	}
	d, err := time.ParseDuration(word)
	if err != nil || d <= 0 {
		return 0, diag.Diagnostics{from.problem(
			fmt.Sprintf("%s cannot be %q", attribute, word), "It must be a duration above zero, for example 90s or 2m.")}
	}
	return d, nil
}
