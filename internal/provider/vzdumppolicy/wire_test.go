package vzdumppolicy

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

func text(s string) types.String { return types.StringValue(s) }

func one(n int64) types.Int64 { return types.Int64Value(n) }

func numbers(ids ...int64) types.Set {
	elements := make([]attr.Value, len(ids))
	for i, id := range ids {
		elements[i] = types.Int64Value(id)
	}
	return types.SetValueMust(types.Int64Type, elements)
}

func prune(p pruneModel) types.Object {
	object, _ := types.ObjectValueFrom(context.Background(), pruneTypes, p)
	return object
}

// planned is a policy with the defaults that the schema plans.
func planned() *model {
	return &model{
		All: types.BoolValue(true), Schedule: text("02:30"), Storage: text("local"), Enabled: types.BoolValue(true), Mode: text("snapshot"),
		MailNotification: text("failure"), NotificationMode: text("auto"), MailTo: types.SetNull(types.StringType), ExcludePaths: types.ListNull(types.StringType),
	}
}

// basic is what every policy of this test sends, what nobody asked for included.
var basic = []string{"id=nightly", "all=1", "schedule=02:30", "storage=local", "enabled=1", "mode=snapshot", "mailnotification=failure", "notification-mode=auto"}

// The exact bytes that leave the provider for each attribute: a test of success
// alone would not see "none" go out.
func TestEachAttributeIsSentAsProxmoxSpellsIt(t *testing.T) {
	t.Parallel()
	fleece, _ := types.ObjectValueFrom(t.Context(), fleecingTypes, fleecingModel{Enabled: types.BoolValue(true), Storage: text("local-lvm")})
	off, _ := types.ObjectValueFrom(t.Context(), fleecingTypes, fleecingModel{Enabled: types.BoolValue(false), Storage: types.StringNull()})
	perform, _ := types.ObjectValueFrom(t.Context(), performanceTypes, performanceModel{MaxWorkers: one(8), PBSEntriesMax: one(2097152)})
	for name, tc := range map[string]struct {
		set  func(m *model)
		sent []string // beside or instead of the basic parameters
		gone string   // of the basic parameters, by name
	}{
		"nothing optional": {set: func(*model) {}},
		"a list of guests": {set: func(m *model) { m.All, m.VMIDs = types.BoolNull(), numbers(105, 101) }, sent: []string{"vmid=101,105"}, gone: "all"},
		"not all":          {set: func(m *model) { m.All, m.VMIDs = types.BoolValue(false), numbers(101) }, sent: []string{"vmid=101"}, gone: "all"},
		"all but some":     {set: func(m *model) { m.Exclude = numbers(9001, 101) }, sent: []string{"exclude=101,9001"}},
		"compress none":    {set: func(m *model) { m.Compress = text("0") }, sent: []string{"compress=0"}},
		"compress zstd":    {set: func(m *model) { m.Compress = text("zstd") }, sent: []string{"compress=zstd"}},
		"mode stop":        {set: func(m *model) { m.Mode = text("stop") }, sent: []string{"mode=stop"}},
		"disabled":         {set: func(m *model) { m.Enabled = types.BoolValue(false) }, sent: []string{"enabled=0"}},
		"repeat missed":    {set: func(m *model) { m.RepeatMissed = types.BoolValue(true) }, sent: []string{"repeat-missed=1"}},
		"comment":          {set: func(m *model) { m.Comment = text("a; b=c & d+e") }, sent: []string{"comment=a; b=c & d+e"}},
		"node":             {set: func(m *model) { m.Node = text("pve2") }, sent: []string{"node=pve2"}},
		"notes":            {set: func(m *model) { m.NotesTemplate = text(`{{guestname}} on {{node}}\n{{vmid}}`) }, sent: []string{`notes-template={{guestname}} on {{node}}\n{{vmid}}`}},
		"protected":        {set: func(m *model) { m.Protected = types.BoolValue(true) }, sent: []string{"protected=1"}},
		"not protected":    {set: func(m *model) { m.Protected = types.BoolValue(false) }, sent: []string{"protected=0"}},
		"retention":        {set: func(m *model) { m.PruneBackups = prune(pruneModel{Last: one(3), Weekly: one(4), Daily: one(7)}) }, sent: []string{"prune-backups=keep-daily=7,keep-last=3,keep-weekly=4"}},
		"keep all":         {set: func(m *model) { m.PruneBackups = prune(pruneModel{All: types.BoolValue(true)}) }, sent: []string{"prune-backups=keep-all=1"}},
		"notification":     {set: func(m *model) { m.NotificationMode = text("notification-system") }, sent: []string{"notification-mode=notification-system"}},
		"mail": {set: func(m *model) {
			m.MailTo, m.MailNotification = types.SetValueMust(types.StringType, []attr.Value{text("root"), text("a@example.com")}), text("always")
		}, sent: []string{"mailnotification=always", "mailto=a@example.com,root"}},
		"fleecing":          {set: func(m *model) { m.Fleecing = fleece }, sent: []string{"fleecing=enabled=1,storage=local-lvm"}},
		"no fleecing":       {set: func(m *model) { m.Fleecing = off }, sent: []string{"fleecing=enabled=0"}},
		"performance":       {set: func(m *model) { m.Performance = perform }, sent: []string{"performance=max-workers=8,pbs-entries-max=2097152"}},
		"bandwidth":         {set: func(m *model) { m.BwLimit = one(51200) }, sent: []string{"bwlimit=51200"}},
		"no bandwidth":      {set: func(m *model) { m.BwLimit = one(0) }, sent: []string{"bwlimit=0"}},
		"ionice":            {set: func(m *model) { m.IONice = one(8) }, sent: []string{"ionice=8"}},
		"zstd threads":      {set: func(m *model) { m.ZstdThreads = one(0) }, sent: []string{"zstd=0"}},
		"lock wait":         {set: func(m *model) { m.LockWait = one(30) }, sent: []string{"lockwait=30"}},
		"stop wait":         {set: func(m *model) { m.StopWait = one(5) }, sent: []string{"stopwait=5"}},
		"exclude paths":     {set: func(m *model) { m.ExcludePaths = stringList([]string{"/var/cache/?*", "*.tmp"}) }, sent: []string{"exclude-path=/var/cache/?*", "exclude-path=*.tmp"}},
		"standard excludes": {set: func(m *model) { m.StdExcludes = types.BoolValue(false) }, sent: []string{"stdexcludes=0"}},
		"change detection":  {set: func(m *model) { m.PBSChangeDetectionMode = text("metadata") }, sent: []string{"pbs-change-detection-mode=metadata"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, r := simulated(t)
			m := planned()
			tc.set(m)
			want, d := m.wants(t.Context())
			if d.HasError() {
				t.Fatal(d)
			}
			if err := r.make(t.Context(), "nightly", want, nil); err != nil {
				t.Fatal(err)
			}
			base := slices.DeleteFunc(slices.Clone(basic), func(pair string) bool { return tc.gone != "" && strings.HasPrefix(pair, tc.gone+"=") })
			if got := writes(s); !slices.Equal(got, []string{post(base, tc.sent...)}) {
				t.Errorf("sent\n%s\nwant\n%s", strings.Join(got, "\n"), post(base, tc.sent...))
			}
			// What the server has of it means the same to us.
			job, err := r.find(t.Context(), "nightly")
			if err != nil {
				t.Fatal(err)
			}
			before := *m
			if d := m.fill(t.Context(), job, false); d.HasError() {
				t.Fatal(d)
			}
			after, _ := m.wants(t.Context())
			if !mapsEqual(after.values, want.values) || !m.ExcludePaths.Equal(before.ExcludePaths) {
				t.Errorf("read back %v, want %v", after.values, want.values)
			}
		})
	}
}

