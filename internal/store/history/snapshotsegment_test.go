package history_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/history"
)

// sameShard returns names of documents whose versions are in the same sub-folder as those of first.
func sameShard(first string, n int) []string {
	names := []string{first}
	shard := func(name string) int { return int(sha256.Sum256([]byte(name))[0]) % 64 }
	for i := 0; len(names) < n; i++ {
		if name := fmt.Sprintf("quiet%d", i); shard(name) == shard(first) {
			names = append(names, name)
		}
	}
	return names
}

// segmentFiles returns the files with bytes of versions, and their total size.
func segmentFiles(files map[string]string) (out []string, size int) {
	for name, data := range files {
		if ok, _ := path.Match("*.[1-4]", path.Base(name)); ok {
			out, size = append(out, name), size+len(data)
		}
	}
	return out, size
}

// onDisk makes everything below a folder durable, its name included.
func onDisk(t *testing.T, fs *crashfs.FS, folder string) {
	t.Helper()
	dirs := map[string]bool{folder: true, path.Dir(folder): true}
	for name, data := range fs.Files(folder) {
		fs.Put(name, data)
		dirs[path.Dir(name)] = true
	}
	for dir := range dirs {
		if err := fs.SyncDir(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// TestD37_SegmentsGiveRoomBack: before the oldest segment is dropped, what must stay is appended to
// the newest. So documents that nobody writes any more cost only their own bytes. Whenever a
// process dies meanwhile, every listed version is available, also to readers with an older list. A
// power cut takes nothing that was on disk before.
func TestD37_SegmentsGiveRoomBack(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	tight := history.Limits{MaxBytes: 64 << 10} // makes segments of 4 KB
	s := keepingOn(fs, tight)
	r := rand.New(rand.NewPCG(5, 6))
	names := sameShard("loud", 5)
	text := func(what string, n int) string {
		for len(what) < n {
			what += fmt.Sprintf(" %x", r.Uint64())
		}
		return what[:n]
	}
	newest := map[string]string{}
	write := func(name string, n int) {
		newest[name] = text(name, n)
		update(t, s, func(tx *store.Tx) { tx.Write(name, []byte(newest[name])) })
	}
	whole := func(what string, img *crashfs.FS, names []string) {
		t.Helper()
		for _, name := range names {
			list := versions(t, keepingOn(img, tight), name)
			if all := strings.Join(list, "\n"); strings.Contains(all, "revision_lost") || len(list) == 0 && newest[name] != "" {
				t.Fatalf("%s: %s has %.300q", what, name, list)
			}
		}
	}
	moves := 0
	for i := range 130 {
		if i%12 == 0 && i/12+1 < len(names) {
			write(names[i/12+1], 500)
		}
		onDisk(t, fs, "/p/.baton/local/snapshots")
		old, err := s.Snapshots(t.Context(), names[1])
		if err != nil {
			t.Fatal(err)
		}
		newest["loud"] = text("loud", 900)
		crashes(t, fs, func() error {
			_, err := s.Update(t.Context(), func(tx *store.Tx) error { tx.Write("loud", []byte(newest["loud"])); return nil })
			return err
		}, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
			if i > 60 && sampled(op.N+i, 20) && strings.Contains(op.Path, "/snapshots") {
				whole(fmt.Sprintf("before %s %s (%d)", op.Name, op.Path, op.N), snap(0), names)
				whole(fmt.Sprintf("power cut before %s %s (%d)", op.Name, op.Path, op.N), snap(uint64(i)), names[1:])
			}
		})
		now, err := s.Snapshots(t.Context(), names[1])
		if err != nil {
			t.Fatal(err)
		}
		if len(old) > 0 && (now[0].Segment != old[0].Segment) {
			moves++
			if data, err := s.SnapshotData(t.Context(), old[len(old)-1]); err != nil || string(data) != newest[names[1]] {
				t.Fatalf("a reader with an older list gets %.40q, %v", data, err)
			}
		}
	}
	whole("at the end", fs, names)
	for _, name := range names {
		list := versions(t, s, name)
		if got := list[len(list)-1]; got != "wrote "+newest[name] {
			t.Errorf("%s: %.60q", name, got)
		}
	}
	if moves < 3 {
		t.Errorf("moved %d times", moves)
	}
	if files, size := segmentFiles(fs.Files("/p/.baton/local/snapshots")); size > 64<<10 || len(files) > 24 {
		t.Errorf("%d files of %d bytes", len(files), size)
	}
}

// TestSameBytesAreKeptOnce: this also holds if a document changes back and forth.
func TestSameBytesAreKeptOnce(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := keepingOn(fs, roomy)
	for i := range 20 {
		update(t, s, func(tx *store.Tx) { tx.Write("a", []byte(strings.Repeat(fmt.Sprint(i%2), 3000))) })
	}
	if n := len(versions(t, s, "a")); n != 20 {
		t.Errorf("%d versions", n)
	}
	if files, size := segmentFiles(fs.Files("/p/.baton/local/snapshots")); len(files) != 1 || size > 2*3100 {
		t.Errorf("%d bytes in %q", size, files)
	}
}

// TestD36_NoSegmentShowsMoreThanItsDocuments: a person who may not read a document may not read its
// versions.
func TestD36_NoSegmentShowsMoreThanItsDocuments(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	names := sameShard("open", 2)
	put(t, filepath.Join(root, names[0]), "first")
	put(t, filepath.Join(root, names[1]), "secret")
	if err := os.Chmod(filepath.Join(root, names[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(filestore.Options{Root: root, Runtime: ".baton/local"}, history.Options{Snapshots: roomy})
	for i := range 3 {
		for _, name := range names {
			update(t, s, func(tx *store.Tx) { tx.Write(name, fmt.Appendf(nil, "%s %d", name, i)) })
		}
	}
	found, err := filepath.Glob(filepath.Join(root, ".baton/local/snapshots/*/*.[1-9]"))
	if err != nil || len(found) != 2 {
		t.Fatalf("%q, %v", found, err)
	}
	for _, pack := range found {
		data, err := os.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(pack)
		if secret := strings.Contains(string(data), "secret"); err != nil || secret && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s shows it: %v, %v", pack, info.Mode(), err)
		}
	}
	for _, name := range names {
		if list := versions(t, s, name); list[len(list)-1] != "wrote "+name+" 2" || len(list) != 4 {
			t.Errorf("%s: %q", name, list)
		}
	}
}

// TestD37_PruningTakesNoMoreThanItNeeds: this also holds for versions that are shorter than their
// records.
func TestD37_PruningTakesNoMoreThanItNeeds(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := keepingOn(fs, history.Limits{MaxBytes: 128 << 10})
	most, pruned := 0, false
	for i := 0; i < 1500; i++ {
		update(t, s, func(tx *store.Tx) { tx.Write("a", fmt.Appendf(nil, "%d", i)) })
		if i%5 > 0 {
			continue
		}
		list, err := s.Snapshots(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		if most = max(most, len(list)); len(list) < most {
			pruned = true
		}
		if len(list) < most*3/4 {
			t.Fatalf("%d versions were kept, and then %d", most, len(list))
		}
	}
	if !pruned {
		t.Error("nothing was pruned")
	}
}

// TestSegmentsOfSeveralModes: documents of one shard share a file with those of the same
// permissions.
func TestSegmentsOfSeveralModes(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	names := sameShard("open", 2)
	for i, mode := range []os.FileMode{0o640, 0o604} {
		put(t, filepath.Join(root, names[i]), "first")
		if err := os.Chmod(filepath.Join(root, names[i]), mode); err != nil {
			t.Fatal(err)
		}
	}
	s := open(filestore.Options{Root: root, Runtime: ".baton/local"}, history.Options{Snapshots: roomy})
	for i := range 20 {
		for _, name := range names {
			update(t, s, func(tx *store.Tx) { tx.Write(name, fmt.Appendf(nil, "%s %d", name, i)) })
		}
	}
	if found, err := filepath.Glob(filepath.Join(root, ".baton/local/snapshots/*/*.[1-9]")); err != nil || len(found) > 3 {
		t.Errorf("%q, %v", found, err)
	}
}

// TestD37_BytesWithARecordStay: if a full disk prevents taking back a commit's record,
// the bytes stay as well.
func TestD37_BytesWithARecordStay(t *testing.T) {
	t.Parallel()
	fs := newCrashFS(t, nil)
	s := keepingOn(fs, roomy)
	update(t, s, func(tx *store.Tx) { tx.Write("a", []byte("first")) })
	fs.Put("/p/a", "by hand")
	full := false
	fs.Hook = func(op crashfs.Op) error {
		switch {
		case op.Name == "create" && strings.HasSuffix(op.Path, ".tmp") && !strings.Contains(op.Path, "/local/") && !full:
			full = true
			return syscall.ENOSPC
		case full && strings.HasSuffix(op.Path, "/index"):
			return syscall.EIO
		}
		return nil
	}
	_, err := s.Update(t.Context(), func(tx *store.Tx) error { tx.Write("a", []byte("second")); return nil })
	fs.Hook = nil
	if !full {
		t.Fatal("the disk was never full")
	}
	if all := strings.Join(versions(t, s, "a"), "\n"); strings.Contains(all, "revision_lost") {
		t.Errorf("%v: %q", err, all)
	}
}
