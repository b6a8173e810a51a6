package filestore_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/filestore"

	"github.com/google/go-cmp/cmp"
)

func realStore(t *testing.T) (*filestore.Store, string) {
	t.Helper()
	root := realTemp(t)
	return filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local", Command: "test"}), root
}

func get(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// tree returns everything below root with modes and times.
func tree(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			out = append(out, strings.TrimPrefix(path, root)+" "+info.Mode().String()+" "+info.ModTime().Format(time.RFC3339Nano))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestD2_FirstWrite: the first write creates the runtime folder and a .gitignore in it that hides
// all of it. Reads, failed writes and writes without effect create nothing.
func TestD2_FirstWrite(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	put(t, filepath.Join(root, "tasks/1.md"), "x")
	before := tree(t, root)
	for _, fn := range []func(tx *store.Tx) error{
		func(tx *store.Tx) error { tx.Write("tasks/1.md", []byte("x")); return nil },
		func(tx *store.Tx) error { tx.Write("tasks/2.md", []byte("x")); return os.ErrInvalid },
		func(tx *store.Tx) error { tx.Create("tasks/1.md", []byte("x")); return nil },
		func(tx *store.Tx) error { tx.Write("../out", []byte("x")); return nil },
	} {
		_, _ = s.Update(context.Background(), fn)
	}
	if _, err := s.Read(context.Background(), "tasks/1.md"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, tree(t, root)); diff != "" {
		t.Fatalf("something was touched:\n%s", diff)
	}
	update(t, s, func(tx *store.Tx) { tx.Write("tasks/2.md", []byte("y")) })
	if got := get(t, filepath.Join(root, ".baton/local/.gitignore")); got != "*\n" {
		t.Errorf(".gitignore holds %q", got)
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", root}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	if got := git("status", "--porcelain", "-uall"); got != "?? tasks/1.md\n?? tasks/2.md\n" {
		t.Errorf("git sees\n%s", got)
	}
}

// TestD2_RuntimeUnwritable: if the runtime folder cannot be created, writes are refused with exit
// code 9 and a hint that names the folder and its owner. Reads still work.
func TestD2_RuntimeUnwritable(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	put(t, filepath.Join(root, "doc"), "x")
	put(t, filepath.Join(root, ".baton"), "a file where a folder should be")
	s := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local"})
	_, err := s.Update(context.Background(), func(tx *store.Tx) error { tx.Write("doc", []byte("y")); return nil })
	e := clear(t, "update", err)
	if e.Code != "runtime_unwritable" || e.Kind.Row().Exit != 9 || !strings.Contains(e.Hint, filepath.Join(root, ".baton")) ||
		!strings.Contains(e.Hint, "belongs to") {
		t.Errorf("%+v", e)
	}
	if err := s.WriteCache("x.json", []byte("{}")); report.CodeOf(err) != "runtime_unwritable" {
		t.Errorf("cache: %v", err)
	}
	if doc, err := s.Read(context.Background(), "doc"); err != nil || string(doc.Data) != "x" {
		t.Errorf("%+v, %v", doc, err)
	}
}

// TestLaw8_ReadsNeverWrite: reading changes not a byte and not a time, whether or not the project
// was ever written.
func TestLaw8_ReadsNeverWrite(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	for range 2 {
		before := tree(t, root)
		for _, name := range []string{"tasks/1.md", "none"} {
			_, err1 := s.Read(context.Background(), name)
			_, err2 := s.Head(context.Background(), name, 5)
			_, err3 := s.Tail(context.Background(), name, 5)
			_, err4 := s.List(context.Background(), "tasks")
			if err1 != nil || err2 != nil || err3 != nil || err4 != nil {
				t.Fatal(err1, err2, err3, err4)
			}
		}
		if _, err := s.ReadCache("none.json"); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, tree(t, root)); diff != "" {
			t.Fatalf("reading left a trace:\n%s", diff)
		}
		update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte("x")) })
	}
}

// TestLaw1_NothingToDo: a transaction without changes leaves bytes, times and modes of the
// documents.
func TestLaw1_NothingToDo(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte("x")) })
	before := tree(t, filepath.Join(root, "tasks"))
	n := s.Counters().Syncs.Load()
	update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte("x")); tx.Append("tasks/1.md", nil) })
	if diff := cmp.Diff(before, tree(t, filepath.Join(root, "tasks"))); diff != "" {
		t.Errorf("something was touched:\n%s", diff)
	}
	if got := s.Counters().Syncs.Load() - n; got != 0 {
		t.Errorf("%d fsyncs", got)
	}
}

