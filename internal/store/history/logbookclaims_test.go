package history_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/history"

	"github.com/google/go-cmp/cmp"
)

// TestD37_ClaimsAreInTheLog: claims are kept in another store, but a change of claims is a record
// of the chain like any other. It lists no documents.
func TestD37_ClaimsAreInTheLog(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := loggingOn(fs)
	update(t, s, func(tx *store.Tx) { tx.Write("a", []byte("one")) })
	steps := []history.ClaimStep{{Task: "3", Kind: history.ClaimTaken, From: "bob"}, {Task: "4", Kind: history.ClaimReleased}}
	for _, some := range [][]history.ClaimStep{steps, nil} {
		if err := s.LogClaims(t.Context(), some); err != nil {
			t.Fatal(err)
		}
	}
	update(t, s, func(tx *store.Tx) { tx.Write("a", []byte("two")) })
	list := changes(t, s)
	if len(list) != 3 {
		t.Fatalf("%+v", list)
	}
	c := list[1]
	if diff := cmp.Diff(steps, c.Claims); diff != "" || c.Seq != 2 || c.By != "agent-1" || c.Command != "test" || c.Head != "c0ffee" ||
		len(c.Docs) != 0 || c.Outside() {
		t.Errorf("%+v %s", c, diff)
	}
	known, err := s.Known(t.Context())
	if err != nil || len(known) != 1 {
		t.Errorf("%+v %v", known, err)
	}

	many := make([]history.ClaimStep, 300)
	if err := s.LogClaims(t.Context(), many); err != nil {
		t.Fatal(err)
	}
	if list = changes(t, s); len(list) != 4 || len(list[3].Claims) != 200 {
		t.Errorf("%d records", len(list))
	}
	line := history.LogLine(t, history.Change{Seq: 1, Claims: many})
	fs.Put(logFile, line)
	if _, faults, err := loggingOn(fs.Kill()).Changes(t.Context(), 0); err != nil || len(faults) != 1 {
		t.Errorf("more claims than any commit writes: %+v %v", faults, err)
	}
}

// TestD37_ClaimsThatCannotBeLogged: the error names the log. A store without a log has nothing to
// do.
func TestD37_ClaimsThatCannotBeLogged(t *testing.T) {
	t.Parallel()
	step := []history.ClaimStep{{Task: "3", Kind: history.ClaimReleased}}
	fsys := newCrashFS(t, nil)
	fsys.Hook = func(op crashfs.Op) error {
		if strings.HasSuffix(op.Path, ".jsonl") && op.Name == "create" {
			return fs.ErrPermission
		}
		return nil
	}
	err := loggingOn(fsys).LogClaims(t.Context(), step)
	if e, ok := errors.AsType[*report.Error](err); !ok || e.Kind != report.Refused || !strings.Contains(e.Path+e.Message, "local/log") {
		t.Errorf("%v", err)
	}
	fsys.Hook = nil
	plain := open(filestore.Options{Root: "/p", Runtime: ".baton/local", Env: steady(), FS: fsys}, history.Options{})
	if err := plain.LogClaims(t.Context(), step); err != nil {
		t.Error(err)
	}
	if list := changes(t, loggingOn(fsys)); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

// TestD37_OldRecordsStayValid: a record without the fields of later versions is read, and is
// written as the same bytes.
func TestD37_OldRecordsStayValid(t *testing.T) {
	t.Parallel()
	const line = `{"seq":1,"at":"2026-03-14T12:05:00Z","by":"ann","command":"task new","head":"c0ffee","docs":[{"name":"a",` +
		`"kind":"created","after":{"exists":true,"size":3}}],"sum":"d98119140bdbdb746f5835009462c8087ebf4929f0a3a1e3900b9de7fd2a9496"}` +
		"\n"
	fsys := newCrashFS(t, map[string]string{".baton/local/log/000001.jsonl": line})
	list := changes(t, loggingOn(fsys))
	if len(list) != 1 || list[0].By != "ann" || list[0].Agent != "" || list[0].Session != "" || list[0].Claims != nil {
		t.Fatalf("%+v", list)
	}
	if got := history.LogLine(t, list[0]); got != line {
		t.Errorf("%s", got)
	}
	update(t, loggingOn(fsys), func(tx *store.Tx) { tx.Write("b", []byte("x")) })
	if list = changes(t, loggingOn(fsys)); len(list) != 2 || list[1].Prev != list[0].Sum {
		t.Errorf("%+v", list)
	}
}

// TestD37_TheLogKnowsTheAgent: the log records the agent as well as the holder, if it is known.
func TestD37_TheLogKnowsTheAgent(t *testing.T) {
	t.Parallel()
	watch := watcher()
	watch.Agent = func() (client, session string) { return "claude", "s-1" }
	s := open(filestore.Options{
		Root: "/p", Runtime: ".baton/local", Command: "test", Env: steady(), FS: newCrashFS(t, nil), Wait: -1,
	}, history.Options{Watch: watch})
	update(t, s, func(tx *store.Tx) { tx.Write("a", []byte("one")) })
	if err := s.LogClaims(t.Context(), []history.ClaimStep{{Task: "3", Kind: history.ClaimReleased}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range changes(t, s) {
		if c.By != "agent-1" || c.Agent != "claude" || c.Session != "s-1" {
			t.Errorf("%+v", c)
		}
	}
}

// TestD37_BookAndLogHaveOneTime: the book and the log record the same time, whether baton made a
// change or found one. They are matched by that time.
func TestD37_BookAndLogHaveOneTime(t *testing.T) {
	t.Parallel()
	watch := watcher()
	watch.Family = func(name string) (string, bool) { return name, true }
	watch.Entries = func(_ string, data []byte) (out []ledger.Entry) {
		for line := range strings.Lines(string(data)) {
			out = append(out, ledger.NewEntry(ledger.Decision, strings.TrimSpace(line)))
		}
		return out
	}
	env, now := steady(), steady().Now()
	env.Now = func() time.Time { now = now.Add(time.Millisecond); return now }
	fsys := newCrashFS(t, nil)
	s := open(filestore.Options{
		Root: "/p", Runtime: ".baton/local", Command: "test", Env: env, FS: fsys, Wait: -1,
	}, history.Options{Watch: watch})
	update(t, s, func(tx *store.Tx) { tx.Write("a", []byte("Use one lock\n")) })
	fsys.Put("/p/a", "Use one lock\nKeep files plain\n")
	if _, err := s.Observe(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	book, err := s.Book(context.Background(), "a")
	if err != nil || book == nil || len(book.Entries) != 2 {
		t.Fatalf("%+v %v", book, err)
	}
	var written, logged []string
	for _, k := range book.Entries {
		written = append(written, k.First.At.String()+" by "+k.First.By)
	}
	for _, c := range changes(t, s) {
		logged = append(logged, c.At.String()+" by "+c.By)
	}
	slices.Sort(written)
	if diff := cmp.Diff(written, logged); diff != "" {
		t.Error(diff)
	}
}
