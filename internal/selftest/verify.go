package selftest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"baton/internal/report"
)

// remains is what a run left on disk, and how the program reads it back.
type remains struct {
	shown     []byte   // answer of "task show ID --all --json"
	live      []byte   // the task file
	archive   []byte   // the archive file
	evidence  []byte   // the evidence file
	leftovers []string // files that should not be there
}

// shown is as much of "task show --json" as the checker looks at.
type shown struct {
	Total    int `json:"total_sessions"`
	Archived int `json:"archived_sessions"`
	Sessions []struct {
		Number   int      `json:"number"`
		Did      []string `json:"did"`
		Archived bool     `json:"archived"`
	} `json:"sessions"`
	Criteria []struct {
		N       int  `json:"n"`
		Checked bool `json:"checked"`
	} `json:"criteria"`
	Output struct {
		Text string `json:"text"`
	} `json:"chain_output"`
	Warnings []struct {
		Code report.Code `json:"code"`
		Text string      `json:"text"`
	} `json:"warnings"`
}

// verify compares what is there with what was acknowledged, and writes tallies and failures into
// the report.
func (r *Report) verify(h *history, left remains) {
	for _, name := range left.leftovers {
		r.fail("%s was left behind", name)
	}
	var view shown
	if err := json.Unmarshal(left.shown, &view); err != nil {
		r.fail("the task cannot be read back: %v", err)
		return
	}
	r.entries(h, view, left)
	r.numbers(view)
	r.evidence(h, left.evidence)
	r.criteria(h, view)
	r.output(h, view)
	for _, w := range view.Warnings {
		if slices.Contains(alarming, w.Code) {
			r.fail("reading the task back warns of %s: %s", w.Code, w.Text)
		}
	}
}

// alarming are the findings that baton's own writes must never cause (5.22, D8).
var alarming = []report.Code{
	report.CodeMetadataInvalid, report.CodeSessionsMismatch, report.CodeSessionNumberGap,
	report.CodeSessionNumberDuplicate, report.CodeDuplicateSection, report.CodeOpaqueSection,
	report.CodeMissingSection, report.CodeUnclosedFence, report.CodeConflictMarkers, report.CodeNotUTF8,
	report.CodeArchiveMissing, report.CodeJournalPending,
}

// entries looks for every log entry, once through the program and once as plain bytes.
func (r *Report) entries(h *history, view shown, left remains) {
	parsed, number := map[string]int{}, map[string]int{}
	for _, session := range view.Sessions {
		found := map[string]int{}
		markers([]byte(strings.Join(session.Did, "\n")), entry, found)
		for marker, n := range found {
			parsed[marker] += n
			number[marker] = session.Number
		}
	}
	plain := map[string]int{}
	markers(left.live, entry, plain)
	markers(left.archive, entry, plain)

	r.Entries = r.tally(h, entry, parsed, "log entry", "as the program reads it")
	if again := r.tally(h, entry, plain, "log entry", "in the bytes of the files"); again != r.Entries {
		r.fail("the program reads %d entries, the files hold %d", r.Entries.Found, again.Found)
	}
	for _, c := range h.changes {
		if c.deed == entry && c.outcome == acknowledged && parsed[c.marker] == 1 && number[c.marker] != c.session {
			r.fail(
				"log entry %s was acknowledged as session %d and is session %d", c.marker, c.session, number[c.marker],
			)
		}
	}
}

// tally compares the counts of markers with the history.
func (r *Report) tally(h *history, kind deed, counts map[string]int, what, where string) Tally {
	var t Tally
	known := map[string]bool{}
	for _, c := range h.changes {
		if c.deed != kind {
			continue
		}
		known[c.marker] = true
		n := counts[c.marker]
		if n > 0 {
			t.Found++
		}
		if n > 1 {
			t.Doubled++
			r.fail("%s %s is there %d times %s (%s)", what, c.marker, n, where, c.outcome)
		}
		switch c.outcome {
		case acknowledged:
			t.Acknowledged++
			if n == 0 {
				t.Lost++
				r.fail("%s %s was acknowledged and is not there %s", what, c.marker, where)
			}
		case refused:
			if n > 0 {
				r.fail("%s %s was refused and is there %s", what, c.marker, where)
			}
		}
	}
	for _, marker := range sorted(counts) {
		if !known[marker] {
			r.fail("%s %s is there %s and was never written", what, marker, where)
		}
	}
	return t
}

