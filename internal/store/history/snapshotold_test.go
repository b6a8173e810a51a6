package history_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/history"

	"github.com/google/go-cmp/cmp"
)

// oldForm returns a disk on which an older version of baton kept versions, all durable: some of
// four documents that have not changed since, and many of a fifth. They are in packs of 4 KB, and
// long ones in files of their own, with one index for all.
func oldForm(t *testing.T) (fs *crashfs.FS, names []string, texts map[string][]string) {
	t.Helper()
	source := newCrashFS(t, nil)
	s := keepingOn(source, roomy)
	names, texts = sameShard("loud", 5), map[string][]string{}
	write := func(name, text string) {
		texts[name] = append(texts[name], "wrote "+text)
		update(t, s, func(tx *store.Tx) { tx.Write(name, []byte(text)) })
	}
	for i := range 60 {
		write("loud", fmt.Sprintf("loud %d %s", i, strings.Repeat("x", 400+i)))
		if i%10 == 5 {
			write(names[1+i/10%4], fmt.Sprintf("quiet %d", i))
		}
		if i%20 == 7 {
			write(names[1], fmt.Sprintf("long %d %s", i, strings.Repeat("y", 6000)))
		}
	}
	list, err := s.Snapshots(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	fs = newCrashFS(t, nil)
	dir, index, pack, packs := "", "", int64(1), map[int64]string{}
	for name := range source.Files("/p/.baton/local/snapshots") {
		if strings.HasSuffix(name, ".index") {
			dir = path.Dir(name)
		}
	}
	files := source.Files(dir)
	for _, v := range list {
		data := files[fmt.Sprintf("%s/%d.%d", dir, v.Segment, v.Part)][v.From : v.From+v.Packed]
		if v.Packed > 4096 {
			fs.Put(dir+"/"+v.Hash, data)
			index += history.OldVersionLine(t, v, 0, 0)
			continue
		}
		if len(packs[pack]) > 4096 {
			pack++
		}
		index += history.OldVersionLine(t, v, pack, int64(len(packs[pack])))
		packs[pack] += data
	}
	for n, data := range packs {
		fs.Put(fmt.Sprintf("%s/pack-%d", dir, n), data)
	}
	fs.Put(dir+"/index", index)
	for _, name := range names {
		text, _ := source.Get("/p/" + name)
		fs.Put("/p/"+name, text)
	}
	onDisk(t, fs, "/p/.baton/local/snapshots")
	return fs, names, texts
}

// TestVersionsOfTheOldFormAreRead: an upgrade loses no version, not even when each shard is looked
// into.
func TestVersionsOfTheOldFormAreRead(t *testing.T) {
	t.Parallel()
	fs, names, want := oldForm(t)
	s := keepingOn(fs, roomy)
	check := func() {
		t.Helper()
		for _, name := range names {
			if diff := cmp.Diff(want[name], versions(t, s, name)); diff != "" {
				t.Errorf("%s:\n%s", name, diff)
			}
		}
	}
	check()
	for i := range 100 { // each looks into at most one shard
		text := fmt.Sprintf("new %d", i)
		want["loud"] = append(want["loud"], "wrote "+text)
		update(t, s, func(tx *store.Tx) { tx.Write("loud", []byte(text)) })
	}
	check()
}

// TestD37_CrashWhileTheOldFormGoes: if room is short, versions of the old form are dropped like all
// others, oldest first. The newest of each document stays, whenever a process dies or the power
// fails.
func TestD37_CrashWhileTheOldFormGoes(t *testing.T) {
	t.Parallel()
	fs, names, _ := oldForm(t)
	newest := map[string]string{}
	for _, name := range names {
		newest[name], _ = fs.Get("/p/" + name)
	}
	tight := history.Limits{MaxBytes: 32 << 10}
	s := keepingOn(fs, tight)
	whole := func(what string, img *crashfs.FS, names []string) {
		t.Helper()
		for _, name := range names {
			list := versions(t, keepingOn(img, tight), name)
			if all := strings.Join(list, "\n"); strings.Contains(all, "revision_lost") || !strings.Contains(all, "wrote "+newest[name]) {
				t.Fatalf("%s: %s has %.300q", what, name, list)
			}
		}
	}
	dropped, had := 0, 0
	for i := range 90 {
		text := fmt.Sprintf("late %d %s", i, strings.Repeat("z", 300))
		write := func() error {
			_, err := s.Update(t.Context(), func(tx *store.Tx) error { tx.Write("loud", []byte(text)); return nil })
			return err
		}
		if i < 63 { // before that, each shard is looked into once
			if err := write(); err != nil {
				t.Fatal(err)
			}
			newest["loud"] = text
			continue
		}
		onDisk(t, fs, "/p/.baton/local/snapshots")
		crashes(t, fs, write, func(op crashfs.Op, snap func(uint64) *crashfs.FS) {
			if strings.Contains(op.Path, "/snapshots") && sampled(op.N+i, 40) {
				what := fmt.Sprintf("commit %d, before %s %s", i, op.Name, op.Path)
				whole(what, snap(0), names[1:])
				whole(what+", power cut", snap(uint64(i+1)), names[1:])
			}
		})
		newest["loud"] = text
		whole(fmt.Sprintf("after commit %d", i), fs, names)
		n := len(versions(t, s, "loud"))
		if n <= had {
			dropped++
		}
		had = n
	}
	if dropped < 5 || had > 90 {
		t.Errorf("%d commits dropped something, and %d versions are left", dropped, had)
	}
	for name := range fs.Files("/p/.baton/local/snapshots") {
		if base := path.Base(name); base == "index" || strings.HasPrefix(base, "pack-") || len(base) == 64 {
			t.Errorf("%s stays", name)
		}
	}
}
