package loss

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// Lost lists the entries that are in the ledger but in no document, with their fates (D9). It takes
// no lock and writes nothing. Without a ledger, nothing is known to be lost. It fails with NotFound
// no_project.
func (p Loss) Lost(ctx context.Context, r LostRequest) (LostList, error) {
	const op = "lost"
	roots, done, err := p.LossRoots(ctx, op)
	if err != nil {
		return LostList{}, err
	}
	defer done()
	for _, at := range roots {
		defer Of(at).Patiently()()
	}
	out := LostList{Files: []LostFile{}, Warnings: append([]report.Finding{}, p.Settings().Warnings()...)}
	var found []Entry
	var known coverage
	for _, at := range roots {
		out.Busy = out.Busy || at.Git.Busy()
		out.Off = out.Off || !at.Settings().On("ledger.keep")
		got, err := Of(at).Find(ctx, Query{Git: true, All: r.All, Patience: LossPatience})
		if err != nil {
			return LostList{}, workspace.InOp(err, op)
		}
		found = append(found, got.Found...)
		out.Unsure += got.Unsure
		gone, err := Of(at).GoneFiles(ctx, nil)
		if err != nil {
			return LostList{}, workspace.InOp(err, op)
		}
		for _, g := range gone {
			file := LostFile{Path: g.Name, Kind: g.Kind, Task: g.id}
			if g.Rescue != "" {
				file.Restore = "baton " + g.Rescue
			}
			out.Files = append(out.Files, file)
		}
		emptied, err := Of(at).emptiedFindings(ctx)
		if err != nil {
			return LostList{}, workspace.InOp(err, op)
		}
		out.Warnings = append(append(out.Warnings, emptied...), got.AllWarnings()...)
		if err := Of(at).addCoverage(ctx, &known); err != nil {
			return LostList{}, workspace.InOp(err, op)
		}
	}
	slices.Sort(known.unseen)
	if out.Unseen = workspace.Compact(known.unseen); !known.first.IsZero() {
		out.Since, out.AllSince = workspace.Stamp(known.first), workspace.Stamp(known.first)
		if known.last.After(known.first) {
			out.AllSince = workspace.Stamp(known.last)
		}
	}
	out.Lost = LostEntries(found, found)
	return out, ctx.Err()
}

// LossRoots returns the workspaces whose documents have ledgers: p itself, and the one of the
// digest if that is below another root. done closes the other one.
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

// The number of digits in the ids of missing entries: as shown, and the least that must be given.
const (
	ShownLossID = 7
	LeastLossID = 4
)

// LostEntries converts missing entries for people. Their ids are unambiguous among all missing
// entries.
func LostEntries(list, among []Entry) []LostEntry {
	out := make([]LostEntry, 0, len(list))
	short := ShortKeys(among)
	for i := range list {
		known := list[i].Known
		out = append(out, LostEntry{
			ID: short(known.Key), Key: known.Key, Kind: string(known.Kind),
			Label: LabelShown(known.Label), Text: known.Raw,
			Document: list[i].Doc, Section: known.Section, Number: known.Number, Fate: string(list[i].Fate),
			Became: safetext.Line(list[i].Became), Seen: workspace.Stamp(known.Last.At),
			Source: list[i].source(), By: safetext.Line(known.First.By),
			Command: safetext.Line(known.First.Command), Head: known.Last.Head,
		})
	}
	return out
}

// ShortKeys returns a function that shortens a key to a prefix that no other key has.
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
		for _, i := range [...]int{at - 1, next} { // the keys with the longest common prefix are next to it
			for i >= 0 && i < len(keys) && n < len(key) && strings.HasPrefix(keys[i], key[:n]) {
				n++
			}
		}
		return key[:n]
	}
}

// PickLosses returns the missing entries with the given ids, or all lost ones without ids. Equal
// words in two documents share an id but are two entries. It fails with Usage lost_invalid, with
// NotFound lost_unknown, and with Conflict lost_ambiguous.
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

// lossKey returns the key that an id refers to.
func lossKey(found []Entry, id string) (string, error) {
	const hint = "`baton lost --all` lists them"
	id = strings.ToLower(id)
	if len(id) < LeastLossID || strings.Trim(id, "0123456789abcdef") != "" {
		return "", &report.Error{
			Kind: report.Usage, Code: report.CodeLostInvalid, Hint: hint,
			Message: fmt.Sprintf("%q is not the id of a missing entry: an id has at least %d of the digits 0 to 9 "+
				"and a to f",
				id, LeastLossID),
		}
	}
	var meant []Entry
	for _, l := range found {
		same := func(o Entry) bool { return o.Known.Key == l.Known.Key }
		if strings.HasPrefix(l.Known.Key, id) && !slices.ContainsFunc(meant, same) {
			meant = append(meant, l)
		}
	}
	switch len(meant) {
	case 1:
		return meant[0].Known.Key, nil
	case 0:
		return "", &report.Error{
			Kind: report.NotFound, Code: report.CodeLostUnknown, Message: "no missing entry has the id " + id,
			Hint: hint,
		}
	}
	short := ShortKeys(found)
	names := make([]string, len(meant))
	for i := range meant {
		names[i] = short(meant[i].Known.Key) + " (" + lossName(meant[i].Known) + ")"
	}
	return "", &report.Error{
		Kind: report.Conflict, Code: report.CodeLostAmbiguous, Hint: "give more of its digits",
		Message: "several missing entries have ids that begin with " + id + ": " + strings.Join(names, ", "),
	}
}

// ByDocument groups missing entries by the document that contained them. names is sorted.
func ByDocument(found []Entry) (names []string, lists map[string][]Entry) {
	lists = map[string][]Entry{}
	for _, l := range found {
		name := cmp.Or(l.Doc, l.Family)
		lists[name] = append(lists[name], l)
	}
	return workspace.SortedKeys(lists), lists
}
