package folder

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/statedir/record"
	"baton/internal/store"
	"baton/internal/workspace"
)

// DirRead returns the record of the workflow, or its defaults without a record (5.6.1). It fails
// with the errors of ForFolder, and with Refused if the record cannot be read (SD-4).
func (p Folder) DirRead(ctx context.Context, r DirRequest) (RecordResult, error) {
	const op = "dir.read"
	at, place, err := p.ForFolder(ctx, op, r)
	if err != nil {
		return RecordResult{}, err
	}
	v, err := Of(at).ViewFolder(ctx, at.Store, place, at.Now())
	if err == nil {
		err = v.faulty
	}
	if err != nil {
		return RecordResult{}, workspace.InOp(err, op)
	}
	rec := v.facts.Record
	out := RecordResult{
		Layout: place.Layout, Path: v.recordName(), Exists: rec != nil,
		Warnings: append([]report.Finding{}, Of(at).folderFindings(place)...),
	}
	out.Warnings = append(out.Warnings, v.Skewed()...)
	out.Warnings = append(out.Warnings, v.Caveats()...)
	out.Warnings = append(out.Warnings, v.IgnoredLines()...)
	out.Record, err = rec.MarshalJSON()
	return out, err
}

// DirUpdate changes fields of the record and applies its stamps (5.6.3, 5.6.4). It fails with the
// errors of ForFolder, with Usage pair_invalid, key_invalid, value_invalid or update_refused, with
// Violation raw_dispatches if the end of a workflow is refused, with Conflict workflow_live if the
// update starts another workflow while agents work on the lanes of this one, and with Refused if
// the record cannot be read.
func (p Folder) DirUpdate(ctx context.Context, r RecordRequest) (RecordChange, error) {
	const op = "dir.update"
	pairs, err := recordPairs(op, r.Pairs)
	if err != nil {
		return RecordChange{}, err
	}
	at, place, err := p.ForFolder(ctx, op, r.DirRequest)
	if err != nil {
		return RecordChange{}, err
	}
	var out RecordChange
	var changed *record.Record
	var now time.Time
	notes, err := Of(at).folderWork(ctx, op, place, true, func(c *workspace.Change) error {
		v, err := Of(at).viewIn(ctx, c, place)
		if err == nil {
			err = v.faulty
		}
		if err != nil {
			return err
		}
		stamps, mark := v.stamping(ctx, c, v.facts.Entries)
		stamps.Force = r.Force
		done, err := record.Update(v.facts.Record, pairs, stamps, mark)
		if err != nil {
			return inRecord(err, v.recordName())
		}
		if err := v.lanesOutlive(ctx, c, done.Record); err != nil {
			return err
		}
		v.write(c, done.Record)
		changed, now = done.Record, c.Now
		out = RecordChange{Layout: place.Layout, Path: v.recordName(), Changed: append([]string{}, done.Changed...)}
		c.Note(v.notes(done.Notes)...)
		c.Note(v.Caveats()...)
		c.Note(v.IgnoredLines()...)
		out.Record, err = done.Record.MarshalJSON()
		return err
	})
	if err != nil {
		return RecordChange{}, err
	}
	Of(at).atWork(place, changed, now)
	out.Warnings = append([]report.Finding{}, notes...)
	return out, nil
}

// recordPairs splits KEY=VALUE at the first "=", like the original tool (5.13.3).
func recordPairs(op string, words []string) ([]record.Pair, error) {
	pairs := make([]record.Pair, 0, len(words))
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			return nil, &report.Error{
				Op: op, Kind: report.Usage, Code: report.CodePairInvalid,
				Message: safetext.Quote(word) + " is not of the form KEY=VALUE",
				Hint:    "for example phase=review; a value with blanks goes into quotes: 'task=Fix the sign-in'",
			}
		}
		pairs = append(pairs, record.Pair{Key: key, Value: value})
	}
	return pairs, nil
}

// inRecord adds the record's name to an error of the pure room, which knows no paths.
func inRecord(err error, name string) error {
	e := *report.As(err)
	if e.Path == "" || e.Path == record.FileName {
		e.Path = name
	}
	return &e
}

// write adds the record to the transaction if it changed.
func (v *FolderView) write(c *workspace.Change, rec *record.Record) {
	if v.facts.Record == nil || !bytes.Equal(v.facts.Record.Bytes(), rec.Bytes()) {
		c.Tx.Write(v.recordName(), rec.Bytes())
	}
}

// notes converts the notes of a record edit to findings.
func (v *FolderView) notes(notes []record.Note) []report.Finding {
	var out []report.Finding
	for _, n := range notes {
		out = append(out, n.Code.Finding(v.recordName(), 0, n.Text).As(report.Warning))
	}
	return out
}

// traceBytes is how many bytes from the end of the trace the stamps get. They use its last lines
// (5.6.4 rule 3).
const traceBytes = 8 << 20

// The documents other than the record that the stamps use.
const (
	TraceName    = ".devt/memory/_mcp-trace.jsonl" // the original tool's list of ids that its memory service saw
	warningsName = "dispatch-warnings.jsonl"
)

// stamping returns the inputs of the stamps of a record edit. It also returns the function that
// counts the errors of a validation of the new record with the given entries (rule 6).
// DEVT_VALIDATE_SHADOW=0 disables the count.
func (v *FolderView) stamping(ctx context.Context, c *workspace.Change, entries []statedir.Entry) (record.Stamping,
	func(*record.Record) int,
) {
	contract := v.place.Contract
	s := record.Stamping{
		Words: contract.Words(), Now: c.Now, NewID: Of(v.at).newUUID, Raws: Of(v.at).FolderSettings(v.place).Hygiene,
	}
	if v.place.Layout == workspace.LayoutDevt {
		if part, err := c.Reader.Tail(ctx, TraceName, traceBytes); err == nil && part.Exists {
			s.Trace = WholeLines(part)
		}
	}
	if item, here := v.items[warningsName]; here && !item.Mode.IsDir() && !contract.Bare() {
		doc, err := c.Reader.Read(ctx, v.place.In(warningsName))
		if err != nil {
			c.Note(report.CodeOf(err).Finding(v.place.In(warningsName), 0,
				report.As(err).Error()+"; baton does not know whether agents were started "+
					"without the guard").As(report.Warning))
		}
		s.Raw = doc.Data
	}
	if v.at.Env.Getenv("DEVT_VALIDATE_SHADOW") == "0" {
		return s, nil
	}
	return s, func(rec *record.Record) int {
		errs := 0
		for _, problem := range v.problems(ctx, c.Reader, entries, rec, "") {
			if problem.Severity == statedir.Wrong {
				errs++
			}
		}
		return errs
	}
}

// WholeLines returns the complete lines of the end of a document. It drops a first line that began
// earlier.
func WholeLines(part store.Part) []byte {
	data := part.Data
	if part.Offset > 0 {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	return data
}

// newUUID returns a UUID of version 4. Ids need not be secret, only different, so the slower
// cryptographic source is avoided at start-up.
func (p Folder) newUUID() string {
	var b [16]byte
	given := false
	if p.Env.Rand != nil {
		_, err := io.ReadFull(p.Env.Rand, b[:])
		given = err == nil
	}
	if !given {
		binary.LittleEndian.PutUint64(b[:8], rand.Uint64())
		binary.LittleEndian.PutUint64(b[8:], rand.Uint64())
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
