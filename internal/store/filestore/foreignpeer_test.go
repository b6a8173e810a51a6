package filestore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/filestore"
	"baton/internal/store/foreign"
)

// tool is another program with its own lock file, as its documentation describes it, but with
// pauses a hundredth as long.
type tool struct {
	name  string
	doc   string
	lock  string
	steal foreign.Steal
	pause func(try int) time.Duration
}

func tools() []tool {
	return []tool{
		{
			name: "gsd-tools", doc: ".planning/STATE.md", lock: ".planning/STATE.md.lock", steal: foreign.ByRename,
			pause: func(int) time.Duration { return 2*time.Millisecond + rand.N(500*time.Microsecond) },
		},
		{
			name: "sf-tools", doc: ".specflow/STATE.md", lock: ".specflow/.state.lock", steal: foreign.ByUnlink,
			pause: func(try int) time.Duration { return min(100*time.Microsecond<<min(try, 10), 2*time.Millisecond) },
		},
		{
			name: "devt-tools", doc: ".devt/state/workflow.yaml", lock: ".devt/state/.lock", steal: foreign.Aside,
			pause: func(int) time.Duration { return time.Millisecond + rand.N(500*time.Microsecond) },
		},
	}
}

// foreign returns the lock of the tool's document; archives next to it have none.
func (o tool) foreign(name string) (foreign.Lock, bool) {
	return foreign.Lock{Name: o.lock, Stale: time.Minute, Empty: time.Second, Steal: o.steal}, name == o.doc
}

func (o tool) store(root string, wait time.Duration) *filestore.Store {
	return filestore.Open(filestore.Options{
		Root: root, Runtime: ".baton/local", Command: "test", Env: report.Env{PID: os.Getpid()}, Foreign: o.foreign, Wait: wait,
	})
}

// acquire takes the lock the way the tool does.
func (o tool) acquire(root string) (release func(), err error) {
	path := filepath.Join(root, o.lock)
	for try := 0; try < 20_000; try++ {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			_, err = f.WriteString(strconv.Itoa(os.Getpid()))
			return func() { _ = os.Remove(path) }, errors.Join(err, f.Close())
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if info, err := os.Stat(path); err == nil && o.dead(path, info) {
			if again, err := os.Stat(path); err == nil && os.SameFile(info, again) {
				o.stealNow(path, try)
				continue
			}
		}
		time.Sleep(o.pause(try))
	}
	return nil, errors.New("lock timeout")
}

func (o tool) dead(path string, info os.FileInfo) bool {
	raw, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	pid, err := strconv.Atoi(string(raw))
	if err != nil {
		return time.Since(info.ModTime()) > time.Second
	}
	return !processExists(pid)
}

func (o tool) stealNow(path string, try int) {
	if o.steal != foreign.ByRename {
		_ = os.Remove(path)
		return
	}
	aside := fmt.Sprintf("%s.stale-%d-%d-%d", path, os.Getpid(), time.Now().UnixMilli(), try)
	if os.Rename(path, aside) == nil {
		_ = os.Remove(aside)
	}
}

var errViolated = errors.New("the file changed while the lock was held")

// add appends a line the way the tool does: lock, read, temporary file, rename, unlock. Just before
// the rename it checks that nobody else wrote while it had the lock.
func (o tool) add(root, line string) error {
	release, err := o.acquire(root)
	if err != nil {
		return err
	}
	defer release()
	path := filepath.Join(root, o.doc)
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	temp := fmt.Sprintf("%s.tmp.%d", path, os.Getpid())
	if err := os.WriteFile(temp, append(bytes.Clone(old), line+"\n"...), 0o644); err != nil {
		return err
	}
	now, err := os.ReadFile(path)
	if err == nil && !bytes.Equal(now, old) {
		err = errViolated
	}
	return errors.Join(err, os.Rename(temp, path))
}

// peer is the main function of a separate process. "<tool>" adds lines until its standard input
// ends, "<tool> some" adds a few once it ends, "<tool> holds" takes the tool's lock and keeps it,
// and "<tool> baton" adds lines through a store and prints each. All are bounded.
func peer(role, root string) error {
	name, what, _ := strings.Cut(role, " ")
	for _, o := range tools() {
		if o.name != name {
			continue
		}
		switch what {
		case "":
			return o.peerAdds(root)
		case "some":
			fmt.Println("ready")
			if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
				return err
			}
			for n := 1; n <= someLines; n++ {
				if err := o.add(root, fmt.Sprintf("tool%d.%d", os.Getpid(), n)); err != nil {
					return err
				}
			}
			fmt.Println("added")
			return nil
		case "holds":
			if _, err := o.acquire(root); err != nil {
				return err
			}
			fmt.Println("held")
			_, err := io.Copy(io.Discard, os.Stdin)
			return err
		case "baton":
			s := o.store(root, 0)
			for n := 1; n < 10_000; n++ {
				line := fmt.Sprintf("b%d.%d", os.Getpid(), n)
				if err := o.addThroughStore(s, line, n%3 == 0); err != nil {
					return err
				}
				fmt.Println(line)
			}
			return nil
		}
	}
	return fmt.Errorf("no role %q", role)
}

