package guestfirewall_test

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

var ct100 = guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 100}

const before = `[OPTIONS]

enable: 1
policy_out: ACCEPT

[IPSET ipfilter-net0]

192.0.2.1
192.0.2.2

[IPSET other] # not ours

192.0.2.99

[RULES]

IN ACCEPT -p tcp -dport 22 -log nolog
OUT DROP -dest 198.51.100.1 -log nolog
`

func start(t *testing.T) (*pvesim.Server, *pve.Client) {
	t.Helper()
	sim, err := pvesim.New(pvesim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sim.Close)
	sim.WriteFile("firewall/100.fw", before)
	client, err := pve.New(pve.Options{Endpoints: []string{sim.URL()}, APIToken: sim.Token()})
	if err != nil {
		t.Fatal(err)
	}
	return sim, client
}

// declaredBefore is the attribute as it was read of before, and after the one that
// is wanted: everything in it changes.
func declaredBefore(t *testing.T) types.Object {
	return declare(t, values{
		"allowed_addresses": allowed(values{"net0": set("192.0.2.1", "192.0.2.2")}),
		"rules": list(t,
			values{"type": text("in"), "action": text("ACCEPT"), "proto": text("tcp"), "dport": text("22")},
			values{"type": text("out"), "action": text("DROP"), "dest": text("198.51.100.1")}),
	})
}

func declaredAfter(t *testing.T) types.Object {
	return declare(t, values{
		"policy_out": text("DROP"), "policy_in": text("ACCEPT"),
		"allowed_addresses": allowed(values{"net0": set("192.0.2.2/32", "2001:db8::1"), "net1": set("192.0.2.7")}),
		"rules": list(t,
			values{"type": text("in"), "action": text("DROP"), "source": text("203.0.113.7")},
			values{"type": text("in"), "action": text("ACCEPT"), "proto": text("tcp"), "dport": text("443")}),
	})
}

// writes are the calls that change something, without digests.
func writes(sim *pvesim.Server) []string {
	var all []string
	for _, r := range sim.Requests() {
		if r.Method == http.MethodGet {
			continue
		}
		line := r.Method + " " + strings.TrimPrefix(r.Path, "/nodes/pve1/lxc/100/firewall/")
		for _, name := range slices.Sorted(maps.Keys(r.Params)) {
			if name != "digest" {
				line += " " + name + "=" + r.Params.Get(name)
			}
		}
		all = append(all, line)
	}
	return all
}

var allWrites = []string{
	"POST ipset name=ipfilter-net1",
	"POST ipset/ipfilter-net1 cidr=192.0.2.7",
	"PUT options policy_out=DROP",
	"DELETE ipset/ipfilter-net0/192.0.2.1",
	"POST rules action=DROP enable=0 source=203.0.113.7 type=in",
	"POST rules action=ACCEPT dport=443 enable=0 proto=tcp type=in",
	"PUT rules/0 moveto=2",
	"PUT rules/0 enable=1",
	"DELETE rules/2",
	"PUT rules/1 enable=1",
	"DELETE rules/2",
	"POST ipset/ipfilter-net0 cidr=2001:db8::1",
	"PUT options policy_in=ACCEPT",
}

// closes is how many of them the first half makes.
const closes = 9

func change(t *testing.T, client *pve.Client) guestfirewall.Change {
	return guestfirewall.Change{Client: client, Ref: ct100, Before: declaredBefore(t), After: declaredAfter(t)}
}

func TestAChangeClosesFirstAndThenOpens(t *testing.T) {
	t.Parallel()
	sim, client := start(t)
	c := change(t, client)
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(allWrites[:closes], writes(sim)); diff != "" {
		t.Errorf("the half that closes: %s", diff)
	}
	if err := c.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(allWrites, writes(sim)); diff != "" {
		t.Error(diff)
	}
	reached(t, client)
	if fw, _ := sim.ReadFile("firewall/100.fw"); !strings.Contains(fw, "192.0.2.99") {
		t.Errorf("a set of somebody else is gone:\n%s", fw)
	}
}

// reached compares what is read with what was wanted.
func reached(t *testing.T, client *pve.Client) {
	t.Helper()
	got, d := guestfirewall.Refresh(t.Context(), client, ct100, declaredAfter(t))
	if d.HasError() || !got.Equal(declaredAfter(t)) {
		t.Errorf("%v\n%s", d, cmp.Diff(declaredAfter(t).String(), got.String()))
	}
}