func simulated(t *testing.T) (*pvesim.Server, *Resource) {
	t.Helper()
	s, err := pvesim.New(pvesim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	client, err := pve.New(pve.Options{Endpoints: []string{s.URL()}, APIToken: s.Token()})
	if err != nil {
		t.Fatal(err)
	}
	return s, &Resource{data: &meta.Data{Client: client, Guests: meta.NewListing(client.Resources)}}
}

// writes are the requests that change something, a line each.
func writes(s *pvesim.Server) []string {
	var lines []string
	for _, r := range s.Requests() {
		if r.Method == http.MethodGet {
			continue
		}
		line := r.Method + " " + r.Path
		for _, key := range slices.Sorted(maps.Keys(r.Params)) {
			for _, value := range r.Params[key] {
				line += " " + key + "=" + value
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// post is the line of a POST: the basic parameters, those of sent in their place,
// sorted by name.
func post(basic []string, sent ...string) string {
	key := func(pair string) string { name, _, _ := strings.Cut(pair, "="); return name }
	all := slices.DeleteFunc(slices.Clone(basic), func(b string) bool {
		return slices.ContainsFunc(sent, func(s string) bool { return key(s) == key(b) })
	})
	all = append(all, sent...)
	slices.SortStableFunc(all, func(a, b string) int { return strings.Compare(key(a), key(b)) })
	return "POST /cluster/backup " + strings.Join(all, " ")
}

// A Proxmox that does not take a default of ours any more gets the policy
// without it; what the user asked for is never dropped.
func TestADefaultThatTheServerDoesNotKnowIsLeftOut(t *testing.T) {
	t.Parallel()
	s, r := simulated(t)
	want, _ := planned().wants(t.Context())
	want.values["bogus"] = "1"
	if err := r.make(t.Context(), "nightly", want, []string{"mailnotification", "bogus"}); err != nil {
		t.Fatal(err)
	}
	if got := writes(s); len(got) != 2 || strings.Contains(got[1], "bogus") || !strings.Contains(got[1], "mailnotification=failure") {
		t.Errorf("sent %v", got)
	}
	want.values["bogus"] = "1"
	if err := r.make(t.Context(), "other", want, []string{"mailnotification"}); err == nil {
		t.Error("an option of the user was dropped")
	}
}
