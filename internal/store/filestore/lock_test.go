package filestore_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/filestore"
)

// TestMain lets the test binary run as another process that writes to a store; see other.
func TestMain(m *testing.M) {
	if role := os.Getenv("FILESTORE_TEST_ROLE"); role != "" {
		other(role, os.Getenv("FILESTORE_TEST_ROOT"))
		os.Exit(0) // in any role: such a process never runs the tests, which would start more of them
	}
	os.Exit(m.Run())
}

// other holds the lock until it is killed ("hold"), or appends lines and counts them in a second
// file ("write"), and prints each acknowledged change. In any other role it is another program, see
// peer.
func other(role, root string) {
	time.AfterFunc(time.Minute, func() { os.Exit(3) }) // so that a hanging test leaves no process behind
	switch role {
	case "hold", "write":
	default:
		if err := peer(role, root); err != nil {
			fmt.Println("error", err)
		}
		return
	}
	s := filestore.Open(filestore.Options{
		Root: root, Runtime: ".baton/local", Command: "other " + role, Env: report.Env{PID: os.Getpid(), Host: "h"},
	})
	if role == "hold" {
		_, _ = s.Update(context.Background(), func(*store.Tx) error {
			fmt.Println("held")
			_, err := io.Copy(io.Discard, os.Stdin)
			return err
		})
		return
	}
	for n := 1; ; n++ {
		line := fmt.Sprintf("%d.%d\n", os.Getpid(), n)
		_, err := s.Update(context.Background(), func(tx *store.Tx) error {
			doc, err := tx.Read("last")
			if err != nil {
				return err
			}
			tx.Append("log", []byte(line))
			tx.Write("last", []byte(strings.Repeat("x", len(doc.Data)%5000+1)))
			return nil
		})
		if err != nil {
			fmt.Println("error", err)
			return
		}
		fmt.Print(line)
	}
}

func spawn(t *testing.T, role, root string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd, _, out := spawnWithInput(t, role, root)
	return cmd, out
}

func spawnWithInput(t *testing.T, role, root string) (*exec.Cmd, io.Closer, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FILESTORE_TEST_ROLE="+role, "FILESTORE_TEST_ROOT="+root)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe() // stays open until the process is gone
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, in, bufio.NewScanner(out)
}

// TestLock_NamesHolderAndIsFreedByDeath: while a process holds the lock, a writer gives up in time
// and names its pid and command. When that process is killed, the next writer gets the lock at
// once. Readers never wait.
func TestLock_NamesHolderAndIsFreedByDeath(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	s := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local", Wait: 50 * time.Millisecond})
	update(t, s, func(tx *store.Tx) { tx.Write("doc", []byte("x")) })
	cmd, out := spawn(t, "hold", root)
	if !out.Scan() || out.Text() != "held" {
		t.Fatal("the other process did not get the lock")
	}
	write := func(ctx context.Context) error {
		_, err := s.Update(ctx, func(tx *store.Tx) error { tx.Write("doc", []byte("y")); return nil })
		return err
	}
	err := write(context.Background())
	e := report.As(err)
	if e == nil || e.Kind != report.Locked || e.Code != "lock_timeout" || e.Kind.Row().Exit != 5 {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{fmt.Sprint(cmd.Process.Pid), "other hold"} {
		if !strings.Contains(e.Message, part) {
			t.Errorf("%q does not name %s", e.Message, part)
		}
	}
	patient := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := patient.Update(ctx, func(*store.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := patient.Update(ctx, func(*store.Tx) error { return nil }); report.KindOf(err) != report.Locked {
		t.Errorf("deadline: %v", err)
	}
	if doc, err := s.Read(context.Background(), "doc"); err != nil || string(doc.Data) != "x" {
		t.Errorf("reading while the lock is held: %+v, %v", doc, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := write(context.Background()); err != nil {
		t.Errorf("after the holder's death: %v", err)
	}
	if got := get(t, filepath.Join(root, ".baton/local/lock.json")); strings.TrimSpace(got) != "" {
		t.Errorf("lock.json is not blank after release: %q", got)
	}
}

// TestKilledWriters: processes that write as fast as they can are killed one after the other. What
// they reported as written is there exactly once, and nothing is left behind.
func TestKilledWriters(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	acknowledged := map[string]bool{}
	for round := range 6 {
		a, outA := spawn(t, "write", root)
		b, outB := spawn(t, "write", root)
		for range 5 + 3*round {
			if !outA.Scan() {
				break
			}
			acknowledged[outA.Text()] = true
		}
		_ = a.Process.Kill()
		for outA.Scan() {
			acknowledged[outA.Text()] = true
		}
		for range 3 {
			if outB.Scan() {
				acknowledged[outB.Text()] = true
			}
		}
		_ = b.Process.Kill()
		for outB.Scan() {
			acknowledged[outB.Text()] = true
		}
		_, _ = a.Wait(), b.Wait()
	}
	s := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local"})
	if _, err := nudge(s); err != nil {
		t.Fatal(err)
	}
	log := get(t, filepath.Join(root, "log"))
	count := map[string]int{}
	for line := range strings.Lines(log) {
		count[strings.TrimSuffix(line, "\n")]++
	}
	for line := range acknowledged {
		if count[line] != 1 {
			t.Errorf("%s is there %d times", line, count[line])
		}
	}
	for line, n := range count {
		if n != 1 || strings.Count(line, ".") != 1 {
			t.Errorf("line %q is there %d times", line, n)
		}
	}
	if got := len(get(t, filepath.Join(root, "last"))); got != strings.Count(log, "\n") {
		t.Errorf("%d lines and %d changes of the other file", strings.Count(log, "\n"), got)
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 3 {
		t.Errorf("left: %v, %v", entries, err)
	}
	if _, err := os.Stat(filepath.Join(root, ".baton/local/conflicts")); !os.IsNotExist(err) {
		t.Errorf("conflicts without hand edits: %v", err)
	}
	t.Logf("%d acknowledged, %d written", len(acknowledged), len(count))
}
