package project

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"baton/internal/report"
)

// Lost lists entries that the ledger knows and that are in no document now, with what is known of them (D9). It takes no lock and writes nothing.
// A missing ledger is no error: then nothing is known to be lost. NotFound no_project.
func (p *Project) Lost(ctx context.Context, r LostRequest) (LostList, error) {
	const op = "lost"
	roots, done, err := p.lossRoots(ctx, op)
	if err != nil {
		return LostList{}, err
	}
	defer done()
	out := LostList{Busy: anyBusy(roots), Warnings: append([]report.Finding{}, p.config().warnings()...)}
	var found []loss
	var began sightings
	for _, at := range roots {
		out.Off = out.Off || !at.config().on("ledger.keep")
		told, err := at.toldLosses(ctx, lossAsk{Git: true, All: r.All, Patience: lossPatience})
		if err != nil {
			return LostList{}, inOp(err, op)
		}
		found = append(found, told.Found...)
		out.Unsure += told.Unsure
		out.Warnings = append(out.Warnings, told.warnings()...)
		if err := at.sightings(ctx, &began); err != nil {
			return LostList{}, inOp(err, op)
		}
	}
	slices.Sort(began.unseen)
	if out.Unseen = compact(began.unseen); !began.first.IsZero() {
		out.Since, out.AllSince = stamp(began.first), stamp(slices.MaxFunc([]time.Time{began.first, began.last}, time.Time.Compare))
	}
	out.Lost = lostEntries(found, found)
	return out, ctx.Err()
}

// lossRoots gives the projects whose documents the ledgers watch: p itself, and the one that holds the digest where that is below another
// root. done lets go of the other.
func (p *Project) lossRoots(ctx context.Context, op string) (roots []*Project, done func(), err error) {
	if err := p.needAny(op); err != nil {
		return nil, nil, err
	}
	if root, places := p.digestRoot(); len(places) > 0 && root != p.root {
		at, _, err := p.forDigest(ctx, op)
		if err != nil {
			return nil, nil, err
		}
		return []*Project{p, at}, func() { _ = at.Close() }, nil
	}
	return []*Project{p}, func() {}, nil
}

// anyBusy says whether a merge, a rebase or a bisect is going on in one of some projects.
func anyBusy(roots []*Project) bool {
	return slices.ContainsFunc(roots, func(p *Project) bool { return p.git.Busy() })
}

// Digits of the ids of missing entries: as they are shown, and as they may be given.
const (
	shownLossID = 7
	leastLossID = 4
)

// lostEntries shows missing entries, with ids that are unambiguous among all of them.
func lostEntries(list, among []loss) []LostEntry {
	out := make([]LostEntry, 0, len(list))
	short := shortKeys(among)
	for i := range list {
		known := list[i].Known
		out = append(out, LostEntry{
			ID: short(known.Key), Key: known.Key, Kind: string(known.Kind), Label: labelShown(known.Label), Text: known.Raw,
			Document: list[i].Doc, Section: known.Section, Number: known.Number, Fate: string(list[i].Fate),
			Became: oneLine(neutral(list[i].Became)), Seen: stamp(known.Last.At), Source: list[i].source(),
			By: oneLine(neutral(known.First.By)), Command: oneLine(neutral(known.First.Command)), Head: known.Last.Head,
		})
	}
	return out
}

// shortKeys gives a function for the beginning of a key that no other one has.
func shortKeys(among []loss) func(key string) string {
	keys := make([]string, len(among))
	for i := range among {
		keys[i] = among[i].Known.Key
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return func(key string) string {
		n := min(shownLossID, len(key))
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

// pickLosses gives the missing entries that somebody means by ids, or without any all that are lost. The same words in two documents
// are one id and two entries. Usage lost_invalid, NotFound lost_unknown, Conflict lost_ambiguous.
func pickLosses(found []loss, ids []string) ([]loss, error) {
	if len(ids) == 0 {
		return slices.DeleteFunc(slices.Clone(found), func(l loss) bool { return l.Fate != lossLost }), nil
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		key, err := lossKey(found, id)
		if err != nil {
			return nil, err
		}
		wanted[key] = true
	}
	return slices.DeleteFunc(slices.Clone(found), func(l loss) bool { return !wanted[l.Known.Key] }), nil
}

// lossKey gives the one key that an id stands for.
func lossKey(found []loss, id string) (string, error) {
	const hint = "`baton lost --all` shows what there is"
	id = strings.ToLower(id)
	if len(id) < leastLossID || strings.Trim(id, "0123456789abcdef") != "" {
		return "", &report.Error{
			Kind: report.Usage, Code: "lost_invalid", Hint: hint,
			Message: fmt.Sprintf("%q is no id of a missing entry: one has at least %d of the digits 0 to 9 and a to f", id, leastLossID),
		}
	}
	var meant []loss
	for _, l := range found {
		if strings.HasPrefix(l.Known.Key, id) && !slices.ContainsFunc(meant, func(o loss) bool { return o.Known.Key == l.Known.Key }) {
			meant = append(meant, l)
		}
	}
	switch len(meant) {
	case 1:
		return meant[0].Known.Key, nil
	case 0:
		return "", &report.Error{Kind: report.NotFound, Code: "lost_unknown", Message: "no missing entry has the id " + id, Hint: hint}
	}
	short := shortKeys(found)
	names := make([]string, len(meant))
	for i := range meant {
		names[i] = short(meant[i].Known.Key) + " (" + lossName(meant[i].Known) + ")"
	}
	return "", &report.Error{
		Kind: report.Conflict, Code: "lost_ambiguous", Hint: "give more of its digits",
		Message: "several missing entries have ids that begin with " + id + ": " + strings.Join(names, ", "),
	}
}

// byDocument puts missing entries together by the document in which they stood, sorted by its name.
func byDocument(found []loss) (names []string, lists map[string][]loss) {
	lists = map[string][]loss{}
	for _, l := range found {
		name := cmp.Or(l.Doc, l.Family)
		lists[name] = append(lists[name], l)
	}
	return sortedKeys(lists), lists
}
