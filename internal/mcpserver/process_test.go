package mcpserver

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTheProgramEndsAtOnce is about the real process: nothing but messages on standard output, exit code 0, no wait.
func TestTheProgramEndsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cmd := exec.CommandContext(t.Context(), built(t), "mcp")
	cmd.Dir = w.dir
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernMeta + `}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},` + modernMeta +
		`}}` + "\n")
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil || complaint.Len() > 0 {
		t.Fatalf("%v %s", err, complaint.String())
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		if !json.Valid([]byte(line)) {
			t.Errorf("not a message: %q", line)
		}
	}
}

// agents.md 7.2: SIGINT and SIGTERM end the program within 100 ms, exit code 0, while standard input is open and a stream
// is. Of a few runs the fastest counts: on a machine with other work each may be held up, and a server that waits for
// something is slow in all of them.
func TestSignalsEndTheProgram(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: Windows has no signals for other processes")
	}
	const limit, runs = 100 * time.Millisecond, 5
	w, batond := newWorld(t), built(t)
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			fastest := time.Hour
			for n := 0; n < runs && fastest > limit; n++ {
				fastest = min(fastest, ended(t, w, batond, signal))
			}
			if fastest > limit {
				t.Errorf("the end took %v, %v are allowed", fastest, limit)
			}
		})
	}
}

// ended is the time that a server takes to end after a signal.
func ended(t *testing.T, w *world, batond string, signal os.Signal) time.Duration {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), batond, "mcp") // ended with the test, if by nothing else
	cmd.Dir = w.dir
	var complaint strings.Builder
	cmd.Stderr = &complaint
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, err = in.Write([]byte(
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},` + modernMeta +
			`}}` + "\n",
	))
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, "subscriptions/acknowledged") {
		t.Fatalf("%v: %s%s", err, line, complaint.String())
	}
	started := time.Now()
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	took := time.Since(started)
	if exit, failed := errors.AsType[*exec.ExitError](err); failed || err != nil || complaint.Len() > 0 {
		t.Errorf("%v %v: %s", err, exit, complaint.String())
	}
	return took
}