// someLines is how many lines one of many writers adds.
const someLines = 8

func (o tool) peerAdds(root string) error {
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	for n := 1; n <= 5000; n++ {
		if err := o.add(root, fmt.Sprintf("tool.%d", n)); err != nil {
			return err
		}
		fmt.Println(n)
		select {
		case <-ended:
			if n >= 300 {
				return nil
			}
		case <-time.After(rand.N(2 * time.Millisecond)):
		}
	}
	return nil
}

// addThroughStore adds a line as baton does. With an archive it is a change of two files.
func (o tool) addThroughStore(s *filestore.Store, line string, archive bool) error {
	_, err := s.Update(context.Background(), func(tx *store.Tx) error {
		doc, err := tx.Read(o.doc)
		tx.Write(o.doc, append(doc.Data, line+"\n"...))
		if archive {
			tx.Append(filepath.ToSlash(filepath.Dir(o.doc))+"/ARCHIVE.md", []byte(line+"\n"))
		}
		return err
	})
	return err
}

// TestSF29_GSD51_SD48_SideBySide: another program in its own process and two of our writers add
// lines to one file as fast as they can. Every line is there once and in its writer's order. Nobody
// wrote while another held the lock, and no lock file is left.
func TestSF29_GSD51_SD48_SideBySide(t *testing.T) {
	t.Parallel()
	const each = 150
	for _, o := range tools() {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			root := realTemp(t)
			put(t, filepath.Join(root, o.doc), "")
			cmd, in, out := spawnWithInput(t, o.name, root)
			if !out.Scan() || out.Text() != "1" {
				t.Fatalf("the other program says %q", out.Text())
			}
			theirs := make(chan string, 1)
			go func() {
				last := "1"
				for out.Scan() {
					last = out.Text()
				}
				theirs <- last
			}()
			var ours sync.WaitGroup
			for w := range 2 {
				ours.Go(func() {
					s := o.store(root, 30*time.Second)
					for n := 1; n <= each; n++ {
						if err := o.addThroughStore(s, fmt.Sprintf("baton%d.%d", w, n), n%10 == 0); err != nil {
							t.Errorf("our line %d: %v", n, err)
							return
						}
						time.Sleep(rand.N(2 * time.Millisecond)) // as between two commands; otherwise nobody else gets a turn
					}
				})
			}
			ours.Wait()
			_ = in.Close()
			last := <-theirs
			_ = cmd.Wait()
			n, err := strconv.Atoi(last)
			if err != nil || n < 300 {
				t.Fatalf("the other program says %q", last)
			}
			switches := sequence(t, get(t, filepath.Join(root, o.doc)), map[string]int{"tool": n, "baton0": each, "baton1": each})
			sequence(t, get(t, filepath.Join(root, filepath.Dir(o.doc), "ARCHIVE.md")), nil)
			onlyDocuments(t, root, o)
			t.Logf("%d lines of the other program beside %d of ours, %d changes of hand", n, 2*each, switches)
		})
	}
}

// sequence checks that each writer's lines are there once and in order, and all of them if want
// says how many. It counts how often the next line is another writer's.
func sequence(t *testing.T, text string, want map[string]int) (switches int) {
	t.Helper()
	got := map[string]int{}
	before := ""
	for line := range strings.Lines(text) {
		who, number, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ".")
		n, err := strconv.Atoi(number)
		if err != nil || n <= got[who] || want != nil && n != got[who]+1 {
			t.Fatalf("%q after %s.%d", line, who, got[who])
		}
		got[who] = n
		if who != before {
			switches++
		}
		before = who
	}
	for who, n := range want {
		if got[who] != n {
			t.Errorf("%d lines of %s, want %d", got[who], who, n)
		}
	}
	return switches
}

// onlyDocuments checks that only documents are left in the tool's folder, and that nothing was
// saved as a conflict.
func onlyDocuments(t *testing.T, root string, o tool) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, filepath.Dir(o.doc)))
	if err != nil || len(entries) != 2 {
		t.Errorf("left: %v, %v", entries, err)
	}
	if _, err := os.Stat(filepath.Join(root, ".baton/local/conflicts")); !os.IsNotExist(err) {
		t.Errorf("conflicts without hand edits: %v", err)
	}
}