// TestD31_Fsyncs checks the exact numbers of fsyncs and of folders that are held open.
func TestD31_Fsyncs(t *testing.T) {
	t.Parallel()
	s, _ := realStore(t)
	update(t, s, func(tx *store.Tx) {
		tx.Write("tasks/1.md", []byte("x"))
		tx.Write("tasks/2.md", []byte("x"))
		tx.Write("archive/1.md", []byte("x"))
	})
	turn := 1
	for _, c := range []struct {
		name string
		want int64
		held int64
		fn   func(tx *store.Tx, text []byte)
	}{
		{"one file replaced", 2, 5, func(tx *store.Tx, b []byte) { tx.Write("tasks/1.md", b) }},
		{"one file created", 2, 5, func(tx *store.Tx, b []byte) { tx.Write("tasks/n"+string(b), b) }},
		{"replace and append", 6, 6, func(tx *store.Tx, b []byte) { tx.Write("tasks/1.md", b); tx.Append("archive/1.md", b) }},
		{"replace and new archive", 7, 6, func(tx *store.Tx, b []byte) {
			tx.Write("tasks/1.md", b)
			tx.Append("archive/n"+string(b), b)
		}},
		{"append alone", 4, 5, func(tx *store.Tx, b []byte) { tx.Append("archive/1.md", b) }},
		{"two replaced in one folder", 6, 5, func(tx *store.Tx, b []byte) { tx.Write("tasks/1.md", b); tx.Write("tasks/2.md", b) }},
		{"nothing", 0, 5, func(tx *store.Tx, _ []byte) { _, _ = tx.Read("tasks/1.md") }},
	} {
		turn++
		n, held := s.Counters().Syncs.Load(), s.Counters().Held.Load()
		update(t, s, func(tx *store.Tx) { c.fn(tx, bytes.Repeat([]byte("x"), turn)) })
		if got := s.Counters().Syncs.Load() - n; got != c.want {
			t.Errorf("%s: %d fsyncs, want %d", c.name, got, c.want)
		}
		if got := s.Counters().Held.Load() - held; got != c.held {
			t.Errorf("%s: %d folders opened, want %d", c.name, got, c.held)
		}
	}
}

// TestD31_ReadCosts: a read opens the document and checks for a journal. A listing with heads opens
// each file once and the folder once.
func TestD31_ReadCosts(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	for _, name := range []string{"a", "b", "c"} {
		put(t, filepath.Join(root, "tasks", name), strings.Repeat("x", 10_000))
	}
	ctx := context.Background()
	count := func(fn func() error) (opens, read int64) {
		t.Helper()
		o, r := s.Counters().Opens.Load(), s.Counters().BytesRead.Load()
		if err := fn(); err != nil {
			t.Fatal(err)
		}
		return s.Counters().Opens.Load() - o, s.Counters().BytesRead.Load() - r
	}
	if opens, read := count(func() error { _, err := s.Read(ctx, "tasks/a"); return err }); opens != 1 || read != 10_000 {
		t.Errorf("read: %d opens, %d bytes", opens, read)
	}
	opens, read := count(func() error {
		entries, err := s.List(ctx, "tasks")
		for _, e := range entries {
			if _, err := s.Head(ctx, "tasks/"+e.Name, 100); err != nil {
				return err
			}
		}
		return err
	})
	if opens != 4 || read != 300 {
		t.Errorf("list and heads: %d opens, %d bytes", opens, read)
	}
	if n := s.Counters().Syncs.Load(); n != 0 {
		t.Errorf("%d fsyncs by reading", n)
	}
}

// TestD7_AppendCostsTheSame: how much an append reads and writes does not depend on the size of the
// archive.
func TestD7_AppendCostsTheSame(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	update(t, s, func(tx *store.Tx) { tx.Write("task", []byte("0")) })
	var costs []int64
	for _, size := range []int{10_000, 40 << 20} {
		put(t, filepath.Join(root, "archive"), strings.Repeat("x", size))
		n := s.Counters()
		before := n.BytesRead.Load() + n.Written.Load()
		update(t, s, func(tx *store.Tx) {
			if _, err := tx.Tail("archive", 64<<10); err != nil {
				t.Error(err)
			}
			tx.Append("archive", []byte("an entry\n"))
			tx.Write("task", []byte(strings.Repeat("1", size%9+1)))
		})
		costs = append(costs, n.BytesRead.Load()+n.Written.Load()-before)
	}
	if costs[1] > 256<<10 || costs[1] > costs[0]+64<<10 {
		t.Errorf("bytes: %v", costs)
	}
}

// TestTS6_TooLarge: a document above 64 MiB is refused before it is read, but parts of it can be
// read.
func TestTS6_TooLarge(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	path := filepath.Join(root, "huge")
	put(t, path, "head")
	if err := os.Truncate(path, store.MaxSize+1); err != nil {
		t.Fatal(err)
	}
	_, err := s.Read(context.Background(), "huge")
	if report.KindOf(err) != report.Corrupt || report.CodeOf(err) != "too_large" {
		t.Errorf("got %v", err)
	}
	if n := s.Counters().BytesRead.Load(); n != 0 {
		t.Errorf("%d bytes were read", n)
	}
	if p, err := s.Head(context.Background(), "huge", 4); err != nil || string(p.Data) != "head" || p.Size != store.MaxSize+1 {
		t.Errorf("head: %+v, %v", p, err)
	}
	if p, err := s.Tail(context.Background(), "huge", 4); err != nil || p.Offset != store.MaxSize-3 {
		t.Errorf("tail: %+v, %v", p, err)
	}
	_, err = s.Update(context.Background(), func(tx *store.Tx) error { tx.Write("huge", []byte("x")); return nil })
	if err != nil {
		t.Errorf("replacing it: %v", err)
	}
	_, err = s.Update(context.Background(), func(tx *store.Tx) error { tx.Write("b", make([]byte, store.MaxSize+1)); return nil })
	if report.CodeOf(err) != "too_large" {
		t.Errorf("writing too much: %v", err)
	}
}

