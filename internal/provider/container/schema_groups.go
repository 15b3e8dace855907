package container

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

// Allowed values of enumerated keys. Source: PVE::LXC::Config $confdesc.
var (
	consoleModes  = []string{"tty", "console", "shell"}
	architectures = []string{"amd64", "i386", "arm64", "armhf", "riscv32", "riscv64"}
	osTypes       = []string{"debian", "devuan", "ubuntu", "centos", "fedora", "opensuse", "archlinux", "alpine", "gentoo", "nixos", "unmanaged"}
)

// groupAttributes are the nested objects of keys that belong together.
func groupAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"cpu": schema.SingleNestedAttribute{
			Optional:            true,
			MarkdownDescription: "Processor. Default: all cores of the node without a limit. Changes are in place and take effect at once. Needs VM.Config.CPU.",
			Attributes: map[string]schema.Attribute{
				"cores": schema.Int64Attribute{Optional: true, MarkdownDescription: "Number of cores, 1 to 8192. Default: all of the node.",
					Validators: []validator.Int64{int64validator.Between(1, 8192)}},
				"limit": schema.Float64Attribute{Optional: true, MarkdownDescription: "Most CPU time in cores, 0 to 8192, 0 for no limit. Default: 0.",
					Validators: []validator.Float64{float64validator.Between(0, 8192)}},
				"units": schema.Int64Attribute{Optional: true, MarkdownDescription: "Weight against other guests, 0 to 500000; Proxmox stores at most 10000 on cgroup v2. Default: 100.",
					Validators: []validator.Int64{int64validator.Between(0, 500000)}},
			},
		},
		"memory": schema.SingleNestedAttribute{
			Optional:            true,
			MarkdownDescription: "Memory. Changes are in place and take effect at once. Needs VM.Config.Memory.",
			Attributes: map[string]schema.Attribute{
				"size": schema.Int64Attribute{Optional: true, MarkdownDescription: "Memory in MiB, at least 16. Default: 512.",
					Validators: []validator.Int64{int64validator.AtLeast(16)}},
				"swap": schema.Int64Attribute{Optional: true, Computed: true, Default: int64default.StaticInt64(0), MarkdownDescription: "Swap in MiB. Default: 0, which is always sent: Proxmox by itself would give 512.",
					Validators: []validator.Int64{int64validator.AtLeast(0)}},
			},
		},
		"dns": schema.SingleNestedAttribute{
			Optional:            true,
			MarkdownDescription: "Name resolution. Default: as on the node. Seen after the next start. Needs VM.Config.Network.",
			Attributes: map[string]schema.Attribute{
				"nameservers": schema.ListAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: "IP addresses of name servers, in order.",
					Validators: []validator.List{listvalidator.SizeAtLeast(1), listvalidator.ValueStringsAre(valid.IPAddress())}},
				"search_domains": schema.ListAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: "Search domains, in order.",
					Validators: []validator.List{listvalidator.SizeAtLeast(1), listvalidator.ValueStringsAre(valid.NoSeparators())}},
			},
		},
		"console": schema.SingleNestedAttribute{
			Optional:            true,
			MarkdownDescription: "Console. Seen after the next start. Needs VM.Config.Options.",
			Attributes: map[string]schema.Attribute{
				"enabled": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether a console device (/dev/console) is attached. Default: `true`."},
				"tty": schema.Int64Attribute{Optional: true, MarkdownDescription: "Number of terminals, 0 to 6. Default: 2.",
					Validators: []validator.Int64{int64validator.Between(0, 6)}},
				"mode": schema.StringAttribute{Optional: true, MarkdownDescription: "What the console attaches to (`cmode`): `tty`, `console` or `shell`. Default: `tty`.",
					Validators: []validator.String{stringvalidator.OneOf(consoleModes...)}},
			},
		},
		"boot":     bootAttribute(),
		"init":     initAttribute(),
		"os":       osAttribute(),
		"features": featuresAttribute(),
	}
}

func bootAttribute() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "What happens when the node boots and the container starts. Changes are in place. Needs VM.Config.Options.",
		Attributes: map[string]schema.Attribute{
			"on_boot": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether the container starts with the node. Default: `false`."},
			"debug":   schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether its start is logged verbosely. Default: `false`. Seen at the next start."},
			"startup": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Order and delays of starting and stopping with the node. Default: none.",
				Attributes: map[string]schema.Attribute{
					"order": schema.Int64Attribute{Optional: true, MarkdownDescription: "Place in the order: low numbers start first and stop last.", Validators: []validator.Int64{int64validator.AtLeast(0)}},
					"up":    schema.Int64Attribute{Optional: true, MarkdownDescription: "Seconds to wait after the start before the next guest starts.", Validators: []validator.Int64{int64validator.AtLeast(0)}},
					"down":  schema.Int64Attribute{Optional: true, MarkdownDescription: "Seconds that the shutdown may take.", Validators: []validator.Int64{int64validator.AtLeast(0)}},
				},
			},
		},
	}
}

func initAttribute() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "The first process of an application container (Proxmox VE 9.1 or newer). Seen after the next start. Needs VM.Config.Options.",
		Attributes: map[string]schema.Attribute{
			"entrypoint": schema.StringAttribute{Optional: true, MarkdownDescription: "Command line of the first process. Default: `/sbin/init`.",
				Validators: []validator.String{stringvalidator.LengthAtLeast(1)}},
			"env": schema.MapAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: "Environment variables of the first process.",
				Validators: []validator.Map{mapvalidator.SizeAtLeast(1), mapvalidator.KeysAre(valid.EnvironmentName())}},
		},
	}
}

func osAttribute() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional: true, Computed: true,
		MarkdownDescription: "What Proxmox takes the container's system for. Default: detected from the template. Never sent unless set. Seen after the next start. Needs VM.Config.Options.",
		PlanModifiers:       []planmodifier.Object{objectplanmodifier.UseNonNullStateForUnknown()},
		Attributes: map[string]schema.Attribute{
			"type": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Distribution (`ostype`), `unmanaged` to leave the container's files alone.",
				Validators:    []validator.String{stringvalidator.OneOf(osTypes...)},
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseNonNullStateForUnknown()}},
			"arch": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Architecture, for example `amd64` or `arm64`.",
				Validators:    []validator.String{stringvalidator.OneOf(architectures...)},
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseNonNullStateForUnknown()}},
		},
	}
}

func featuresAttribute() schema.Attribute {
	flag := func(text string) schema.Attribute {
		return schema.BoolAttribute{Optional: true, MarkdownDescription: text}
	}
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "What the container may do beyond the ordinary. Seen after the next start. `nesting` on an unprivileged container needs VM.Allocate; " +
			"everything else can only be set by root@pam, an API token cannot.",
		Attributes: map[string]schema.Attribute{
			"nesting":      flag("Containers within the container. Default: `false`."),
			"keyctl":       flag("The system call keyctl, for Docker in an unprivileged container. Default: `false`."),
			"fuse":         flag("FUSE file systems. Default: `false`."),
			"mknod":        flag("Device nodes made with mknod. A backup of such a container may not be restorable. Default: `false`."),
			"force_rw_sys": flag("/sys mounted read-write in an unprivileged container. Default: `false`."),
			"mount": schema.SetAttribute{ElementType: types.StringType, Optional: true,
				MarkdownDescription: "File systems that may be mounted, for example `nfs` and `cifs`. Default: none."},
		},
	}
}
