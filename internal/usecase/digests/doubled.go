package digests

import (
	"bytes"
	"fmt"

	"baton/internal/digest/decision"
	"baton/internal/ledger"
	"baton/internal/ledger/restore"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// fewestDoubled is how many doubled decisions are reported at least. A single one may be
// deliberate: somebody made the same decision twice on one day, and one of the two was moved. An
// old text that is restored after a move doubles many.
const fewestDoubled = 2

// decisionsDoubled reports decisions that are in the digest and in its archive with the same date
// and words. A rotation moves a decision, so it is never in both; restoring an old text of one file
// brings it back.
func (d *DigestDoc) decisionsDoubled() []report.Finding {
	_, both := Of(d.At).doubled(d.Place, d.Data, d.archive)
	if len(both) == 0 {
		return nil
	}
	line := 0
	if at := restore.Spans(d.Data, both[:1])[0]; at.Len() > 0 {
		line = bytes.Count(d.Data[:at.Start], []byte("\n")) + 1
	}
	return []report.Finding{report.CodeDecisionDoubled.Finding(d.Place.State, line,
		fmt.Sprintf("%d decisions are here and also in %s, with the same date and text, from %s to %s", len(both),
			d.Place.Archive, safetext.Quote(both[0].Label), safetext.Quote(both[len(both)-1].Label)))}
}

// doubled returns the decisions of a digest, and those of them that its archive has too. There are
// none if too few are in both.
func (p Digests) doubled(place workspace.DigestPlace, text, archive []byte) (all, both []ledger.Entry) {
	if len(archive) == 0 {
		return nil, nil
	}
	archived := map[string]bool{}
	for _, e := range p.EntriesOf(place.Archive, archive) {
		archived[e.Key] = e.Kind == ledger.Decision
	}
	for _, e := range p.EntriesOf(place.State, text) {
		if e.Kind != ledger.Decision {
			continue
		}
		all = append(all, e)
		if archived[e.Key] {
			both = append(both, e)
		}
	}
	if len(both) < fewestDoubled {
		return all, nil
	}
	return all, both
}

// undoubled returns a digest without the decisions that its archive has too, and how many these
// are. It leaves the digest as it is if its newest decision is one of them: then somebody copied
// decisions to the archive that belong in the digest.
func (p Digests) undoubled(place workspace.DigestPlace, text, archive []byte) ([]byte, int) {
	all, both := p.doubled(place, text, archive)
	if len(both) == 0 {
		return text, 0
	}
	newest := all[len(all)-1]
	if decision.Read(text, place.Form(), p.Policy(place)).Direction == decision.NewestFirst {
		newest = all[0]
	}
	keys := make(map[string]bool, len(both))
	for _, e := range both {
		keys[e.Key] = true
	}
	if keys[newest.Key] {
		return text, 0
	}
	next, ok := restore.Without(text, func(data []byte) []ledger.Entry { return p.EntriesOf(place.State, data) }, keys)
	if !ok {
		return text, 0
	}
	return next, len(both)
}
