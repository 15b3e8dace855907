package diags

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// explainNumber says why a number was refused or could not be given.
func explainNumber(err error) (why, remedy string) {
	if e, ok := errors.AsType[*meta.UnreadableBoundaryError](err); ok {
		return explainUnreadable(e)
	}
	if e, ok := errors.AsType[*meta.OutsideError](err); ok {
		return fmt.Sprintf("VMID %d is outside of the VMID range %s (%s): what is outside is not touched and not read.", e.VMID, e.Boundary.Text, e.Boundary.Origin),
			"Use a number within the range, or change the range if this guest is meant to be managed here."
	}
	if e, ok := errors.AsType[*meta.TemplateInsideError](err); ok {
		return fmt.Sprintf("Template %d is inside of the VMID range %s (%s), where numbers are given to guests and guests are destroyed.", e.VMID, e.Boundary.Text, e.Boundary.Origin),
			"A template lives outside of the range: clone it under a number outside, make that clone the template, and use its number here."
	}
	if e, ok := errors.AsType[*meta.RangeOutsideError](err); ok {
		return fmt.Sprintf("The range %s is not within the VMID range %s (%s): numbers outside of it are not ours to give.", e.Range, e.Boundary.Text, e.Boundary.Origin),
			"Choose a start and an end within it, or change the provider's range."
	}
	if e, ok := errors.AsType[*vmidrange.FullError](err); ok {
		return fmt.Sprintf("Every VMID from %d to %d is held by a guest, by volumes or backups that a guest left, or by a running task, or was given out before.", e.Range.Start, e.Range.End),
			"Make the range larger, or remove what is left of guests that are gone."
	}
	if e, ok := errors.AsType[*meta.CollisionError](err); ok {
		return fmt.Sprintf("%d numbers of the range %s in a row turned out to be taken, the last was %d: somebody else creates guests in this range at the moment, or guests are there that this user may not see.", len(e.Tried), e.Range, e.Tried[len(e.Tried)-1]),
			"Apply again when the other is done, set vmid, or give the user VM.Audit on /vms."
	}
	if errors.Is(err, meta.ErrNoBoundary) {
		return "The guest has no vmid, and the provider has no vmid_range to take one from.",
			`Set vmid, or set vmid_range in the provider block, for example "5000-8999": then the lowest free number is taken.`
	}
	return "", ""
}

func explainUnreadable(e *meta.UnreadableBoundaryError) (why, remedy string) {
	if errors.Is(e.Err, meta.ErrNotKnownYet) {
		return fmt.Sprintf("The VMID range (%s) is not known before apply, and a boundary that cannot be read lets nobody in.", e.Origin),
			"Give the range as a literal or a variable, or create first what it depends on, with -target."
	}
	return fmt.Sprintf("The VMID range %q (%s) cannot be read, and a boundary that cannot be read lets nobody in: %v.", e.Text, e.Origin, e.Err),
		"Write it as START-END, for example 5000-8999."
}

// NoRange says that two numbers are no range.
func NoRange(at path.Path, err error) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, capital(err.Error()), "A range goes from start to end, both included. "+Nothing)
}

// RangeFull says that a proxmox_vmid_range has too few numbers.
func RangeFull(at path.Path, e *vmidrange.FullError, taken vmidrange.Set, given vmidrange.Set) diag.Diagnostic {
	held := taken.Within(e.Range).Union(given.Within(e.Range)).Len()
	return diag.NewAttributeErrorDiagnostic(at, capital(e.Error()),
		fmt.Sprintf("No number is left for %s: %d of %d are in use on the cluster or were given out before, and a number that was given once is never given again. %s\n\n"+
			"Raise end or lower start; either is done in place.",
			quoted(e.Names), held, e.Range.Len(), Nothing))
}

// RangeTooSmall says that a range has fewer numbers than names.
func RangeTooSmall(at path.Path, r vmidrange.Range, names int) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, capital((&vmidrange.FullError{Range: r}).Error()),
		fmt.Sprintf("It has %s for %s. %s\n\nRaise end or lower start; either is done in place.", count(r.Len(), "number"), count(names, "name"), Nothing))
}

