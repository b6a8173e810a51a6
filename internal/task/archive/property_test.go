package archive

import (
	"bytes"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/tasktest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// drawEntry draws an entry that is not empty.
func drawEntry(t *rapid.T) task.Entry {
	items := func(label string, least int) []string {
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return tasktest.DrawItem(t, label) }), least, 3).Draw(t, label)
	}
	e := task.Entry{Did: items("did", 1), Issues: items("issues", 0), State: items("state", 0), Next: items("next", 0)}
	for _, hash := range rapid.SliceOfNDistinct(rapid.StringMatching(`[0-9a-f]{7,12}`), 0, 3, rapid.ID[string]).Draw(t, "commits") {
		e.Commits = append(e.Commits, task.Commit{Hash: hash, Subject: "change " + hash})
	}
	return e
}

// plain removes what the writer may add to keep a file sound: backslashes before marks, indentation, and the ends of
// fences and comments.
func plain(items []string) []string {
	var out []string
	for _, item := range items {
		for _, mark := range []string{"\\", "`", "~", "-->"} {
			item = strings.ReplaceAll(item, mark, "")
		}
		if item = safetext.OneLine(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// Every logged entry can be read back, and nothing else in the file changes.
func TestAppendThenParseGivesTheEntry(t *testing.T) {
	t.Parallel()
	for _, d := range tasktest.BothDialects() {
		rapid.Check(t, func(t *rapid.T) {
			s := tasktest.NewTask(d)
			n := rapid.IntRange(1, 3).Draw(t, "entries")
			for i := range n {
				e := drawEntry(t)
				if e.Empty() {
					continue
				}
				before := s
				next, err := s.Append(s.NextNumber(nil, 0), tasktest.Clock(), e)
				if err != nil {
					t.Fatalf("entry %d: %v", i, err)
				}
				s = next
				got, want := s.Sessions[len(s.Sessions)-1], e.Tidy()
				for _, f := range []struct {
					name      string
					got, want []string
				}{
					{"did", got.Did, want.Did},
					{"issues", got.Issues, want.Issues},
					{"state", got.State, want.State},
					{"next", got.Next, want.Next},
				} {
					if diff := cmp.Diff(plain(f.want), plain(f.got), cmpopts.EquateEmpty()); diff != "" {
						t.Fatalf("%s of session %d (-want +got):\n%s\n%s", f.name, got.Number, diff, s.Bytes())
					}
				}
				if len(s.Sections) != len(before.Sections) || len(s.Sessions) != len(before.Sessions)+1 {
					t.Fatalf("structure changed:\n%s", s.Bytes())
				}
				if kept := tasktest.Removed(before.Bytes(), s.Bytes()); kept != "" {
					t.Fatalf("lines were lost: %q", kept)
				}
			}
		})
	}
}

// Archived sessions can be read back byte for byte (TS-D21), and the remaining ones do not change.
func TestArchiveThenReadBackGivesTheBytes(t *testing.T) {
	t.Parallel()
	for _, d := range tasktest.BothDialects() {
		rapid.Check(t, func(t *rapid.T) {
			s := tasktest.NewTask(d)
			var archive []byte
			original := map[int]string{}
			for range rapid.IntRange(1, 9).Draw(t, "steps") {
				e := drawEntry(t)
				if e.Empty() {
					continue
				}
				next, err := s.Append(s.NextNumber(archive, 0), tasktest.Clock(), e)
				if err != nil {
					t.Fatal(err)
				}
				s = next
				last := s.Sessions[len(s.Sessions)-1]
				original[last.Number] = string(last.Span.Of(s.Bytes()))
				if rapid.Bool().Draw(t, "archive now") {
					s, archive = archiveNow(t, s, archive, rapid.IntRange(0, 3).Draw(t, "keep"))
				}
			}
			live := map[int]string{}
			for _, session := range s.Sessions {
				live[session.Number] = string(session.Span.Of(s.Bytes()))
			}
			for n, want := range original {
				if text, ok := live[n]; ok {
					if text != want {
						t.Fatalf("live session %d changed:\n%q\n%q", n, want, text)
					}
					continue
				}
				got, err := ReadBack(s, archive, n, n)
				if err != nil || string(got) != want {
					t.Fatalf("session %d: %v\nwant %q\ngot  %q\narchive:\n%s", n, err, want, got, archive)
				}
			}
		})
	}
}

// archiveNow archives, checks what must always hold, and returns the new file and archive.
func archiveNow(t interface {
	Helper()
	Fatalf(string, ...any)
}, s *task.State, archive []byte, keep int,
) (*task.State, []byte) {
	t.Helper()
	change, err := Sessions(s, keep, "test", tasktest.Clock(), ".baton/archive/task-101-archive.md", factsOf(archive))
	if err != nil {
		t.Fatalf("archive: %v", err)
	}
	for i, move := range change.Moves {
		if !bytes.Contains(s.Bytes(), move.Lost) || bytes.Contains(change.Batch, move.Gained) != true {
			t.Fatalf("move %d does not name bytes of file and archive: %q", i, move.Lost)
		}
	}
	if want := min(len(s.Sessions), keep); len(change.State.Sessions) != want {
		t.Fatalf("%d sessions stay, want %d:\n%s", len(change.State.Sessions), want, change.State.Bytes())
	}
	return change.State, append(bytes.Clone(archive), change.Batch...)
}

// factsOf returns what a use case would know about an archive.
func factsOf(archive []byte) Facts {
	return Facts{
		Exists: len(archive) > 0, Size: int64(len(archive)),
		Tail: archive[max(0, len(archive)-64<<10):], Head: archive[:min(len(archive), 4<<10)],
	}
}

// FuzzLog logs an entry into an arbitrary file. Nothing panics, no byte of the old file is lost, and the entry can be
// read back.
func FuzzLog(f *testing.F) {
	f.Add(tasktest.NewTask(task.V2).Bytes(), "did a thing", "next\n### Session 9")
	f.Add(tasktest.NewTask(task.V1C).Bytes(), "```", "x")
	f.Add([]byte(""), "a", "")
	f.Add([]byte("# Task #1: x\n## Progress Log\n- [2026-01-01] a\n---\n"), "a", "b")
	f.Add([]byte("## 3. Progress Log\r\n\r\n### Session 3 - x\r\n**Did:** a\r\n---"), "a", "b")
	f.Add([]byte("## Progress Log\n### Archived Summary\n**Duration:** x\n### Session 1\n**Did:** a\n\n## Git History\n- `abcdef1` - a"),
		"a", "b")
	f.Fuzz(func(t *testing.T, src []byte, did, next string) { checkLog(t, src, did, next) })
}

// checkLog logs an entry with limits so small that everything except the entry is archived at once.
func checkLog(t fataler, src []byte, did, next string) {
	t.Helper()
	s := task.Parse("7", src)
	e := task.Entry{Did: []string{did}, Next: []string{next}, Commits: []task.Commit{{Hash: "abc1234"}}}
	limits := task.DefaultLimits()
	limits.ArchiveKB, limits.KeepSessions = 0, 1
	change, err := Log(s, LogRequest{Entry: e, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: limits, ArchivePath: "a.md"})
	if code := report.CodeOf(err); code == "entry_empty" || code == "unclosed_fence" || code == "text_invalid" {
		return
	} else if err != nil {
		t.Fatalf("%s: %v\n%q\n%q", code, err, src, did)
	}
	if change.Session < 1 || len(change.State.Sessions) == 0 {
		t.Fatalf("the entry is not there: session %d\n%s", change.Session, change.State.Bytes())
	}
	live := change.State.Sessions[len(change.State.Sessions)-1]
	if len(e.Tidy().Did) > 0 && len(live.Did) == 0 {
		t.Fatalf("the entry is not read:\n%s", change.State.Bytes())
	}
	for _, session := range s.Sessions {
		text := bytes.TrimRight(session.Span.Of(src), "\r\n")
		moved := false
		for _, m := range change.Moves {
			moved = moved || bytes.Equal(bytes.TrimRight(m.Lost, "\r\n"), text) && bytes.Contains(change.Batch, m.Gained)
		}
		if !moved && !bytes.Contains(change.State.Bytes(), text) {
			t.Fatalf("session lost: %q\n%q\n%q", text, src, change.State.Bytes())
		}
	}
	// Everything stays except sessions, placeholders, metadata and the summary.
	for _, section := range s.All(task.Unknown) {
		if text := section.Body.Of(src); !bytes.Contains(change.State.Bytes(), bytes.TrimRight(text, "\r\n")) {
			t.Fatalf("section lost: %q\n%q", text, change.State.Bytes())
		}
	}
}

func TestLogOnAnyFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		checkLog(t, []byte(tasktest.DrawFile(t, "file")), tasktest.DrawItem(t, "did"), tasktest.DrawItem(t, "next"))
	})
}

// fataler is the common part of tests, fuzz targets and properties.
type fataler interface {
	Helper()
	Fatalf(string, ...any)
}
