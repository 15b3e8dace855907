package actions_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// invoke runs an action at the level of the protocol: the CLI may be too old for
// actions.
func invoke(t *testing.T, s *pvesim.Server, name string, config map[string]tftypes.Value, extra map[string]tftypes.Value) (progress, problems []string) {
	t.Helper()
	server, err := providerserver.NewProtocol6WithError(provider.New("test")())()
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string]tftypes.Value{"endpoint": tftypes.NewValue(tftypes.String, s.URL()), "api_token": tftypes.NewValue(tftypes.String, s.Token())}
	for key, value := range extra {
		settings[key] = value
	}
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: object(t, schemas.Provider.ValueType(), settings)})
	if err != nil || len(configured.Diagnostics) > 0 {
		t.Fatal(err, configured.Diagnostics)
	}
	actions, ok := server.(tfprotov6.ProviderServerWithActions) //nolint:staticcheck // the interface still stands apart in this version
	if !ok {
		t.Fatal("the server has no actions")
	}
	stream, err := actions.InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{
		ActionType: name, Config: object(t, schemas.ActionSchemas[name].Schema.ValueType(), config)})
	if err != nil {
		t.Fatal(err)
	}
	for event := range stream.Events {
		switch e := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			progress = append(progress, e.Message)
		case tfprotov6.CompletedInvokeActionEventType:
			for _, d := range e.Diagnostics {
				problems = append(problems, d.Summary+": "+d.Detail)
			}
		}
	}
	return progress, problems
}

// object is a value of an object type whose other attributes are null.
func object(t *testing.T, of tftypes.Type, values map[string]tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	all := map[string]tftypes.Value{}
	for name, kind := range of.(tftypes.Object).AttributeTypes {
		all[name] = tftypes.NewValue(kind, nil)
		if v, ok := values[name]; ok {
			all[name] = v
		}
	}
	dynamic, err := tfprotov6.NewDynamicValue(of, tftypes.NewValue(of, all))
	if err != nil {
		t.Fatal(err)
	}
	return &dynamic
}

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

func number(n int64) tftypes.Value { return tftypes.NewValue(tftypes.Number, n) }

func cluster(t *testing.T) *pvesim.Server {
	t.Helper()
	s := acctest.Cluster(t, pvesim.Options{})
	s.WriteFile("nodes/pve1/qemu-server/5002.conf", "name: db\nmemory: 1024\nscsi0: local-lvm:vm-5002-disk-0,size=32G\n")
	s.WriteFile("nodes/pve1/lxc/5001.conf", "arch: amd64\nhostname: web\nmemory: 512\nrootfs: local-lvm:vm-5001-disk-0,size=4G\nunprivileged: 1\n")
	s.SetRunning(5002, true)
	return s
}

func TestBackupTellsItsProgress(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	progress, problems := invoke(t, s, "proxmox_backup", map[string]tftypes.Value{"vmid": number(5002), "storage": text("local")}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if got := acctest.Writes(s.Requests()); !slices.Equal(got, []string{"POST /nodes/pve1/vzdump mode=snapshot storage=local vmid=5002"}) {
		t.Errorf("sent %v", got)
	}
	all := strings.Join(progress, "\n")
	for _, want := range []string{"Starting Backup of VM 5002 (qemu)", " 41% (", "100% (", "VM 5002 (db) is backed up: local:backup/vzdump-qemu-5002-", "(crash_consistent)"} {
		if !strings.Contains(all, strings.TrimSpace(want)) {
			t.Errorf("the progress lacks %q:\n%s", want, all)
		}
	}
}

func TestActionsAreRefused(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	s.Lock(5001, "migrate")
	bounded := map[string]tftypes.Value{"vmid_range": text("6000-6999")}
	for name, tc := range map[string]struct {
		action string
		config map[string]tftypes.Value
		extra  map[string]tftypes.Value
		want   string
	}{
		"a backup that fails":  {"proxmox_backup", map[string]tftypes.Value{"vmid": number(5001), "storage": text("local")}, nil, "Guest 5001 was not backed up to storage local: Proxmox says: CT is locked (migrate)."},
		"a guest out of range": {"proxmox_backup", map[string]tftypes.Value{"vmid": number(5001), "storage": text("local")}, bounded, "Guest 5001 is not backed up: VMID 5001 is outside of the VMID range"},
		"power out of range":   {"proxmox_guest_power", map[string]tftypes.Value{"vmid": number(5001), "do": text("start")}, bounded, "start of guest 5001 was not done: VMID 5001 is outside of the VMID range"},
		"a guest that is not":  {"proxmox_guest_power", map[string]tftypes.Value{"vmid": number(5009), "do": text("start")}, nil, "there is no guest 5009 in the cluster"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := invoke(t, s, tc.action, tc.config, tc.extra)
			if len(problems) != 1 || !strings.Contains(problems[0], tc.want) {
				t.Errorf("problems %q, want %q", problems, tc.want)
			}
		})
	}
}

func TestGuestPower(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	for _, step := range []struct {
		vmid int64
		do   string
		runs bool
	}{{5001, "start", true}, {5001, "start", true}, {5001, "reboot", true}, {5001, "shutdown", false}, {5001, "stop", false}, {5002, "stop", false}, {5002, "start", true}} {
		if _, problems := invoke(t, s, "proxmox_guest_power", map[string]tftypes.Value{"vmid": number(step.vmid), "do": text(step.do)}, nil); len(problems) > 0 {
			t.Errorf("%s of %d: %v", step.do, step.vmid, problems)
		}
		s.WaitTasks()
		if s.Running(int(step.vmid)) != step.runs {
			t.Errorf("after %s guest %d runs: %t", step.do, step.vmid, !step.runs)
		}
	}
}
