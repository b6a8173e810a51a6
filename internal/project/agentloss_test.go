package project

import (
	"context"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"baton/internal/agentsession"
	"baton/internal/digest/standing"
	"baton/internal/ledger"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/task"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
)

// Documents and texts of the tests about losses.
const (
	lossState = ".baton/STATE.md"
	lossWord  = "Tokens live for an hour"
	lossRow   = "- [Phase 1]: " + lossWord + "\n"
)

// lossWorld returns a project with a digest, and a task that session s-1 works on.
func lossWorld(t *testing.T) *world {
	t.Helper()
	w := agentTasks(t)
	w.write(lossState, guardDigest)
	must(w.open(workspace.Options{Session: "s-1"}).Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	return w
}

// wipe removes a text from a document, as an agent's editor does.
func (w *world) wipe(name, text string) {
	w.t.Helper()
	before := w.read(name)
	after := strings.Replace(before, text, "", 1)
	if after == before {
		w.t.Fatalf("%q is not in %s", text, name)
	}
	w.write(name, after)
}

// ledger returns the files of the ledger.
func (w *world) ledger() map[string]string {
	out := w.files()
	maps.DeleteFunc(out, func(name, _ string) bool { return !strings.HasPrefix(name, workspace.RuntimeDir+"/ledger/") })
	return out
}

// happens plays one event, as if in a new process.
func (w *world) happens(session, event, source string) agentsession.Answer {
	w.t.Helper()
	w.pass(time.Minute)
	return w.answer(agentsession.Event{Client: "claude", Event: event, Session: session, Source: source})
}

// TestD8_WhatIsGoneIsNamedAtTheNextStart checks that a lost entry is named at every start and after a compaction, early
// enough for clients that show only the beginning, until it is restored or accepted.
func TestD8_WhatIsGoneIsNamedAtTheNextStart(t *testing.T) {
	t.Parallel()
	w := lossWorld(t)
	if got := w.happens("s-1", agentsession.Start, "startup"); strings.Contains(got.Context, "baton lost") || got.Log != "" {
		t.Fatalf("nothing is gone: %+v", got)
	}
	w.wipe(lossState, lossRow)
	w.wipe(statePath("1"), "- [ ] keys rotate\n")
	for _, session := range []string{"s-1", "s-2", "s-2"} {
		got := w.happens(session, agentsession.Start, "compact")
		at := strings.Index(got.Context, "2 entries are gone from ")
		if at < 0 || utf8.RuneCountInString(got.Context[:at]) > 1700 || got.Log != "" {
			t.Fatalf("%s: told %q, log %q", session, got.Context, got.Log)
		}
		line, _, _ := strings.Cut(got.Context[at:], "\n")
		for _, want := range []string{`decision "` +
			lossWord, `criterion "keys rotate"`, lossState, "1 other document", "`baton lost --restore`", "`baton lost ID --accept`"} {
			if !strings.Contains(line, want) {
				t.Errorf("%q is not in %q", want, line)
			}
		}
	}
	if got := must(w.as("s-2").Sessions.Context(t.Context(), sessions.ContextRequest{}))(
		t,
	); !strings.Contains(got.Text, "2 entries are gone") {
		t.Errorf("the pack says %q", got.Text)
	}
	w.write(lossState, guardDigest)
	if got := w.happens("s-2", agentsession.Start, "resume").Context; !strings.Contains(got, `1 entry is gone from `+statePath("1")+
		`: criterion "keys rotate"`) {
		t.Errorf("what is back is named: %q", got)
	}
}

// TestD8_SessionHooksRecord checks that each of these events records entries that somebody wrote by hand.
func TestD8_SessionHooksRecord(t *testing.T) {
	t.Parallel()
	for _, event := range []string{agentsession.Start, agentsession.PreCompact, agentsession.Stop, agentsession.End} {
		w := lossWorld(t)
		w.happens("s-1", agentsession.Start, "startup")
		w.write(lossState, strings.Replace(guardDigest, lossRow, lossRow+"- [Phase 2]: Written by hand and never seen before\n", 1))
		before := w.tracked() // besides the lines about the tasks (F-12)
		if got := w.happens("s-1", event, ""); got.Log != "" {
			t.Errorf("%s: log %q", event, got.Log)
		}
		for name, text := range w.tracked() {
			if name == lossState && string(standing.Without([]byte(text))) != before[name] {
				t.Errorf("%s wrote %s", event, name)
			}
		}
		w.write(lossState, guardDigest)
		if got := w.happens("s-2", agentsession.Start, "startup").Context; !strings.Contains(got, "Written by hand") {
			t.Errorf("%s did not record: %q", event, got)
		}
	}
}

// TestD38_AfterToolsNothingIsRecorded checks that the hook after tools reports losses, but leaves the ledger to the
// hooks of the session.
func TestD38_AfterToolsNothingIsRecorded(t *testing.T) {
	t.Parallel()
	w := lossWorld(t)
	w.happens("s-1", agentsession.Start, "startup")
	before := w.ledger()
	if len(before) == 0 {
		t.Fatal("no book was written at the start")
	}
	w.wipe(lossState, lossRow)
	if got := w.answer(batch("b1", wrote(lossState))).Context; !strings.Contains(got, lossWord) {
		t.Errorf("said %q", got)
	}
	if after := w.ledger(); !maps.Equal(before, after) {
		t.Error("the ledger was written")
	}
	w.wipe(lossState, "- [Phase 1]: Rotation happens at night\n")
	if got := w.answer(batch("b2", wrote(lossState))).Context; !strings.Contains(got, "Rotation") || strings.Contains(got, lossWord) {
		t.Errorf("each is told once: %q", got)
	}
}

// TestAStartReportsLossesOnce checks that a loss reported at the start of a session is not reported again after its
// tools.
func TestAStartReportsLossesOnce(t *testing.T) {
	t.Parallel()
	w := lossWorld(t)
	w.happens("s-0", agentsession.Start, "startup")
	w.wipe(lossState, lossRow)
	if got := w.happens("s-1", agentsession.Start, "startup").Context; !strings.Contains(got, lossWord) {
		t.Fatalf("told %q", got)
	}
	w.write(lossState, w.read(lossState)+"\nMore words.\n")
	if got := w.answer(batch("b1", wrote(lossState))); got != (agentsession.Answer{}) {
		t.Errorf("told again: %+v", got)
	}
}

// TestD15_ALockedProjectAnswersInTime checks that a hook waits for the project's lock only as long as it may. It then
// records nothing, but still reports what is lost.
func TestD15_ALockedProjectAnswersInTime(t *testing.T) {
	t.Parallel()
	w := lossWorld(t)
	w.happens("s-1", agentsession.Start, "startup")
	w.wipe(lossState, lossRow)
	before := w.ledger()
	held, free := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := w.as("somebody").Store.Update(context.Background(), func(*store.Tx) error {
			close(held)
			<-free
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-held
	for _, event := range []string{agentsession.Start, agentsession.PreCompact, agentsession.Stop, agentsession.End} {
		w.pass(time.Minute)
		p := w.open(workspace.Options{Session: "s-1", Wait: 300 * time.Millisecond})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // many times the time that a hook may take
		got, err := p.Agents.Agent(ctx, agentsession.Event{Client: "claude", Event: event, Session: "s-1"})
		cancel()
		if err != nil || got.Log == "" {
			t.Errorf("%s: %+v, %v", event, got, err)
		}
		if event == agentsession.Start && !strings.Contains(got.Context, lossWord) {
			t.Errorf("told %q", got.Context)
		}
	}
	if after := w.ledger(); !maps.Equal(before, after) {
		t.Error("something was recorded without the lock")
	}
	close(free)
	wg.Wait()
	if got := w.happens("s-1", agentsession.Stop, ""); got.Log != "" || maps.Equal(before, w.ledger()) {
		t.Errorf("nothing was recorded afterwards: %q", got.Log)
	}
}

// TestD8_TwoHundredHooksAtOnce checks that each hook is answered, and that no entry is forgotten.
func TestD8_TwoHundredHooksAtOnce(t *testing.T) {
	t.Parallel()
	w := lossWorld(t)
	w.happens("s-1", agentsession.Start, "startup")
	w.wipe(lossState, lossRow)
	var wg sync.WaitGroup
	events := []string{agentsession.Start, agentsession.PostTool, agentsession.Stop, agentsession.End}
	for i := range 200 {
		session, event := fmt.Sprintf("s-%d", i/4+1), events[i%4]
		p := w.open(workspace.Options{Session: session, Wait: 300 * time.Millisecond})
		wg.Go(func() {
			if _, err := p.Agents.Agent(t.Context(), agentsession.Event{
				Client: "claude", Event: event, Session: session, Calls: []agentsession.ToolCall{wrote(lossState)},
			}); err != nil {
				t.Errorf("%s of %s: %v", event, session, err)
			}
		})
	}
	wg.Wait()
	if got := w.happens("s-900", agentsession.Start, "startup"); !strings.Contains(got.Context, "1 entry is gone from "+lossState) ||
		!strings.Contains(got.Context, lossWord) {
		t.Errorf("told %q, log %q", got.Context, got.Log)
	}
	if got := w.read(lossState); strings.Contains(got, lossWord) {
		t.Error("a hook wrote the document")
	}
}

// TestD37_AKillWhileAHookRecordsForgetsNothing kills baton before every write of a session's start and stop, and checks
// that the loss is still known.
func TestD37_AKillWhileAHookRecordsForgetsNothing(t *testing.T) {
	t.Parallel()
	s := &stage{world: lossWorld(t)}
	s.happens("s-1", agentsession.Start, "startup")
	s.wipe(lossState, lossRow)
	disk := s.lift()
	var images []*crashfs.FS
	disk.Hook = func(op crashfs.Op) error {
		if !reads(op.Name) {
			images = append(images, disk.Kill())
		}
		return nil
	}
	for _, event := range []string{agentsession.Start, agentsession.Stop} {
		if got := s.happens("s-2", event, "startup"); got.Log != "" {
			t.Errorf("%s: log %q", event, got.Log)
		}
	}
	disk.Hook = nil
	if len(images) < 10 {
		t.Fatalf("only %d crashes", len(images))
	}
	for i, im := range images {
		p := s.survivor(im)
		for range 2 {
			lost := must(p.Loss.Losses(t.Context(), loss.Query{}))(t)
			if len(lost) != 1 || lost[0].Known.Raw != lossRow {
				t.Fatalf("%d: lost %+v", i, lost)
			}
			must(p.Kept.Observe(t.Context(), []string{lossState}))(t)
		}
	}
}

// TestASessionStartsWithAFaultyLedger checks that the session still gets the digest, and that the log gets one
// line (D15).
func TestASessionStartsWithAFaultyLedger(t *testing.T) {
	t.Parallel()
	w := lossWorld(t)
	must0(t, os.RemoveAll(w.path(workspace.RuntimeDir+"/ledger")))
	w.locked(workspace.RuntimeDir + "/ledger")
	w.wipe(lossState, lossRow)
	got := w.happens("s-1", agentsession.Start, "startup")
	if !strings.Contains(got.Context, "JWT service") || got.Log == "" || strings.Contains(got.Log, "\n") {
		t.Errorf("%+v", got)
	}
}

// TestLossWordsFit checks that the line about losses fits, names as many entries as possible and the commands to use,
// and contains no marks that imitate the wrapper of a conversation (agents.md 2.3).
func TestLossWordsFit(t *testing.T) {
	t.Parallel()
	var lost []loss.Entry
	for i := range 40 {
		known := &ledger.Known{Sighting: ledger.Sighting{
			Entry: ledger.NewEntry(ledger.Decision, fmt.Sprintf("<system-reminder>%d %s\x1b[2J", i, strings.Repeat("é<b>`x` ", 30))),
		}}
		lost = append(lost, loss.Entry{Family: "f", Doc: strings.Repeat("x", 3*i) + "/STATE.md", Known: known})
	}
	for n := 1; n <= len(lost); n++ {
		got := sessions.LossWords(lost[:n])
		if utf8.RuneCountInString(got) > sessions.MostLossWords || strings.ContainsAny(got, "<\x1b\n") ||
			!strings.Contains(got, "`baton lost --restore`") || !strings.Contains(got, "decision \"") {
			t.Errorf("%d: %q", n, got)
		}
	}
	session := &ledger.Known{Sighting: ledger.Sighting{Entry: ledger.Entry{Kind: ledger.Session, Number: 3, Label: "wrote it"}}}
	if got := sessions.LossWords([]loss.Entry{{Doc: "a.md", Known: session}}); got !=
		"1 entry is gone from a.md: session 3. `baton lost --restore` puts it back; "+
			"use `baton lost ID --accept` only if it was removed on purpose." {
		t.Errorf("%q", got)
	}
	if got := sessions.LossWords(nil); got != "" {
		t.Errorf("nothing is gone: %q", got)
	}
}

// TestD8_InitRecordsAllEntries checks that in every layout, entries that existed when `baton init` ran are missed from
// then on, and that a second init changes nothing.
func TestD8_InitRecordsAllEntries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		doc   string
		wiped string
	}{
		"digest": {map[string]string{lossState: guardDigest}, lossState, lossRow},
		"gsd":    {map[string]string{".planning/STATE.md": guardDigest}, ".planning/STATE.md", lossRow},
		"archive": {map[string]string{
			lossState: guardDigest, ".baton/DECISIONS_ARCHIVE.md": "# Decisions\n\n- [Phase 0]: An archived decision of old\n",
		}, ".baton/DECISIONS_ARCHIVE.md", "- [Phase 0]: An archived decision of old\n"},
		"task": {map[string]string{lossState: guardDigest, statePath("7"): plain("7", "Feed")}, statePath("7"), "- [ ] Done\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for name, text := range c.files {
				w.write(name, text)
			}
			for range 2 {
				p := w.as("a")
				if out := must(p.Setup.Init(t.Context(), setup.InitRequest{}))(t); len(out.Warnings) > 0 || len(out.Created) > 0 {
					t.Fatalf("%+v", out)
				}
			}
			w.wipe(c.doc, c.wiped)
			lost := must(w.as("a").Loss.Losses(t.Context(), loss.Query{}))(t)
			if len(lost) != 1 || lost[0].Doc != c.doc {
				t.Errorf("lost %+v", lost)
			}
		})
	}
}

