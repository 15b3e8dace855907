package guestfirewall_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
)

type rules = []guestfirewall.Rule

// parse reads a list of rules such as "+ACCEPT 1, -DROP": enabled or not, the
// action or the name of a group, and the source, all of them if there is none.
func parse(text string) rules {
	var list rules
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		action, source, _ := strings.Cut(word[1:], " ")
		r := guestfirewall.Rule{"type": "in", "action": action, "enable": map[byte]string{'+': "1", '-': "0"}[word[0]]}
		if strings.HasPrefix(action, "g") {
			r["type"] = "group"
		}
		if source != "" {
			r["source"] = source
		}
		list = append(list, r)
	}
	return list
}

func TestNextStep(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		live, wanted string
		steps        []string
	}{
		"nothing to do":                       {"+ACCEPT 1, +DROP", "+ACCEPT 1, +DROP", nil},
		"a rule that accepts, at the end":     {"+DROP 1", "+DROP 1, +ACCEPT", []string{"insert ACCEPT", "move 0 2", "enable 1"}},
		"a rule that refuses, at the front":   {"+ACCEPT", "+DROP 1, +ACCEPT", []string{"insert DROP", "enable 0"}},
		"what accepts goes before it comes":   {"+ACCEPT 1", "+ACCEPT 2", []string{"insert ACCEPT", "remove 1", "enable 0"}},
		"what refuses comes before it goes":   {"+DROP 1", "+DROP 2", []string{"insert DROP", "enable 0", "remove 1"}},
		"a new order":                         {"+ACCEPT 1, +DROP", "+DROP, +ACCEPT 1", []string{"insert ACCEPT", "move 0 3", "remove 0", "enable 1"}},
		"a rule is disabled":                  {"+ACCEPT", "-ACCEPT", []string{"insert ACCEPT", "remove 1"}},
		"a rule is enabled":                   {"-ACCEPT", "+ACCEPT", []string{"enable 0"}},
		"an attempt that broke off":           {"-ACCEPT 2, +ACCEPT 1", "+ACCEPT 1, +ACCEPT 2", []string{"move 0 2", "enable 1"}},
		"two that accept, from the top":       {"", "+ACCEPT 1, +ACCEPT 2", []string{"insert ACCEPT", "insert ACCEPT", "move 0 2", "enable 0", "enable 1"}},
		"all go, from the bottom":             {"+DROP 1, +ACCEPT, +DROP 2", "", []string{"remove 1", "remove 1", "remove 0"}},
		"a group comes with what opens":       {"", "+g1, +ACCEPT", []string{"insert g1", "insert ACCEPT", "move 0 2", "enable 0", "enable 1"}},
		"a group goes with what refuses":      {"+g1, +ACCEPT", "+ACCEPT", []string{"remove 0"}},
		"the same rule twice is not one rule": {"+ACCEPT 1", "+ACCEPT 1, +ACCEPT 1", []string{"insert ACCEPT", "enable 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live, wanted := parse(tc.live), parse(tc.wanted)
			var steps []string
			for {
				step, ok := guestfirewall.NextStep(live, wanted)
				if !ok {
					break
				}
				steps = append(steps, short(step))
				live = step.Result(live)
			}
			if diff := cmp.Diff(tc.steps, steps); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func short(s guestfirewall.Step) string {
	switch s.Do {
	case guestfirewall.Insert:
		return "insert " + s.Rule["action"]
	case guestfirewall.Move:
		return fmt.Sprintf("move %d %d", s.At, s.To)
	}
	return fmt.Sprintf("%s %d", s.Do, s.At)
}

func TestCommentsAndLogLevelsAreChangedInPlace(t *testing.T) {
	t.Parallel()
	live := rules{{"type": "in", "action": "ACCEPT", "enable": "1", "comment": "old", "log": "info"}}
	wanted := rules{{"type": "in", "action": "ACCEPT", "enable": "1", "comment": "new"}}
	step, ok := guestfirewall.NextStep(live, wanted)
	if !ok || step.Do != guestfirewall.Describe || step.At != 0 {
		t.Fatalf("%+v %v", step, ok)
	}
	if diff := cmp.Diff(wanted, step.Result(live)); diff != "" {
		t.Error(diff)
	}
	if _, more := guestfirewall.NextStep(step.Result(live), wanted); more {
		t.Error("there is more to do")
	}
}

// groups are what is in the security groups of the following test.
var groups = map[string]rules{"g1": parse("+ACCEPT 1, +DROP 2"), "g2": parse("+DROP 3, +ACCEPT")}

// verdict is what becomes of a packet: the first enabled rule that fits decides.
func verdict(list rules, packet string) string {
	for _, r := range list {
		switch {
		case r["enable"] != "1" || r["source"] != "" && r["source"] != packet:
		case r["type"] != "group":
			return r["action"]
		default:
			if v := verdict(groups[r["action"]], packet); v != "" {
				return v
			}
		}
	}
	return ""
}

func accepted(list rules, policy string) string {
	var all []string
	for _, packet := range []string{"1", "2", "3", "4"} {
		v := verdict(list, packet)
		if v == "" {
			v = policy
		}
		if v == "ACCEPT" {
			all = append(all, packet)
		}
	}
	return strings.Join(all, " ")
}

// within reports whether everything of a is in b.
func within(a, b string) bool {
	for packet := range strings.FieldsSeq(a) {
		if !strings.Contains(b, packet) {
			return false
		}
	}
	return true
}

// Whatever becomes of the update: every list on the way lets through no more than
// the one before it or the one after it. With groups, whose content is not known,
// each packet that is let through is let through by one of the two.
func TestNoListOnTheWayIsMoreOpen(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	list := func(actions []string) rules {
		var words []string
		for range random.IntN(6) {
			words = append(words, []string{"+", "+", "-"}[random.IntN(3)]+actions[random.IntN(len(actions))]+[]string{"", " 1", " 2", " 3"}[random.IntN(4)])
		}
		return parse(strings.Join(words, ","))
	}
	for _, grouped := range []bool{false, true} {
		actions := []string{"ACCEPT", "DROP", "REJECT"}
		if grouped {
			actions = append(actions, "g1", "g2")
		}
		for round := range 500 {
			before, wanted := list(actions), list(actions)
			live := before
			for step := 0; ; step++ {
				next, ok := guestfirewall.NextStep(live, wanted)
				if !ok {
					break
				}
				live = next.Result(live)
				for _, policy := range []string{"DROP", "ACCEPT"} {
					was, will, now := accepted(before, policy), accepted(wanted, policy), accepted(live, policy)
					bad := !within(now, was) && !within(now, will)
					if grouped {
						bad = !within(now, was+" "+will)
					}
					if bad {
						t.Fatalf("round %d: %v lets %q through on the way from %v (%q) to %v (%q), policy %s", round, live, now, before, was, wanted, will, policy)
					}
				}
				if step > 100 {
					t.Fatalf("no end from %v to %v: %v", before, wanted, live)
				}
			}
			if diff := cmp.Diff(wanted, live); diff != "" && len(wanted)+len(live) > 0 {
				t.Fatalf("from %v: %s", before, diff)
			}
		}
	}
}
