package filestore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/foreign"
)

const updateTemp = stateFolder + "/workflow.yaml.tmp"

// sweepTemps is a transaction that archives files that look like leftovers, as a cleanup does.
func sweepTemps(tx *store.Tx) error {
	found, err := tx.Scan(".devt/state")
	for _, item := range found.Items {
		if strings.HasSuffix(item.Name, ".tmp") {
			tx.Relocate(store.Relocation{From: ".devt/state", To: ".devt/state/.archive/s", Name: item.Name, Seen: item, Always: true})
		}
	}
	return err
}

// updater is the original tool in the middle of an update: it holds the lock, and its new record
// has another name.
type updater struct{ fs *crashfs.FS }

func (u updater) begin() {
	u.fs.Swap(folderLock, fmt.Sprint(other1))
	u.fs.Put(updateTemp, "a: 2\n")
}

// end renames the record and frees the lock. It returns false if its file was removed.
func (u updater) end() bool {
	text, there := u.fs.Get(updateTemp)
	if there {
		u.fs.Delete(updateTemp)
		u.fs.Swap(workflowAt, text)
	}
	u.fs.Delete(folderLock)
	return there
}

// TestSD51_SDK18_TemporaryFileOfAWriter: a cleanup waits for a writer's lock and then plans again.
// So it never archives the temporary file of an active writer, whenever that one begins, but
// archives an abandoned one.
func TestSD51_SDK18_TemporaryFileOfAWriter(t *testing.T) {
	t.Parallel()
	waited, after := 0, 0
	for moment := 0; ; moment++ {
		w := folderWorld(t)
		w.fs.Put(stateFolder+"/left.tmp", "left")
		u := updater{w.fs}
		begun, ended, reached := false, false, moment == 0
		first := w.fs.Ops()
		if moment == 0 {
			u.begin()
			begun = true
		}
		w.fs.Hook = func(op crashfs.Op) error {
			if op.N-first >= moment && !begun { // as soon as the lock is free
				reached = true
				if _, taken := w.fs.Get(folderLock); !taken {
					u.begin()
					begun = true
				}
			}
			return nil
		}
		w.pausing = func() {
			if len(w.pauses) == 3 && begun && !ended {
				ended = true
				if !u.end() {
					t.Errorf("moment %d: the file of a writer was removed", moment)
				}
			}
		}
		c, err := w.store(inFolder).Update(context.Background(), sweepTemps)
		w.fs.Hook = nil
		if err != nil {
			t.Fatalf("moment %d: %v", moment, err)
		}
		if !reached {
			break
		}
		switch {
		case ended:
			waited++
		case begun:
			after++
			if !u.end() {
				t.Errorf("moment %d: the file of a later writer was removed", moment)
			}
		}
		if got, _ := w.fs.Get(workflowAt); begun && got != "a: 2\n" {
			t.Errorf("moment %d: the record holds %q", moment, got)
		}
		if got, _ := w.fs.Get(stateFolder +
			"/.archive/s/left.tmp"); got != "left" || len(c.Outcomes) != 1 || c.Outcomes[0].State != store.Moved {
			t.Errorf("moment %d: the leftover: %q, %+v", moment, got, c.Outcomes)
		}
		noLocks(t, fmt.Sprintf("moment %d", moment), w.fs)
	}
	if waited < 5 || after < 5 {
		t.Errorf("the cleanup waited %d times and was done %d times before the writer came", waited, after)
	}
}

// TestSD51_OurOwnUpdates: the kernel lock protects the temporary files of baton's own writers.
func TestSD51_OurOwnUpdates(t *testing.T) {
	t.Parallel()
	w := folderWorld(t)
	tried := 0
	w.fs.Hook = func(op crashfs.Op) error {
		if op.Name == "exchange" && tried == 0 {
			tried++
			_, err := w.store(oneTry, inFolder).Update(context.Background(), sweepTemps)
			locked(t, err)
		}
		return nil
	}
	if _, err := w.store(inFolder).Update(context.Background(), recordLine("b: 2")); err != nil || tried != 1 {
		t.Fatal(err, tried)
	}
	w.fs.Hook = nil
	w.now = w.now.Add(time.Hour)
	if c, err := w.store(inFolder).Update(context.Background(), sweepTemps); err != nil || len(c.Outcomes) != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if got, _ := w.fs.Get(workflowAt); got != "a: 1\nb: 2\n" {
		t.Errorf("the record holds %q", got)
	}
}

// TestSDK4_TemporariesOfLocks: a sweep removes temporary files of the lock whose process died more
// than three seconds ago, and nothing else of that kind. A change that moves nothing does not look
// for them.
func TestSDK4_TemporariesOfLocks(t *testing.T) {
	t.Parallel()
	const tail = ".0123456789ab.tmp"
	dead, live, large := fmt.Sprintf(".lock.%d%s", deadOne, tail), fmt.Sprintf(".lock.%d%s", other1, tail), ".lock.334"+tail
	odd := []string{".lock.0" + fmt.Sprint(deadOne) + tail, ".lock." + fmt.Sprint(deadOne) + ".x" +
		tail, ".lock.-3" + tail, ".lock." + tail[1:], "x.lock.333" + tail, ".lock.333.0123456789AB.tmp"}
	for age, gone := range map[time.Duration]bool{3 * time.Second: false, 4 * time.Second: true} {
		w := folderWorld(t)
		for _, name := range append(odd, live, dead, large, "sub/"+dead) {
			w.fs.Put(stateFolder+"/"+name, fmt.Sprint(deadOne))
		}
		w.fs.Put(stateFolder+"/"+large, strings.Repeat("x", foreign.MaxLock+1))
		w.fs.Put(stateFolder+"/odd", "x")
		w.now = w.mtime(t, stateFolder+"/"+dead).Add(age)
		there := func(name string) bool { _, ok := w.fs.Get(stateFolder + "/" + name); return ok }
		if _, err := w.store(inFolder).Update(context.Background(), recordLine("b: 2")); err != nil || !there(dead) {
			t.Fatal(err, there(dead))
		}
		_, err := w.store(inFolder).Update(context.Background(), func(tx *store.Tx) error {
			found, err := tx.Scan(".devt/state")
			for _, item := range found.Items {
				if item.Name == "odd" {
					tx.Relocate(
						store.Relocation{From: ".devt/state", To: ".devt/state/.archive/s", Name: item.Name, Seen: item, Always: true},
					)
				}
			}
			return err
		})
		if err != nil || there("odd") || there(dead) == gone {
			t.Errorf("%s: %v, odd %v, dead %v", age, err, there("odd"), there(dead))
		}
		for _, name := range append(odd, live, large, "sub/"+dead) {
			if !there(name) {
				t.Errorf("%s: %s is gone", age, name)
			}
		}
	}
}
