package digests

import (
	"bytes"
	"fmt"

	"baton/internal/ledger"
	"baton/internal/ledger/restore"
	"baton/internal/report"
	"baton/internal/safetext"
)

// fewestDoubled is how many doubled decisions are reported at least. A single one may be
// deliberate: somebody made the same decision twice on one day, and one of the two was moved. An
// old text that is restored after a move doubles many.
const fewestDoubled = 2

// decisionsDoubled reports decisions that are in the digest and in its archive with the same date
// and words. A rotation moves a decision, so it is never in both; restoring an old text of one file
// brings it back.
func (d *DigestDoc) decisionsDoubled() []report.Finding {
	if len(d.archive) == 0 {
		return nil
	}
	archived := map[string]bool{}
	for _, e := range d.At.EntriesOf(d.Place.Archive, d.archive) {
		archived[e.Key] = e.Kind == ledger.Decision
	}
	var both []ledger.Entry
	for _, e := range d.At.EntriesOf(d.Place.State, d.Data) {
		if archived[e.Key] && e.Kind == ledger.Decision {
			both = append(both, e)
		}
	}
	if len(both) < fewestDoubled {
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