// Every call fails once, its answer is lost once before it took effect and once
// after. What was done so far is the beginning of the same list of calls, so it is
// no more open than it may be; and the next attempt finishes it.
func TestAChangeThatBreaksOffIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	faults := map[string]func(sim *pvesim.Server, method, path string){
		"refused": func(sim *pvesim.Server, method, path string) {
			sim.FailNext(method, path, pvesim.Fault{Status: 500, Message: "unable to write"})
		},
		"lost before": func(sim *pvesim.Server, method, path string) { sim.DropConnection(method, path, false) },
		"lost after":  func(sim *pvesim.Server, method, path string) { sim.DropConnection(method, path, true) },
	}
	for i, call := range allWrites {
		for name, inject := range faults {
			t.Run(fmt.Sprintf("%s at %s", name, call), func(t *testing.T) {
				t.Parallel()
				sim, client := start(t)
				arm(sim, i, inject)
				c := change(t, client)
				err := c.Close(t.Context())
				if err == nil {
					err = c.Open(t.Context())
				}
				if (err == nil) != (name == "lost after") {
					t.Fatalf("the error is %v", err)
				}
				done := writes(sim)
				if err != nil && !slices.Equal(done, allWrites[:i+1]) {
					t.Errorf("it went on: %s", cmp.Diff(allWrites[:i+1], done))
				}
				// The next plan is made on what is there now.
				now, d := guestfirewall.Refresh(t.Context(), client, ct100, declaredBefore(t))
				again := guestfirewall.Change{Client: client, Ref: ct100, Before: now, After: declaredAfter(t)}
				if err := errors.Join(again.Close(t.Context()), again.Open(t.Context())); err != nil || d.HasError() {
					t.Fatal(err, d)
				}
				reached(t, client)
			})
		}
	}
}

// arm makes the call with this index in allWrites fail. Several calls have the same
// method and path, so those before it are counted.
func arm(sim *pvesim.Server, index int, inject func(sim *pvesim.Server, method, path string)) {
	method, path := target(allWrites[index])
	before := 0
	for _, call := range allWrites[:index] {
		if m, p := target(call); m == method && p == path {
			before++
		}
	}
	var hook func()
	hook = func() {
		if before == 0 {
			inject(sim, method, path)
			return
		}
		before--
		sim.Hook(method, path, hook)
	}
	sim.Hook(method, path, hook)
}

func target(call string) (method, path string) {
	words := strings.Fields(call)
	return words[0], "/nodes/pve1/lxc/100/firewall/" + words[1]
}

func TestTexts(t *testing.T) {
	t.Parallel()
	sim, client := start(t)
	c := change(t, client)
	sim.WriteFile("firewall/100.fw", strings.Replace(strings.Replace(before, "192.0.2.2\n", "192.0.2.3\n", 1), "IN ACCEPT", "IN DROP", 1))
	got := c.Failed(c.Close(t.Context()))
	const detail = "These parts of it are neither what they were when the plan was made nor what the plan wants: the rules, the addresses of net0. Nothing has been changed.\n\n" +
		"Plan again and look at the difference."
	if len(got) != 1 || got[0].Summary() != "The firewall of container 100 has been changed by somebody else since the plan was made" || got[0].Detail() != detail {
		t.Error(got)
	}
	if len(writes(sim)) != 0 {
		t.Errorf("it wrote %q", writes(sim))
	}

	sim.WriteFile("firewall/100.fw", before)
	sim.FailNext("POST", "/nodes/pve1/lxc/100/firewall/rules", pvesim.Fault{Status: 500, Message: "unable to write"})
	c = change(t, client)
	got = c.Failed(c.Close(t.Context()))
	const part = "It was changed in part. What is in effect now lets through no more than before the change, or no more than what the plan wants.\n\n" +
		"The error was: POST /nodes/pve1/lxc/100/firewall/rules: 500 unable to write"
	if want := []string{"Error firewall.rules[0]: The firewall of container 100 could not be changed"}; !slices.Equal(lines(got), want) || got[0].Detail() != part {
		t.Errorf("%q\n%s", lines(got), got[0].Detail())
	}
}
