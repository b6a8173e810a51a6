package task

import (
	"strconv"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/threeway"
)

// Merge makes one task file of three versions (D40): metadata key by key, sessions, criteria and inputs as ordered sets, prose by
// lines. Where both sides added sessions under the same number, those of the later side get new ones. Counters are
// reckoned anew from what the result holds. A person's words in the metadata that both sides changed are among the asides. An empty base stands for a file that both sides made: Conflict task_doubled when
// these are files of different tasks, which have nothing to be merged by.
func Merge(id ID, base, ours, theirs []byte) (threeway.Result, error) {
	if a, b := Parse(id, ours), Parse(id, theirs); len(base) == 0 && a.Title != b.Title {
		return threeway.Result{}, &report.Error{
			Op: "merge.driver", Kind: report.Conflict, Code: "task_doubled",
			Message: "both sides made a task " + id.Ref() + ": " + strconv.Quote(safetext.Runes(a.Title, 60)) + " and " + strconv.Quote(safetext.Runes(b.Title, 60)),
			Hint:    "`baton doctor --fix` gives one of them another id and file, then git add both",
		}
	}
	var told []threeway.Aside
	out := threeway.Merge(mergeForm(id, &told), base, ours, theirs)
	out.Asides = append(out.Asides, told...)
	if string(out.Text) == string(ours) || string(out.Text) == string(theirs) || string(ours) == string(base) || string(theirs) == string(base) {
		return out, nil
	}
	out.Text = Parse(id, out.Text).recount(Parse(id, ours), Parse(id, theirs)).Bytes()
	return out, nil
}

// mergeForm says what the parts of a task file mean to a merge. told gets the words in its JSON that do not stand.
func mergeForm(id ID, told *[]threeway.Aside) threeway.Form {
	inside := jsonMerge{told}.merge
	return threeway.Form{
		Newer:   func(a, b []byte) bool { return Parse(id, a).active().After(Parse(id, b).active()) },
		Section: mergeSection,
		Session: mergeSession,
		Reserved: func(src []byte) int {
			if s := Parse(id, src); s.Summary != nil {
				return max(s.Summary.Last, s.rangeEnd)
			}
			return 0
		},
		Value: func(label string) bool {
			switch label {
			case "prd", "epic", "repository", "agent", "status", "task id", "epic id", "total sessions", "created", "updated", "duration":
				return true
			}
			return false
		},
		Fate: func(label, _ string, _ bool) threeway.Fate {
			switch label {
			case "prd", "epic", "repository", "agent", "duration": // a second line of that name would be read as metadata
				return threeway.Told
			}
			return threeway.Passes
		},
		Parts:  map[string]threeway.Combine{"summary": mergeSummary},
		Fences: map[string]threeway.Combine{"json": inside, "jsonc": inside},
	}
}

// mergeSection names a section by its kind, so that numbers in headings do not matter.
func mergeSection(level int, heading string) string {
	if _, _, ok := summaryHeading(heading); ok && level == 3 {
		return "summary"
	}
	if level != 2 {
		return ""
	}
	_, name := cutNumber(heading)
	if kind := kindOf(cutParenthetical(name)); kind != Unknown {
		return string(kind)
	}
	return ""
}

func mergeSession(heading string) (digits string, number int, stamp string, ok bool) {
	s, ok := sessionHeading(heading)
	return s.Label, s.Number, s.Stamp, ok
}