// RangeLeavesOut says that a changed range would lose numbers in use by names.
func RangeLeavesOut(at path.Path, e *vmidrange.LeftOutError) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, capital(e.Error()),
		fmt.Sprintf("A number stays with its name for as long as the name is reserved. %s\n\n"+
			"Keep the range, or remove the names from reserve first: their numbers retire then.", Nothing))
}

// RangesOverlap says that two ranges of one configuration have numbers in common.
func RangesOverlap(at path.Path, e *meta.OverlapError) diag.Diagnostic {
	other := "that one reserves for nobody"
	if len(e.Other.Names) > 0 {
		other = "that one reserves for " + quoted(e.Other.Names)
	}
	return diag.NewAttributeErrorDiagnostic(at, capital(e.Error())+" of the same configuration",
		fmt.Sprintf("Both would give out the same numbers; %s. %s\n\nSeparate the two ranges.", other, Nothing))
}

// TemplateInRange says that a proxmox_vmid_range contains a template. what
// describes it, for example `template "debian" on node pve1`.
func TemplateInRange(at path.Path, r vmidrange.Range, id guest.VMID, what string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("The range %s contains a template: VMID %d", r, id),
		fmt.Sprintf("VMID %d is %s. A template lives outside of every range, so that nothing which works on a range can meet it. %s\n\n"+
			"Choose a range without it, or clone the template under a number outside and use that clone as the template.", id, what, Nothing))
}

// NumberTaken says that a number was taken after it was planned. what is empty
// when the taker cannot be seen.
func NumberTaken(at path.Path, r vmidrange.Reservation, what string) diag.Diagnostic {
	if what == "" {
		what = "a guest that this user may not see"
	}
	return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("VMID %d was planned for %q and is taken now", r.VMID, r.Name),
		fmt.Sprintf("It is held by %s since the plan was made. %s\n\nPlan again: %q gets another number.", what, Nothing, r.Name))
}

// RangeReplaced says that a range is not made anew.
func RangeReplaced(text string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("The range %s cannot be replaced", text),
		"A range that is made anew has forgotten which numbers it gave out, and every guest that takes its number from it would be reinstalled under another one. "+Nothing+"\n\n"+
			"Change start, end and reserve: each is changed in place. To give one guest another number, reserve another name.")
}

// RangeUnknown says that a range which gave out numbers depends on unknown values.
func RangeUnknown(text string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("The numbers of the range %s would not be known before apply", text),
		"Its start, end or names depend on something that does not exist yet. The numbers that it gave out would look unknown, and the guests that have them would be planned for a reinstall. "+Nothing+"\n\n"+
			"Use names that are known in the plan, or create first what they depend on, with -target.")
}

// LedgerLost warns that a destroyed range forgets which numbers it gave out.
func LedgerLost(r vmidrange.Range, given vmidrange.Set) diag.Diagnostic {
	return diag.NewWarningDiagnostic(fmt.Sprintf("The range %s forgets the %s that it gave out", r, count(given.Len(), "number")),
		fmt.Sprintf("VMIDs %s could be given again by a new range over the same numbers, once nothing on the cluster holds them. Guests that have them are not touched.\n\n"+
			"Keep the resource, with an empty reserve, to keep the numbers out of use.", given))
}

// StoragesUnseen warns that a storage could not be looked into.
func StoragesUnseen(r vmidrange.Range, unseen []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(fmt.Sprintf("Numbers of the range %s may be in use where nobody can look", r),
		fmt.Sprintf("These storages are not available now: %s. A number that only volumes or backups on them hold counts as free, unless it was seen before.\n\n"+
			"Bring them back, or disable them in the cluster if they are gone for good.", strings.Join(unseen, ", ")))
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func quoted(names []string) string {
	const most = 5
	words := make([]string, 0, most)
	for i, name := range names {
		if i == most && len(names) > most+1 {
			words = append(words, fmt.Sprintf("%d others", len(names)-most))
			break
		}
		words = append(words, strconv.Quote(name))
	}
	if last := len(words) - 1; last > 0 {
		return strings.Join(words[:last], ", ") + " and " + words[last]
	}
	return strings.Join(words, "")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
