package agentsession

import (
	"testing"
	"time"
)

func moment(stamp string) time.Time {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		panic(err)
	}
	return t
}

// A second look at the start of a session, which saves its outcome, keeps what the first one found out (F-37).
func TestF37_TheStartKeepsWhoAnswers(t *testing.T) {
	t.Parallel()
	rec := Parse(nil, "s")
	start := Event{Client: "codex", Event: Start, Session: "s"}
	rec.See(start, moment(at), "s")
	rec.Alone = true
	rec.See(start, moment(at), "s")
	rec.See(Event{Client: "codex", Event: Stop, Session: "s"}, moment(later), "s")
	if !rec.Alone {
		t.Error("forgotten")
	}
}

// What was handed over by a sub-agent's entry comes back, together with what was done since (F-41).
func TestF41g_WorkComesBack(t *testing.T) {
	t.Parallel()
	rec := &Record{Edits: 2, Files: []string{"a", "b"}, Commands: []string{"make"}, Since: at, Head: "0"}
	was := rec.WorkNow()
	rec.StartOver(later, "1")
	if rec.Edits != 0 || rec.Files != nil || rec.Since != later || rec.Head != "1" {
		t.Fatalf("%+v", rec)
	}
	rec.Edits, rec.Files = 1, []string{"b", "c"}
	rec.Restore(was)
	if rec.Edits != 3 || len(rec.Files) != 3 || rec.Files[2] != "c" || rec.Since != at || rec.Head != "0" {
		t.Errorf("%+v", rec)
	}
}

// A clock that was set back does not make new files older than the session.
func TestSetBack(t *testing.T) {
	t.Parallel()
	rec := &Record{}
	rec.See(Event{Event: Start}, moment("2026-03-02T10:00:00Z"), "")
	rec.Since = "2026-03-02T10:05:00Z"
	rec.See(Event{Event: PostTool}, moment("2026-03-02T09:00:00Z"), "")
	if rec.Started != "2026-03-02T08:59:00Z" || rec.Since != "2026-03-02T08:59:00Z" {
		t.Errorf("started %s, since %s", rec.Started, rec.Since)
	}
}

// A session that is resumed after it ended is not credited with what others did meanwhile. One that was interrupted keeps
// what it owes.
func TestResumed(t *testing.T) {
	t.Parallel()
	for _, ended := range []string{"", "2026-03-02T10:00:00Z"} {
		rec := &Record{Started: "2026-03-02T09:00:00Z", Head: "c1", Ended: ended, Settled: ended != ""}
		rec.See(Event{Event: Start, Source: "resume"}, moment("2026-03-02T11:00:00Z"), "")
		if (rec.Head == "") != (ended != "") || (rec.Since == "2026-03-02T11:00:00Z") != (ended != "") {
			t.Errorf("ended %q: head %q, since %q", ended, rec.Head, rec.Since)
		}
	}
}

// A record that begins with a tool counts what the tool wrote just before.
func TestBeginsWithATool(t *testing.T) {
	t.Parallel()
	rec := &Record{}
	rec.See(Event{Event: PostTool}, moment("2026-03-02T10:00:00Z"), "")
	if rec.Started != "2026-03-02T09:59:00Z" {
		t.Errorf("started %s", rec.Started)
	}
}

// A file that was written in the second in which a session begins, but before it, is not the session's.
func TestF35_TheStartIsExact(t *testing.T) {
	t.Parallel()
	began := moment(at).Add(600 * time.Millisecond)
	rec := &Record{}
	rec.See(Event{Event: Start}, began, "")
	if from := rec.WritesFrom(); from.After(began) || from.Before(began.Add(-clockTick)) {
		t.Errorf("from %s", from)
	}
	rec.See(Event{Event: PostTool}, began.Add(time.Minute), "")
	if from := rec.WritesFrom(); from.After(began) || from.Before(began.Add(-clockTick)) {
		t.Errorf("after a tool: from %s", from)
	}
	was := rec.WorkNow()
	rec.StartOver(later, "1")
	if from := rec.WritesFrom(); !from.Equal(moment(later).Add(time.Second)) {
		t.Errorf("after an entry: from %s", from)
	}
	if rec.Restore(was); rec.WritesFrom().After(began) {
		t.Errorf("after the entry was another's: from %s", rec.WritesFrom())
	}
	if from := (&Record{Started: at}).WritesFrom(); !from.Equal(moment(at)) { // of an older baton
		t.Errorf("without the exact time: from %s", from)
	}
	if !(&Record{}).WritesFrom().IsZero() {
		t.Error("a record that says nothing has a start")
	}
}
