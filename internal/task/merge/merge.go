package merge

import (
	"strconv"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/threeway"
)

// Merge merges three versions of a task file into one (D40): metadata key by key; sessions,
// criteria and inputs as ordered sets; other text line by line. If both sides added sessions with
// the same number, those of the later side get new numbers. Counters are computed from the result.
// The status follows rules of its own (D44).
// If both sides changed a person's text in the metadata, one version is returned among the asides.
// With an empty base, both sides created the file. If these files are different tasks, they cannot
// be merged: Conflict task_doubled.
func Merge(id task.ID, base, ours, theirs []byte) (threeway.Result, error) {
	if a, b := task.Parse(id, ours), task.Parse(id, theirs); len(base) == 0 && a.Title != b.Title {
		return threeway.Result{}, &report.Error{
			Op: "merge.driver", Kind: report.Conflict, Code: report.CodeTaskDoubled,
			Message: "both sides created a task " + id.Ref() + ": " + strconv.Quote(safetext.Runes(a.Title, 60)) +
				" and " + strconv.Quote(safetext.Runes(b.Title, 60)),
			Hint: "run `baton doctor --fix` to give one of them another id and file, then git add both",
		}
	}
	var asides []threeway.Aside
	x, y := unite(task.Parse(id, base), task.Parse(id, ours), task.Parse(id, theirs))
	out := threeway.Merge(mergeForm(id, &asides), base, x.Bytes(), y.Bytes())
	out.Asides = append(out.Asides, asides...)
	if string(ours) == string(theirs) || string(ours) == string(base) || string(theirs) == string(base) {
		return out, nil
	}
	merged := withoutPlaceholder(task.Parse(id, out.Text), x, y)
	out.Text = merged.Bytes()
	if v, ok := judge(task.Parse(id, base), x, y); ok {
		merged, asides = v.apply(merged)
		out.Text, out.Asides = merged.Bytes(), append(out.Asides, asides...)
	}
	if string(out.Text) == string(ours) || string(out.Text) == string(theirs) {
		return out, nil
	}
	out.Text = merged.RecountFrom(x, y).Bytes()
	return out, nil
}

// mergeForm returns what the parts of a task file mean to a merge. asides receives texts in JSON
// that the result does not contain.
func mergeForm(id task.ID, asides *[]threeway.Aside) threeway.Form {
	inside := jsonMerge{asides}.merge
	return threeway.Form{
		Newer:   func(a, b []byte) bool { return active(task.Parse(id, a)).After(active(task.Parse(id, b))) },
		Section: mergeSection,
		Session: mergeSession, Note: task.Note, CutNote: task.CutNote,
		Reserved: func(src []byte) int {
			if s := task.Parse(id, src); s.Summary != nil {
				return max(s.Summary.Last, s.LastNumber(nil))
			}
			return 0
		},
		Value: func(label string) bool {
			switch label {
			case "prd", "epic", "repository", "agent", "status", "task id", "epic id", "total sessions", "created",
				"updated", "duration", task.StatusMergedKey, "updated_at", "created_at", "started_at", "completed_at",
				"last_session_at", "total_sessions", "recent_sessions", "archived_sessions", "archive_path", "task_id",
				"epic_id":
				return true
			}
			return false
		},
		Fate: func(label, _ string, _ bool) threeway.Fate {
			switch label {
			// a second line with this name would be read as metadata
			case "prd", "epic", "repository", "agent", "duration":
				return threeway.Reported
			}
			return threeway.Passes
		},
		Parts:  map[string]threeway.Combine{"summary": archive.JoinSummaries},
		Fences: map[string]threeway.Combine{"json": inside, "jsonc": inside},
	}
}

// mergeSection identifies a section by its kind, so that the numbers in headings do not matter.
func mergeSection(level int, heading string) string {
	if _, _, ok := task.SummaryHeading(heading); ok && level == 3 {
		return "summary"
	}
	if level != 2 {
		return ""
	}
	_, name := task.CutNumber(heading)
	if kind := task.KindOf(task.CutParenthetical(name)); kind != task.Unknown {
		return string(kind)
	}
	return ""
}

func mergeSession(heading string) (digits string, number int, stamp string, ok bool) {
	s, ok := task.SessionHeading(heading)
	return s.Label, s.Number, s.Stamp, ok
}

// active returns the time when somebody last worked on the file, according to the file.
func active(s *task.State) time.Time {
	var last time.Time
	for _, key := range [...]string{"updated_at", "last_session_at"} {
		if t, _, ok := task.ParseStamp(s.MetaText(key), time.UTC); ok && t.After(last) {
			last = t
		}
	}
	for _, session := range s.Sessions {
		if t := session.At(time.UTC); session.HasTime && t.After(last) {
			last = t
		}
	}
	return last
}

// Archive merges two archives: every entry of either side, in order, and common entries only once
// (D40, 5.14.1). Of a session to which one side added before both archived it, the longer text
// counts.
func Archive(base, ours, theirs []byte) threeway.Result {
	form := threeway.Form{Union: true, CutNote: task.CutNote}
	form.Session = func(heading string) (string, int, string, bool) {
		s, ok := task.SessionHeading(heading)
		return s.Label, 0, s.Stamp, ok // an archive keeps its numbers, because other files refer to them
	}
	x, y := uniteArchived(base, ours, theirs)
	return threeway.Merge(form, base, x, y)
}

// Evidence merges two evidence files: every line of either (D6).
func Evidence(base, ours, theirs []byte) threeway.Result {
	return threeway.Merge(threeway.Form{Union: true, Lines: true}, base, ours, theirs)
}