// numbers: every session counts one up from the last, archived or not, and the task's own counts
// agree.
func (r *Report) numbers(view shown) {
	seen := map[int]int{}
	archived, highest := 0, 0
	for _, s := range view.Sessions {
		seen[s.Number]++
		highest = max(highest, s.Number)
		if s.Archived {
			archived++
		}
	}
	for n := 1; n <= highest; n++ {
		if seen[n] != 1 {
			r.fail("session number %d is there %d times", n, seen[n])
		}
	}
	if view.Total != len(view.Sessions) {
		r.fail("the task counts %d sessions in all, %d are there", view.Total, len(view.Sessions))
	}
	if view.Archived != archived {
		r.fail("the task counts %d archived sessions, %d are there", view.Archived, archived)
	}
}

// evidence: one JSON object a line, and one record for each acknowledged check (D6).
func (r *Report) evidence(h *history, file []byte) {
	counts := map[string]int{}
	if len(file) > 0 && file[len(file)-1] != '\n' {
		r.fail("the last line of the evidence file is torn")
	}
	for n, line := range bytes.Split(bytes.TrimSuffix(file, []byte("\n")), []byte("\n")) {
		if len(line) == 0 && len(file) == 0 {
			break
		}
		var record map[string]any
		if err := json.Unmarshal(line, &record); err != nil {
			r.fail("line %d of the evidence file is no JSON object: %v", n+1, err)
			continue
		}
		inLine := map[string]int{}
		markers(line, mark, inLine) // a command's marker is in its output as well
		for marker := range inLine {
			counts[marker]++
		}
	}
	r.Evidence = r.tally(h, mark, counts, "evidence", "in the evidence file")
}

// criteria: each box is as one of the changes left it that can have been the last.
func (r *Report) criteria(h *history, view shown) {
	for _, c := range view.Criteria {
		candidates := last(h.changes, func(x *change) bool {
			return (x.deed == mark || x.deed == unmark) && x.criterion == c.N
		})
		possible := !c.Checked && !certain(candidates)
		for _, x := range candidates {
			possible = possible || (x.deed == mark) == c.Checked
		}
		if !possible {
			r.fail("criterion %d is %s, which no change that can have been the last one left", c.N, box(c.Checked))
		}
	}
}

func box(checked bool) string {
	if checked {
		return "checked"
	}
	return "unchecked"
}

// output: the summary is that of one of the changes that can have been the last, whole and alone.
func (r *Report) output(h *history, view shown) {
	counts := map[string]int{}
	markers([]byte(view.Output.Text), deliver, counts)
	candidates := last(h.changes, func(c *change) bool { return c.deed == deliver })
	if len(counts) == 0 && !certain(candidates) {
		return
	}
	found := sorted(counts)
	possible := slices.ContainsFunc(candidates, func(c *change) bool { return len(found) == 1 && c.marker == found[0] })
	if !possible {
		r.fail("the chain output holds %s, which no change that can have been the last one wrote", list(found))
	}
}

// certain reports whether one of the changes is known to have taken effect, so that the first value
// is gone.
func certain(changes []*change) bool {
	return slices.ContainsFunc(changes, func(c *change) bool { return c.outcome == acknowledged })
}

func list(found []string) string {
	if len(found) == 0 {
		return "nothing"
	}
	return strings.Join(found, " and ")
}

func sorted(counts map[string]int) []string {
	keys := make([]string, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