// active is when somebody last worked on the file, as it says itself.
func (s *State) active() time.Time {
	var last time.Time
	for _, key := range [...]string{"updated_at", "last_session_at"} {
		if t, _, ok := ParseStamp(s.metaText(key), time.UTC); ok && t.After(last) {
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

// metaText is the text of a metadata value, "" when there is none.
func (s *State) metaText(key string) string {
	if !s.Meta.Valid || s.Meta.bullets != nil {
		return ""
	}
	text := s.Meta.Span.Of(s.Bytes())
	node, err := scanJSON(text)
	if err != nil {
		return ""
	}
	member, _ := node.member(key)
	return member.value.word(text)
}

// recount brings the counters in step with the sessions (5.6.4). The stamps are those of the sides: a merge is no work on
// the task.
func (s *State) recount(a, b *State) *State {
	if !s.Meta.Valid {
		return s
	}
	archived := max(a.knownArchived(), b.knownArchived())
	if s.Summary == nil {
		archived = s.knownArchived()
	}
	var set []KeyValue
	put := func(key, value string) {
		if s.Meta.has(key) {
			set = append(set, KeyValue{key, value})
		}
	}
	put("total_sessions", itoa(archived+len(s.Sessions)))
	put("recent_sessions", itoa(len(s.Sessions)))
	put("archived_sessions", itoa(archived))
	if newest, ok := s.newest(); ok && s.metaText("last_session_at") != "" {
		last := ""
		for _, side := range [...]*State{a, b} {
			if text := side.metaText("last_session_at"); text > last {
				last = text
			}
		}
		if t, _, ok := ParseStamp(last, time.UTC); !ok || t.Before(newest.At(time.UTC).Add(-24*time.Hour)) {
			last = jsonStamp(newest.At(time.UTC))
		}
		put("last_session_at", quoteJSON(last))
	}
	next, ok := s.SetMeta(set...)
	if !ok {
		return s
	}
	if sized, ok := next.sizeFixpoint(); ok {
		return sized
	}
	return next
}

// mergeSummary joins two summaries of archived sessions (D4): the range that holds both, and what either says. The one that
// reaches further is the one that the other's items join; the archive has everything in any case.
func mergeSummary(_, recent, other string) (string, bool) {
	read := func(text string) (*State, digest, bool) {
		s := Parse("0", []byte("## 3. Progress Log\n\n"+text))
		return s, s.digest(), s.Summary != nil
	}
	x, d, ok1 := read(recent)
	y, e, ok2 := read(other)
	if !ok1 || !ok2 {
		return "", false
	}
	if e.last > d.last || e.last == d.last && e.first < d.first {
		x, y, d, e = y, x, e, d
	}
	d.widen(e.first)
	d.widen(e.last)
	for _, m := range [...]moment{e.from, e.to} {
		if m.known {
			d.span(m)
		}
	}
	d.done.join(e.done)
	d.issues.join(e.issues)
	for _, c := range e.commits {
		d.addCommit(c)
	}
	d.hidden = max(d.hidden, e.hidden)
	for _, line := range e.extra {
		if line != "" && !hasLine(d.extra, line) {
			d.extra = append(d.extra, line)
		}
	}
	dialect, path := V2, ""
	for _, s := range [...]*State{x, y} {
		for line := range strings.Lines(string(s.Summary.Span.Of(s.Bytes()))) {
			if isPointer(line) && path == "" {
				_, path, _ = strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), "]"), ": ")
				if strings.Contains(line, "session details") {
					dialect = V1A
				}
			}
		}
	}
	d.fit(dialect, path)
	return d.text(dialect, path, true), true
}

// join takes the items of another list in.
func (t *tally) join(other tally) {
	for _, item := range other.items {
		t.add(item)
	}
	t.more = max(t.more, other.more)
}

func hasLine(lines []string, line string) bool {
	for _, one := range lines {
		if one == line {
			return true
		}
	}
	return false
}

// MergeArchive joins two archives: every entry of either, those that both have once, in order (D40, 5.14.1).
func MergeArchive(base, ours, theirs []byte) threeway.Result {
	return threeway.Merge(threeway.Form{Union: true, Session: func(heading string) (string, int, string, bool) {
		s, ok := sessionHeading(heading)
		return s.Label, 0, s.Stamp, ok // an archive keeps its numbers: what names them is elsewhere
	}}, base, ours, theirs)
}

// MergeEvidence joins two files of evidence: every line of either (D6).
func MergeEvidence(base, ours, theirs []byte) threeway.Result {
	return threeway.Merge(threeway.Form{Union: true, Lines: true}, base, ours, theirs)
}