// TestSD48_TwentyWriters: ten processes that write like the original tool and ten writers of baton
// change one record at once. Every change arrives once, and no lock is left.
func TestSD48_TwentyWriters(t *testing.T) {
	t.Parallel()
	const half = 10
	o, root := tools()[2], realTemp(t)
	put(t, filepath.Join(root, o.doc), "")
	want := map[string]int{}
	var ready, writers sync.WaitGroup
	start := make(chan struct{})
	for n := range half {
		cmd, in, out := spawnWithInput(t, o.name+" some", root)
		want[fmt.Sprintf("tool%d", cmd.Process.Pid)] = someLines
		want[fmt.Sprintf("baton%d", n)] = someLines
		ready.Add(1)
		writers.Go(func() {
			said := out.Scan() && out.Text() == "ready"
			ready.Done()
			<-start
			_ = in.Close()
			if !said || !out.Scan() || out.Text() != "added" {
				t.Errorf("a process of the original tool says %q", out.Text())
			}
			_ = cmd.Wait()
		})
		writers.Go(func() {
			s := o.store(root, 30*time.Second)
			<-start
			for line := 1; line <= someLines; line++ {
				if err := o.addThroughStore(s, fmt.Sprintf("baton%d.%d", n, line), false); err != nil {
					t.Errorf("writer %d of ours, line %d: %v", n, line, err)
					return
				}
			}
		})
	}
	ready.Wait()
	close(start)
	writers.Wait()
	switches := sequence(t, get(t, filepath.Join(root, o.doc)), want)
	entries, err := os.ReadDir(filepath.Join(root, filepath.Dir(o.doc)))
	if err != nil || len(entries) != 1 {
		t.Errorf("next to the record: %v, %v", entries, err)
	}
	t.Logf("%d changes of hand", switches)
}

// TestSF28_SD49_OwnerThatDies: while another real process holds its lock, a writer gives up in time
// and names it. Once that process is dead, the next writer takes over the lock.
func TestSF28_SD49_OwnerThatDies(t *testing.T) {
	t.Parallel()
	for _, o := range tools() {
		root := realTemp(t)
		put(t, filepath.Join(root, o.doc), "")
		cmd, out := spawn(t, o.name+" holds", root)
		if !out.Scan() || out.Text() != "held" {
			t.Fatalf("the other program says %q", out.Text())
		}
		e := locked(t, o.addThroughStore(o.store(root, 30*time.Millisecond), "x.1", true))
		if e.Details["pid"] != cmd.Process.Pid || e.Path != o.lock {
			t.Errorf("%+v", e)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if err := o.addThroughStore(o.store(root, -1), "x.1", true); err != nil {
			t.Errorf("after the owner's death: %v", err)
		}
		onlyDocuments(t, root, o)
	}
}

// TestSF28_SD49_KilledUnderLock: batons are killed one after the other while they write, with or
// without their foreign lock. The other program and the next baton take over from the dead, and no
// acknowledged line is lost.
func TestSF28_SD49_KilledUnderLock(t *testing.T) {
	t.Parallel()
	for _, o := range tools() {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			root := realTemp(t)
			put(t, filepath.Join(root, o.doc), "")
			said, left := map[string]bool{}, 0
			for round := range 12 {
				cmd, out := spawn(t, o.name+" baton", root)
				for range 1 + round {
					if out.Scan() {
						said[out.Text()] = true
					}
				}
				_ = cmd.Process.Kill()
				for out.Scan() {
					said[out.Text()] = true
				}
				_ = cmd.Wait()
				if _, err := os.Stat(filepath.Join(root, o.lock)); err == nil {
					left++
				}
				line := fmt.Sprintf("tool.%d", round+1)
				if err := o.add(root, line); err != nil {
					t.Fatal(err)
				}
				said[line] = true
			}
			if err := o.addThroughStore(o.store(root, -1), "last.1", true); err != nil {
				t.Fatal(err)
			}
			text := get(t, filepath.Join(root, o.doc))
			for line := range said {
				if strings.Count("\n"+text, "\n"+line+"\n") != 1 {
					t.Errorf("%s is there %d times", line, strings.Count("\n"+text, "\n"+line+"\n"))
				}
			}
			if _, err := os.Stat(filepath.Join(root, o.lock)); !os.IsNotExist(err) {
				t.Errorf("the lock is left: %v", err)
			}
			t.Logf("%d lines, %d deaths under the lock", len(said), left)
		})
	}
}
