package loss

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// Lost lists entries that the ledger knows and that are in no document now, with what is known of them (D9). It takes no lock and writes nothing.
// A missing ledger is no error: then nothing is known to be lost. NotFound no_project.
func (p Loss) Lost(ctx context.Context, r LostRequest) (LostList, error) {
	const op = "lost"
	roots, done, err := p.LossRoots(ctx, op)
	if err != nil {
		return LostList{}, err
	}
	defer done()
	out := LostList{Busy: anyBusy(roots), Warnings: append([]report.Finding{}, p.Settings().Warnings()...)}
	var found []Entry
	var began sightings
	for _, at := range roots {
		out.Off = out.Off || !at.Settings().On("ledger.keep")
		told, err := Of(at).ToldLosses(ctx, Question{Git: true, All: r.All, Patience: LossPatience})
		if err != nil {
			return LostList{}, workspace.InOp(err, op)
		}
		found = append(found, told.Found...)
		out.Unsure += told.Unsure
		out.Warnings = append(out.Warnings, told.AllWarnings()...)
		if err := Of(at).sightings(ctx, &began); err != nil {
			return LostList{}, workspace.InOp(err, op)
		}
	}
	slices.Sort(began.unseen)
	if out.Unseen = workspace.Compact(began.unseen); !began.first.IsZero() {
		out.Since, out.AllSince = workspace.Stamp(began.first), workspace.Stamp(slices.MaxFunc([]time.Time{began.first, began.last}, time.Time.Compare))
	}
	out.Lost = LostEntries(found, found)
	return out, ctx.Err()
}

// LossRoots gives the projects whose documents the ledgers watch: p itself, and the one that holds the digest where that is below another
// root. done lets go of the other.
func (p Loss) LossRoots(ctx context.Context, op string) (roots []*workspace.Workspace, done func(), err error) {
	if err := p.NeedAny(op); err != nil {
		return nil, nil, err
	}
	if root, places := p.DigestRoot(); len(places) > 0 && root != p.Root {
		at, _, err := p.ForDigest(ctx, op)
		if err != nil {
			return nil, nil, err
		}
		return []*workspace.Workspace{p.Workspace, at}, func() { _ = at.Close() }, nil
	}
	return []*workspace.Workspace{p.Workspace}, func() {}, nil
}

// anyBusy says whether a merge, a rebase or a bisect is going on in one of some projects.
func anyBusy(roots []*workspace.Workspace) bool {
	return slices.ContainsFunc(roots, func(p *workspace.Workspace) bool { return p.Git.Busy() })
}

// Digits of the ids of missing entries: as they are shown, and as they may be given.
const (
	ShownLossID = 7
	LeastLossID = 4
)

// LostEntries shows missing entries, with ids that are unambiguous among all of them.
func LostEntries(list, among []Entry) []LostEntry {
	out := make([]LostEntry, 0, len(list))
	short := ShortKeys(among)
	for i := range list {
		known := list[i].Known
		out = append(out, LostEntry{
			ID: short(known.Key), Key: known.Key, Kind: string(known.Kind), Label: LabelShown(known.Label), Text: known.Raw,
			Document: list[i].Doc, Section: known.Section, Number: known.Number, Fate: string(list[i].Fate),
			Became: safetext.Line(list[i].Became), Seen: workspace.Stamp(known.Last.At), Source: list[i].source(),
			By: safetext.Line(known.First.By), Command: safetext.Line(known.First.Command), Head: known.Last.Head,
		})
	}
	return out
}

// ShortKeys gives a function for the beginning of a key that no other one has.
func ShortKeys(among []Entry) func(key string) string {
	keys := make([]string, len(among))
	for i := range among {
		keys[i] = among[i].Known.Key
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return func(key string) string {
		n := min(ShownLossID, len(key))
		at, in := slices.BinarySearch(keys, key)
		next := at
		if in {
			next++
		}
		for _, i := range [...]int{at - 1, next} { // what has more in common stands nearer
			for i >= 0 && i < len(keys) && n < len(key) && strings.HasPrefix(keys[i], key[:n]) {
				n++
			}
		}
		return key[:n]
	}
}

// PickLosses gives the missing entries that somebody means by ids, or without any all that are lost. The same words in two documents
// are one id and two entries. Usage lost_invalid, NotFound lost_unknown, Conflict lost_ambiguous.
func PickLosses(found []Entry, ids []string) ([]Entry, error) {
	if len(ids) == 0 {
		return slices.DeleteFunc(slices.Clone(found), func(l Entry) bool { return l.Fate != FateLost }), nil
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		key, err := lossKey(found, id)
		if err != nil {
			return nil, err
		}
		wanted[key] = true
	}
	return slices.DeleteFunc(slices.Clone(found), func(l Entry) bool { return !wanted[l.Known.Key] }), nil
}

// lossKey gives the one key that an id stands for.
func lossKey(found []Entry, id string) (string, error) {
	const hint = "`baton lost --all` shows what there is"
	id = strings.ToLower(id)
	if len(id) < LeastLossID || strings.Trim(id, "0123456789abcdef") != "" {
		return "", &report.Error{
			Kind: report.Usage, Code: "lost_invalid", Hint: hint,
			Message: fmt.Sprintf("%q is no id of a missing entry: one has at least %d of the digits 0 to 9 and a to f", id, LeastLossID),
		}
	}
	var meant []Entry
	for _, l := range found {
		if strings.HasPrefix(l.Known.Key, id) && !slices.ContainsFunc(meant, func(o Entry) bool { return o.Known.Key == l.Known.Key }) {
			meant = append(meant, l)
		}
	}
	switch len(meant) {
	case 1:
		return meant[0].Known.Key, nil
	case 0:
		return "", &report.Error{Kind: report.NotFound, Code: "lost_unknown", Message: "no missing entry has the id " + id, Hint: hint}
	}
	short := ShortKeys(found)
	names := make([]string, len(meant))
	for i := range meant {
		names[i] = short(meant[i].Known.Key) + " (" + lossName(meant[i].Known) + ")"
	}
	return "", &report.Error{
		Kind: report.Conflict, Code: "lost_ambiguous", Hint: "give more of its digits",
		Message: "several missing entries have ids that begin with " + id + ": " + strings.Join(names, ", "),
	}
}

// ByDocument puts missing entries together by the document in which they stood, sorted by its name.
func ByDocument(found []Entry) (names []string, lists map[string][]Entry) {
	lists = map[string][]Entry{}
	for _, l := range found {
		name := cmp.Or(l.Doc, l.Family)
		lists[name] = append(lists[name], l)
	}
	return workspace.SortedKeys(lists), lists
}