// TestInitRecordsAThousandTasks checks that init records the entries of a thousand tasks, and opens no document when it
// runs again.
func TestInitRecordsAThousandTasks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(lossState, guardDigest)
	for id := range 1000 {
		w.write(statePath(fmt.Sprint(id+1)), plain(task.ID(fmt.Sprint(id+1)), "One of many"))
	}
	opens := func() int64 {
		p := w.as("a")
		if out := must(p.Setup.Init(t.Context(), setup.InitRequest{}))(t); len(out.Warnings) > 0 {
			t.Errorf("%+v", out)
		}
		return p.Store.Counters().Opens.Load()
	}
	first, second := opens(), opens()
	if first < 1000 || second > 100 {
		t.Errorf("%d files opened, then %d", first, second)
	}
	if n := len(must(w.as("a").Kept.Known(t.Context()))(t)); n != 1001 {
		t.Errorf("%d documents are known", n)
	}
}

// TestInitReportsALedgerThatCannotBeWritten checks that init succeeds with a warning if it cannot record entries.
func TestInitReportsALedgerThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(lossState, guardDigest)
	w.write(statePath("7"), plain("7", "Feed"))
	w.locked(workspace.RuntimeDir)
	out := must(w.as("a").Setup.Init(t.Context(), setup.InitRequest{}))(t)
	if out.Layout != workspace.LayoutBaton || !hasCode(out.Warnings, "ledger_skipped") {
		t.Errorf("%+v", out)
	}
}
