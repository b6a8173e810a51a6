package tasks

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
	"baton/internal/workspace"
)

// The kinds of evidence (D6): a command that ran, a bare claim, a person's statement.
const (
	EvidenceRun   = "run"
	EvidenceClaim = "claim"
	EvidenceWord  = "word"
)

// EvidenceRecord is one line of a task's evidence file (D6).
type EvidenceRecord struct {
	Criterion  string    `json:"criterion"` // key
	Text       string    `json:"text"`      // of the criterion, or the person's statement
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
	Tail       string    `json:"tail,omitempty"`       // last lines of output, at most 2 KB, without control characters
	Overridden []string  `json:"overridden,omitempty"` // what was missing when a completion was forced
}

// EvidenceBook is a task's evidence: the newest record and the newest run of each criterion's key.
type EvidenceBook struct {
	Last map[string]EvidenceRecord
	Runs map[string]EvidenceRecord
}

// Evidence reads a task's evidence file. A missing file is empty.
func (p Tasks) Evidence(ctx context.Context, r store.Reader, l *workspace.Loaded) (EvidenceBook, error) {
	doc, err := r.Read(ctx, l.Evidence)
	return BookOf(evidenceLines(doc.Data), l.State.Criteria), err
}

// evidenceNear is how much of the end of a task's evidence is read if only new records matter.
const evidenceNear = 64 << 10

// NewestEvidence returns the records at the end of a task's evidence, or none if they cannot be
// read.
func (p Tasks) NewestEvidence(ctx context.Context, l *workspace.Loaded) []EvidenceRecord {
	end, err := p.Store.Tail(ctx, l.Evidence, evidenceNear)
	if err != nil {
		return nil
	}
	return evidenceLines(end.Data)
}

// evidenceLines reads the lines of an evidence file. It skips lines that are not records, such as
// torn ones and remains of a merge.
func evidenceLines(data []byte) []EvidenceRecord {
	var out []EvidenceRecord
	for line := range bytes.Lines(data) {
		var rec EvidenceRecord
		if json.Unmarshal(line, &rec) == nil && rec.Criterion != "" {
			out = append(out, rec)
		}
	}
	return out
}

// BookOf makes the book of records for a task's criteria.
func BookOf(records []EvidenceRecord, criteria []task.Criterion) EvidenceBook {
	book := EvidenceBook{Last: map[string]EvidenceRecord{}, Runs: map[string]EvidenceRecord{}}
	for _, rec := range records {
		book.Add(rec)
	}
	book.adopt(criteria)
	return book
}

// adopt assigns records of a key that the file no longer has to the criterion with the same text.
// Converting a file to another dialect changes the keys of its criteria, but the evidence still
// applies.
func (b EvidenceBook) adopt(criteria []task.Criterion) {
	known := make(map[string]bool, len(criteria))
	for _, c := range criteria {
		known[c.Key] = true
	}
	var left map[string]string // text of the criterion → its former key
	for _, key := range slices.Sorted(maps.Keys(b.Last)) {
		rec, ran := b.Runs[key]
		if !ran {
			rec = b.Last[key]
		}
		if known[key] || rec.Kind == EvidenceWord { // the text of a statement is not the criterion's
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
		delete(left, text) // the first of several equal texts gets it
		if _, has := b.Last[c.Key]; !has {
			b.Last[c.Key] = b.Last[key]
		}
		if run, ran := b.Runs[key]; ran {
			if _, has := b.Runs[c.Key]; !has {
				b.Runs[c.Key] = run
			}
		}
	}
}

// Add adds a record. The last record counts as the newest, because the file is only appended to and
// clocks differ (D6).
func (b EvidenceBook) Add(rec EvidenceRecord) {
	b.Last[rec.Criterion] = rec
	if rec.Kind == EvidenceRun {
		b.Runs[rec.Criterion] = rec
	}
}

// Newest returns the newest record of a criterion, or nil if there is none.
func (b EvidenceBook) Newest(key string) *EvidenceRecord {
	if rec, ok := b.Last[key]; ok {
		return &rec
	}
	return nil
}

// Verified reports whether the last run of a criterion's command passed.
func (b EvidenceBook) Verified(key string) bool { return b.Runs[key].Passed }

// AddEvidence appends a record to the task's evidence file in the change's transaction. If the file
// is gone, it comes back with the records that it had.
func (p Tasks) AddEvidence(ctx context.Context, c *workspace.Change, l *workspace.Loaded, rec EvidenceRecord) error {
	rec.At = rec.At.UTC().Truncate(time.Second)
	line, err := workspace.Encoded(rec, "")
	if err != nil {
		return err
	}
	end, err := c.Tx.Tail(l.Evidence, store.TailLength)
	if err != nil {
		return err
	}
	before := end.Data
	if !end.Exists {
		if before, err = p.O.Above.Losses(p.Workspace).GoneEvidence(ctx, l.Evidence); err != nil {
			return err
		}
	}
	// If somebody else's last line is incomplete, the record begins on a new line.
	if n := len(before); n > 0 && before[n-1] != '\n' {
		line = append([]byte("\n"), line...)
	}
	if !end.Exists {
		line = append(slices.Clone(before), line...)
	}
	c.Tx.Append(l.Evidence, line)
	c.Tx.AtMost(l.Evidence, l.Name)
	return nil
}

// view returns a record for answers.
func (rec EvidenceRecord) view() *Evidence {
	e := &Evidence{
		Kind: rec.Kind, Passed: rec.Passed, Command: rec.Command, Dir: rec.Dir, Exit: rec.Exit,
		DurationMS: rec.DurationMS,
		Commit:     rec.Commit, Dirty: rec.Dirty, By: rec.By, At: workspace.Stamp(rec.At), Tail: rec.Tail,
	}
	if rec.Kind == EvidenceWord {
		e.Text = rec.Text
	}
	return e
}

// CriterionView returns a criterion with its evidence.
func (b EvidenceBook) CriterionView(c task.Criterion) CriterionView {
	v := CriterionView{N: c.N, Key: c.Key, Text: c.Text, Checked: c.Checked, Verify: c.Verify}
	if rec := b.Newest(c.Key); rec != nil {
		v.Evidence = rec.view()
	}
	v.Verified = c.Checked && b.Verified(c.Key)
	return v
}
