package project

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/store/disk"
	"baton/internal/usecase/agents"
)

// A record that is larger than what baton reads would be ignored, and baton would forget that it already held a stop.
func TestARecordIsNeverTooLargeToBeReadAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as("s-1")
	crab := strings.Repeat("\U0001F980", 300)
	e := agentsession.Event{Client: "claude", Event: agentsession.Stop, Session: "s-1"}
	_ = must(p.WithAgent(t.Context(), e, func(rec *agentsession.Record) error {
		rec.Stops.Held, rec.Summary, rec.Marks = 2, crab, map[string]agentsession.Doc{}
		for i := range agentsession.MostSaid {
			rec.Remember(strconv.Itoa(i))
			rec.Files = agents.Newest(rec.Files, strconv.Itoa(i)+crab, agentsession.MostFiles)
			rec.Commands = agents.Newest(rec.Commands, strconv.Itoa(i)+crab, agentsession.MostCommands)
		}
		for i, name := range rec.Files {
			rec.Docs[name], rec.Marks[name] = agentsession.Doc{Hash: "1"}, agentsession.Doc{Hash: "2"}
			rec.Sub(agentsession.Event{SubAgent: strconv.Itoa(i) + crab, SubType: crab})
		}
		return nil
	}))(t)
	if rec := p.AgentRecordOf("s-1"); rec.Stops.Held != 2 || len(rec.Docs) != agentsession.MostFiles || !rec.Knows("0") {
		t.Errorf("%d stops held, %d documents", rec.Stops.Held, len(rec.Docs))
	}
}

// TestD30_ASessionMakesFewFiles checks that an event creates a file only if the session's record no longer fits into
// its file, because creating a file can take as long as the rest of the event.
func TestD30_ASessionMakesFewFiles(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks", "src")
	made := map[disk.FileID]bool{}
	look := func() {
		t.Helper()
		held, err := os.Open(w.path(".baton/local/" + agentsession.RecordFile("s-1"))) // keeps the inode, so that no other file gets it
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = held.Close() })
		info, err := disk.OS{}.Lstat(w.path(".baton/local/" + agentsession.RecordFile("s-1")))
		if err != nil {
			t.Fatal(err)
		}
		if info.Links == 0 {
			t.Skip("this system does not tell how many names a file has, so that records are always replaced")
		}
		made[info.ID] = true
	}
	for i := range 150 {
		w.answer(batch(fmt.Sprint("toolu_01", i), wrote(fmt.Sprintf("src/%d.go", i)), ran(fmt.Sprintf("go test ./%d/...", i))))
		look()
	}
	w.answer(agentsession.Event{Client: "claude", Event: agentsession.Start, Session: "s-1", Source: "resume"})
	look()
	if len(made) > 5 {
		t.Errorf("151 events made %d files", len(made))
	}
	if rec := w.noted(); len(rec.Commands) != agentsession.MostCommands || rec.Started == "" {
		t.Errorf("%+v", rec)
	}
}

// Records of earlier versions listed the entries of each document.
func TestOldRecordsAreReadAsTheyAre(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.raw(
		"s-1",
		`{"session":"s-1","client":"claude","injected":{"times":1},"docs":{"a.md":{"size":7,"mtime":8,"hash":"9",`+
			`"entries":["d0123456789ab words"]}},"stops":{"held":1}}`,
	)
	rec := a.record("s-1", nil)
	if rec.Docs["a.md"] != (agentsession.Doc{Size: 7, ModTime: 8, Hash: "9"}) || rec.Stops.Held != 1 {
		t.Errorf("%+v", rec)
	}
}

// After the clock was set back, a new event must not be taken for a copy of an earlier one (agents.md 2.6).
func TestAClockThatGoesBackHidesNoEvent(t *testing.T) {
	t.Parallel()
	rec := &agentsession.Record{}
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	e := agentsession.Event{Event: agentsession.Start, Key: "claude compact", Window: 2 * time.Second}
	for _, c := range []struct {
		after time.Duration
		twice bool
	}{{0, false}, {time.Second, true}, {-time.Second, true}, {-time.Hour, false}, {-time.Hour + time.Second, true}, {0, false}} {
		if twice := rec.Answered(e, now.Add(c.after)); twice != c.twice {
			t.Errorf("after %s: %v", c.after, twice)
		}
	}
}
