package project

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"baton/internal/store"
	"baton/internal/task"
)

// The kinds of evidence (D6): a command that ran, a bare claim, a person's word.
const (
	evidenceRun   = "run"
	evidenceClaim = "claim"
	evidenceWord  = "word"
)

// evidenceRecord is one line of a task's evidence file (D6).
type evidenceRecord struct {
	Criterion  string    `json:"criterion"` // key
	Text       string    `json:"text"`      // of the criterion, or the person's word
	Kind       string    `json:"kind"`
	Passed     bool      `json:"passed"`
	Command    string    `json:"command,omitempty"`
	Dir        string    `json:"dir,omitempty"`
	Exit       *int      `json:"exit,omitempty"`
	DurationMS int64     `json:"duration_ms,omitempty"`
	Commit     string    `json:"commit,omitempty"`
	Dirty      bool      `json:"dirty,omitempty"`
	By         string    `json:"by"`
	At         time.Time `json:"at"`
	Tail       string    `json:"tail,omitempty"`       // last lines of output, at most 2 KB, neutralised
	Overridden []string  `json:"overridden,omitempty"` // what was missing when a completion was forced
}

// evidenceBook is a task's evidence as read: the newest record and the newest run of each criterion's key.
type evidenceBook struct {
	last map[string]evidenceRecord
	runs map[string]evidenceRecord
}

// evidence reads a task's evidence file; one that is absent is empty.
func (p *Project) evidence(ctx context.Context, r store.Reader, l *loaded) (evidenceBook, error) {
	doc, err := r.Read(ctx, l.Evidence)
	return bookOf(evidenceLines(doc.Data), l.State.Criteria), err
}

// evidenceNear is how much of the end of a task's evidence is read where only what is new counts.
const evidenceNear = 64 << 10

// newestEvidence gives what stands at the end of a task's evidence. What cannot be read counts as none.
func (p *Project) newestEvidence(ctx context.Context, l *loaded) []evidenceRecord {
	end, err := p.store.Tail(ctx, l.Evidence, evidenceNear)
	if err != nil {
		return nil
	}
	return evidenceLines(end.Data)
}

// evidenceLines reads lines of an evidence file. Those that are no record (a torn one, a merge's leftovers) are passed over.
func evidenceLines(data []byte) []evidenceRecord {
	var out []evidenceRecord
	for line := range bytes.Lines(data) {
		var rec evidenceRecord
		if json.Unmarshal(line, &rec) == nil && rec.Criterion != "" {
			out = append(out, rec)
		}
	}
	return out
}

// bookOf makes the book of records for a task's criteria.
func bookOf(records []evidenceRecord, criteria []task.Criterion) evidenceBook {
	book := evidenceBook{last: map[string]evidenceRecord{}, runs: map[string]evidenceRecord{}}
	for _, rec := range records {
		book.add(rec)
	}
	book.adopt(criteria)
	return book
}

// adopt gives criteria the records that were kept under a key which the file no longer has, where the text is the
// same: converting a file to another dialect changes the keys of its criteria, not what was shown about them.
func (b evidenceBook) adopt(criteria []task.Criterion) {
	known := make(map[string]bool, len(criteria))
	for _, c := range criteria {
		known[c.Key] = true
	}
	var left map[string]string // text of the criterion → key that the file no longer has
	for _, key := range slices.Sorted(maps.Keys(b.last)) {
		rec, ran := b.runs[key]
		if !ran {
			rec = b.last[key]
		}
		if known[key] || rec.Kind == evidenceWord { // a word's text is not the criterion's
			continue
		}
		if left == nil {
			left = map[string]string{}
		}
		left[strings.TrimSpace(rec.Text)] = key
	}
	for _, c := range criteria {
		text := strings.TrimSpace(c.Text)
		key, ok := left[text]
		if !ok {
			continue
		}
		delete(left, text) // of equal texts the first takes it
		if _, has := b.last[c.Key]; !has {
			b.last[c.Key] = b.last[key]
		}
		if run, ran := b.runs[key]; ran {
			if _, has := b.runs[c.Key]; !has {
				b.runs[c.Key] = run
			}
		}
	}
}

// add takes a record in. The newest is the one that stands last: the file is only appended to, and clocks differ (D6).
func (b evidenceBook) add(rec evidenceRecord) {
	b.last[rec.Criterion] = rec
	if rec.Kind == evidenceRun {
		b.runs[rec.Criterion] = rec
	}
}

// newest gives the newest record of a criterion, nil when there is none.
func (b evidenceBook) newest(key string) *evidenceRecord {
	if rec, ok := b.last[key]; ok {
		return &rec
	}
	return nil
}

// verified says whether the last run of a criterion's command passed.
func (b evidenceBook) verified(key string) bool { return b.runs[key].Passed }

// addEvidence appends a record to the task's evidence file in the change's transaction.
func (p *Project) addEvidence(c *change, l *loaded, rec evidenceRecord) error {
	rec.At = rec.At.UTC().Truncate(time.Second)
	line, err := encoded(rec, "")
	if err != nil {
		return err
	}
	// After a line that was cut off by a foreign hand the record begins on a line of its own.
	end, err := c.tx.Tail(l.Evidence, store.TailLength)
	if err != nil {
		return err
	}
	if n := len(end.Data); n > 0 && end.Data[n-1] != '\n' {
		line = append([]byte("\n"), line...)
	}
	c.tx.Append(l.Evidence, line)
	return nil
}

// encoded is a value as JSON with a line end, texts as they read: "<", ">" and "&" mean nothing special in these files.
func encoded(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(value)
	return b.Bytes(), err
}

// view is a record as shown.
func (rec evidenceRecord) view() *Evidence {
	e := &Evidence{
		Kind: rec.Kind, Passed: rec.Passed, Command: rec.Command, Dir: rec.Dir, Exit: rec.Exit, DurationMS: rec.DurationMS,
		Commit: rec.Commit, Dirty: rec.Dirty, By: rec.By, At: stamp(rec.At), Tail: rec.Tail,
	}
	if rec.Kind == evidenceWord {
		e.Text = rec.Text
	}
	return e
}

// criterionView is a criterion with its evidence.
func (b evidenceBook) criterionView(c task.Criterion) CriterionView {
	v := CriterionView{N: c.N, Key: c.Key, Text: c.Text, Checked: c.Checked, Verify: c.Verify}
	if rec := b.newest(c.Key); rec != nil {
		v.Evidence = rec.view()
	}
	v.Verified = c.Checked && b.verified(c.Key)
	return v
}
