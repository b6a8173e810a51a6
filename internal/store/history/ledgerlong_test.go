package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"baton/internal/store"
)

// A commit reads only the end of a long book. If the end does not mention a document, the document
// need not be new.
func TestD37_ADeletedDocumentThatIsRecreatedIsMissedHoweverLongItsBookIs(t *testing.T) {
	t.Parallel()
	remake := map[string]func(*store.Tx){
		"by an append": func(tx *store.Tx) { tx.Append("archive/1.md", []byte("new\n")) },
		"by a write":   func(tx *store.Tx) { tx.Write("archive/1.md", []byte("new\n")) },
	}
	for _, commits := range []int{0, 40, 250} { // within the first look, beyond it, and beyond the second look
		for how, begin := range remake {
			t.Run(fmt.Sprintf("%d commits later %s", commits, how), func(t *testing.T) {
				t.Parallel()
				fs := newCrashFS(t, nil)
				s := watchingOn(fs)
				update(t, s, func(tx *store.Tx) {
					tx.Write("tasks/1.md", []byte("live\n"))
					tx.Append("archive/1.md", []byte("one\ntwo\n"))
				})
				talk(t, s, commits)
				fs.Delete("/p/archive/1.md")
				update(t, s, begin)
				observe(t, s, "tasks/1.md", "archive/1.md")
				said := bookSays(t, s, "tasks/1.md")
				for _, want := range []string{
					"missing archive/1.md: one", "missing archive/1.md: two", "present archive/1.md: new", "present tasks/1.md: live",
				} {
					if !slices.Contains(said, want) {
						t.Errorf("the book does not say %q: %q", want, said)
					}
				}
			})
		}
	}
}

// A document that is really new is known as a whole, so that it need not be looked at again.
func TestD37_NewDocumentOfALongBookIsKnown(t *testing.T) {
	t.Parallel()
	s := watchingOn(newCrashFS(t, nil))
	update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte("live\n")) })
	talk(t, s, 250)
	update(t, s, func(tx *store.Tx) { tx.Append("archive/1.md", []byte("one\n")) })
	if st := bookOf(t, s, "tasks/1.md").Docs["archive/1.md"]; st.Unsure || !st.Exists {
		t.Errorf("%+v", st)
	}
	if got := observe(t, s, "tasks/1.md", "archive/1.md"); got != nil {
		t.Errorf("nothing changed: %q", got)
	}
}

// talk makes a book long: each commit adds an entry of about 1 KB.
func talk(t *testing.T, s keeper, commits int) {
	t.Helper()
	for i := range commits {
		update(t, s, func(tx *store.Tx) {
			tx.Write("tasks/1.md", fmt.Appendf(nil, "live\n%d %s\n", i, strings.Repeat("word ", 160)))
		})
	}
}

// If somebody cut a document off within a line, an append may complete that line. The completed
// line is what moved.
func TestD37_AnAppendThatCompletesALineIsAMove(t *testing.T) {
	t.Parallel()
	for _, torn := range []string{"zero\nmo", "zero\nmoved", "mo", "zero\n", ""} {
		t.Run(torn, func(t *testing.T) {
			t.Parallel()
			fs := newCrashFS(t, nil)
			s := watchingOn(fs)
			update(t, s, func(tx *store.Tx) {
				tx.Write("tasks/1.md", []byte("moved\nstays\n"))
				tx.Append("archive/1.md", []byte("zero\n"))
			})
			fs.Put("/p/archive/1.md", torn)
			rest := strings.TrimPrefix("moved\n", torn[strings.LastIndex(torn, "\n")+1:])
			update(t, s, func(tx *store.Tx) {
				tx.Write("tasks/1.md", []byte("stays\n"))
				tx.Append("archive/1.md", []byte(rest))
			})
			if said := bookSays(t, s, "tasks/1.md"); !slices.Contains(said, "present archive/1.md: moved") {
				t.Errorf("the moved entry is not in the archive: %q", said)
			}
			fs.Delete("/p/archive/1.md")
			observe(t, s, "tasks/1.md", "archive/1.md")
			if said := bookSays(t, s, "tasks/1.md"); !slices.Contains(said, "missing archive/1.md: moved") {
				t.Errorf("the moved entry was wiped and is not missed: %q", said)
			}
		})
	}
}
