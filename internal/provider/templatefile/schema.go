package templatefile

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

const description = "A file that a node fetches to a storage: a container template from the appliance catalogue of Proxmox, or a template, ISO image or disk image from a URL.\n\n" +
	"A file that is on the storage already is refused and never overwritten; import it. Destroying the resource removes the file, unless `keep_on_destroy` is set; guests that were made of it stay.\n\n" +
	"Needs Datastore.AllocateTemplate and Datastore.AllocateSpace on the storage, Datastore.Allocate to remove the file, and for a URL Sys.AccessNetwork on the node or Sys.Modify on `/`."

// otherFile requires a replacement from one value to another. Setting an attribute
// of an imported file only writes down where it came from.
func otherFile() planmodifier.String {
	const text = "A change from one value to another fetches another file and removes this one; setting it for the first time does not."
	return stringplanmodifier.RequiresReplaceIf(func(_ context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
		resp.RequiresReplace = attrs.Known(req.StateValue) && !req.PlanValue.IsNull() && !req.PlanValue.Equal(req.StateValue)
	}, text, text)
}

// Schema says which change fetches another file.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	other := []planmodifier.String{otherFile()}
	resp.Schema = schema.Schema{MarkdownDescription: description, Attributes: map[string]schema.Attribute{
		"node": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "The node that fetches the file, and keeps it if the storage is not shared. Default: the provider's `default_node`. A change fetches the file anew and removes this one.",
			Validators:          []validator.String{valid.NodeName()},
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown(), otherFile()},
		},
		"storage": schema.StringAttribute{
			Required: true, MarkdownDescription: "The storage, a file storage that takes `content`. A change fetches the file anew and removes this one.",
			Validators: []validator.String{valid.StorageID()}, PlanModifiers: other,
		},
		"content": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString("vztmpl"),
			MarkdownDescription: "`vztmpl` (container template), `iso` or `import` (disk image). Default: `vztmpl`. A change fetches the file anew and removes this one.",
			Validators:          []validator.String{stringvalidator.OneOf("vztmpl", "iso", "import")}, PlanModifiers: other,
		},
		"url": schema.StringAttribute{
			Optional: true, MarkdownDescription: "Where the node fetches the file, `http` or `https`. Exactly one of `url` and `appliance`. A change fetches another file and removes this one.",
			Validators: []validator.String{valid.Matching("a URL of http or https", `^https?://.+`)}, PlanModifiers: other,
		},
		"appliance": schema.StringAttribute{
			Optional: true, MarkdownDescription: "File name of a container template in the node's appliance catalogue, for example `debian-13-standard_13.1-2_amd64.tar.zst` (`pveam available` lists them). The catalogue has its checksum. Exactly one of `url` and `appliance`. A change fetches another file and removes this one.",
			Validators: []validator.String{stringvalidator.LengthBetween(1, 255)}, PlanModifiers: other,
		},
		"file_name": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Name of the file on the storage, with the extension that `content` wants (`.tar.zst`, `.iso`, `.qcow2`, …). Default: the last part of `url`, or `appliance`. A change fetches the file anew and removes this one.",
			Validators:          []validator.String{valid.Matching("a file name of letters, digits, _ - and .", `^[a-zA-Z0-9_.\-]{1,255}$`)},
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown(), otherFile()},
		},
		"checksum": schema.StringAttribute{
			Optional: true, MarkdownDescription: "Checksum of the file in hexadecimal; a file with another one is not kept. Default: not checked. A change fetches the file anew and removes this one.",
			Validators:    []validator.String{valid.Matching("hexadecimal digits", `^[0-9a-fA-F]+$`), stringvalidator.AlsoRequires(path.MatchRoot("checksum_algorithm"))},
			PlanModifiers: other,
		},
		"checksum_algorithm": schema.StringAttribute{
			Optional: true, MarkdownDescription: "`md5`, `sha1`, `sha224`, `sha256`, `sha384` or `sha512`; together with `checksum`.",
			Validators: []validator.String{stringvalidator.OneOf("md5", "sha1", "sha224", "sha256", "sha384", "sha512"), stringvalidator.AlsoRequires(path.MatchRoot("checksum"))},
		},
		"verify_certificates": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether the node checks the certificate of the server. Proxmox's default: `true`. It matters only while the file is fetched."},
		"keep_on_destroy":     schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether the file stays on the storage when the resource is destroyed. Default: `false`. In place."},
		"volume_id":           schema.StringAttribute{Computed: true, MarkdownDescription: "Volume id of the file, for `ostemplate` and the like.", PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
		"size":                schema.Int64Attribute{Computed: true, MarkdownDescription: "Size in bytes.", PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown()}},
		"timeouts": timeouts.Attributes(ctx, timeouts.Opts{
			Create: true, Delete: true,
			CreateDescription: "How long fetching may take. Default: 1h.",
			DeleteDescription: "How long removing may take. Default: 10m.",
		}),
	}}
}