// TestTS32_ModesStay: a replaced file keeps its mode, and a new one gets 0666 less the umask.
func TestTS32_ModesStay(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	path := filepath.Join(root, "a")
	for _, mode := range []os.FileMode{0o600, 0o640, 0o755, 0o444} {
		put(t, filepath.Join(root, "a"), "x")
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		update(t, s, func(tx *store.Tx) { tx.Write("a", []byte("y"+mode.String())) })
		info, err := os.Stat(path)
		if err != nil || info.Mode() != mode {
			t.Errorf("mode %v became %v, %v", mode, info.Mode(), err)
		}
		_ = os.Remove(path)
	}
	update(t, s, func(tx *store.Tx) { tx.Append("log", []byte("z")) })
	probe := filepath.Join(root, "probe")
	f, err := os.OpenFile(probe, os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	wanted, _ := os.Stat(probe)
	got, err := os.Stat(filepath.Join(root, "log"))
	if err != nil || got.Mode() != wanted.Mode() {
		t.Errorf("a new file has mode %v, %v", got.Mode(), err)
	}
}

// TestD1_SharedFolder: a second store can live in a folder of the first one's runtime folder, with
// its own lock and journal.
func TestD1_SharedFolder(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	folder := filepath.Join(root, ".baton/local/shared")
	claims := filestore.Open(filestore.Options{Root: folder, Runtime: ".", Command: "claim"})
	docs := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local"})
	if doc, err := claims.Read(context.Background(), "claims.json"); err != nil || doc.Exists {
		t.Fatal(doc, err)
	}
	if _, err := os.Stat(filepath.Join(root, ".baton")); !os.IsNotExist(err) {
		t.Fatal("reading made the folder")
	}
	_, err := claims.Update(context.Background(), func(tx *store.Tx) error {
		tx.Write("claims.json", []byte("{}"))
		_, err := docs.Update(context.Background(), func(tx *store.Tx) error {
			tx.Write("tasks/1.md", []byte("x"))
			tx.Append("archive.md", []byte("x"))
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	update(t, claims, func(tx *store.Tx) { tx.Write("claims.json", []byte(`{"1":"a"}`)); tx.Append("log", []byte("x")) })
	for _, name := range []string{".baton/local/.gitignore", ".baton/local/shared/.gitignore"} {
		if got := get(t, filepath.Join(root, name)); got != "*\n" {
			t.Errorf("%s holds %q", name, got)
		}
	}
	if got := get(t, filepath.Join(folder, "claims.json")); got != `{"1":"a"}` {
		t.Errorf("claims hold %q", got)
	}
}

// TestCaches: caches are small files without fsync.
func TestCaches(t *testing.T) {
	t.Parallel()
	s, root := realStore(t)
	if got, err := s.ReadCache("sessions/a.json"); got != nil || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, data := range []string{"{}", `{"longer":1}`, ""} {
		if err := s.WriteCache("sessions/a.json", []byte(data)); err != nil {
			t.Fatal(err)
		}
		if got, err := s.ReadCache("sessions/a.json"); string(got) != data || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	for range 2 {
		if err := s.RemoveCache("sessions/a.json"); err != nil {
			t.Error(err)
		}
	}
	if got, err := s.ReadCache("sessions/a.json"); err != nil || got != nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := s.WriteCache("../out", nil); report.CodeOf(err) != "path_outside" {
		t.Errorf("got %v", err)
	}
	if n := s.Counters().Syncs.Load(); n != 0 {
		t.Errorf("%d fsyncs", n)
	}
	if got := get(t, filepath.Join(root, ".baton/local/.gitignore")); got != "*\n" {
		t.Errorf(".gitignore holds %q", got)
	}
}

// TestD2_TheFirstWriteWasKilled: the .gitignore of a process that was killed before it wrote anything is empty. The next
// write fills it, because git would add the whole folder. Nothing else that is in it is touched.
func TestD2_TheFirstWriteWasKilled(t *testing.T) {
	t.Parallel()
	for was, want := range map[string]string{"": "*\n", "*": "*", "!log\n": "!log\n"} {
		s, root := realStore(t)
		put(t, filepath.Join(root, ".baton/local/.gitignore"), was)
		update(t, s, func(tx *store.Tx) { tx.Write("tasks/1.md", []byte("y")) })
		if got := get(t, filepath.Join(root, ".baton/local/.gitignore")); got != want {
			t.Errorf("%q became %q", was, got)
		}
	}
}
