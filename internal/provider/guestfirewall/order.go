package guestfirewall

import (
	"maps"
	"slices"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

// Rule is a rule by Proxmox's keys; enable is always among them. The first rule
// that fits decides what becomes of a packet.
type Rule map[string]string

// Do is what a Step does to a list of rules.
type Do string

// What a step does.
const (
	Insert   Do = "insert"   // puts Rule first, disabled
	Move     Do = "move"     // puts the rule at At right before the one that is at To
	Enable   Do = "enable"   // enables the rule at At
	Remove   Do = "remove"   // removes the rule at At
	Describe Do = "describe" // gives the rule at At the comment and the log level of Rule
)

// Step is one call that changes a list of rules.
type Step struct {
	Do     Do
	At, To int
	Rule   Rule
	// Index is the place in the wanted list of the rule that the step is about, -1
	// for a rule that goes.
	Index int
	// Opens says that the step may let more through, and that no step is left that
	// lets less through.
	Opens bool
}

// NextStep is the next call that brings a list of rules nearer to the wanted one;
// ok is false when it is reached.
//
// New rules are put in their places disabled, which changes nothing. Then come
// the steps that can only close: those that refuse are enabled, and those that
// accept and shall go are removed. After these steps everything that is let
// through was let through before. Only then come the steps that open: new rules
// that accept are enabled from the top, so that none is ahead of one above it.
// From then on everything that is let through is let through in the end. What a
// security group does is not known here: one is treated as opening when it comes
// and as closing when it goes.
func NextStep(live, wanted []Rule) (step Step, ok bool) {
	places := align(live, wanted)
	for i, next := range []func(live, wanted []Rule, places []int) (Step, bool){
		place, enable(refuses), remove(accepts), enable(anything), remove(anything), describe,
	} {
		if step, ok := next(live, wanted, places); ok {
			step.Opens = i > 2
			return step, true
		}
	}
	return Step{}, false
}

// Result is the list after the step. Source of how a rule is moved:
// PVE::API2::Firewall::RulesBase update_rule.
func (s Step) Result(rules []Rule) []Rule {
	result := make([]Rule, 0, len(rules)+1)
	for _, rule := range rules {
		result = append(result, maps.Clone(rule))
	}
	switch s.Do {
	case Insert:
		return slices.Insert(result, 0, s.disabled())
	case Move:
		moved := result[s.At]
		if s.To > s.At {
			return slices.Delete(slices.Insert(result, s.To, moved), s.At, s.At+1)
		}
		return slices.Insert(slices.Delete(result, s.At, s.At+1), s.To, moved)
	case Enable:
		result[s.At]["enable"] = "1"
	case Remove:
		return slices.Delete(result, s.At, s.At+1)
	case Describe:
		for _, key := range cosmetic {
			delete(result[s.At], key)
			if text, ok := s.Rule[key]; ok {
				result[s.At][key] = text
			}
		}
	}
	return result
}

func (s Step) disabled() Rule {
	rule := maps.Clone(s.Rule)
	rule["enable"] = "0"
	return rule
}

// cosmetic are the keys that do not matter for what a rule lets through.
var cosmetic = []string{"comment", "log"}

// match says how a rule of the live list stands for a wanted one: 0 not at all,
// 1 it waits to be enabled, 2 it filters the same.
func match(live, wanted Rule) int {
	different := slices.DeleteFunc(keys.Differences[ruleModel](live, wanted), func(key string) bool { return slices.Contains(cosmetic, key) })
	switch {
	case len(different) == 0:
		return 2
	case len(different) == 1 && different[0] == "enable" && live["enable"] == "0":
		return 1
	}
	return 0
}

// align finds for each wanted rule the live one that stands for it, -1 for none:
// a longest common subsequence, and of those the one that has the most rules
// that filter already.
func align(live, wanted []Rule) []int {
	pair := len(wanted) + 1 // outweighs every preference
	best := make([][]int, len(live)+1)
	for i := range best {
		best[i] = make([]int, len(wanted)+1)
	}
	worth := func(i, j int) int {
		if m := match(live[i], wanted[j]); m > 0 {
			return best[i+1][j+1] + pair + m - 1
		}
		return -1
	}
	for i := len(live) - 1; i >= 0; i-- {
		for j := len(wanted) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1], worth(i, j))
		}
	}
	places := slices.Repeat([]int{-1}, len(wanted))
	for i, j := 0, 0; i < len(live) && j < len(wanted); {
		switch best[i][j] {
		case worth(i, j):
			places[j] = i
			i, j = i+1, j+1
		case best[i+1][j]:
			i++
		default:
			j++
		}
	}
	return places
}

// place brings the first wanted rule that is missing into its place: one that
// stands elsewhere without effect is moved, else a new one is put first.
func place(live, wanted []Rule, places []int) (Step, bool) {
	index := slices.Index(places, -1)
	if index < 0 {
		return Step{}, false
	}
	for at, rule := range live {
		if rule["enable"] == "0" && !slices.Contains(places, at) && match(rule, wanted[index]) > 0 {
			to := 0
			if index > 0 {
				to = places[index-1] + 1
			}
			return Step{Do: Move, At: at, To: to, Index: index}, true
		}
	}
	return Step{Do: Insert, Rule: wanted[index], Index: index}, true
}

// enable enables, from the top, wanted rules that wait for it.
func enable(which func(Rule) bool) func(live, wanted []Rule, places []int) (Step, bool) {
	return func(live, wanted []Rule, places []int) (Step, bool) {
		for index, at := range places {
			if match(live[at], wanted[index]) == 1 && which(wanted[index]) {
				return Step{Do: Enable, At: at, Index: index}, true
			}
		}
		return Step{}, false
	}
}

// remove removes, from the bottom, rules that are not wanted.
func remove(which func(Rule) bool) func(live, wanted []Rule, places []int) (Step, bool) {
	return func(live, _ []Rule, places []int) (Step, bool) {
		for at, rule := range slices.Backward(live) {
			if !slices.Contains(places, at) && which(rule) {
				return Step{Do: Remove, At: at, Index: -1}, true
			}
		}
		return Step{}, false
	}
}

func describe(live, wanted []Rule, places []int) (Step, bool) {
	for index, at := range places {
		if len(keys.Differences[ruleModel](live[at], wanted[index])) > 0 {
			return Step{Do: Describe, At: at, Rule: wanted[index], Index: index}, true
		}
	}
	return Step{}, false
}

func accepts(r Rule) bool { return r["type"] != "group" && r["action"] == "ACCEPT" }
func refuses(r Rule) bool { return r["type"] != "group" && !accepts(r) }
func anything(Rule) bool  { return true }
