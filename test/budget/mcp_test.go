//go:build budget

package budget

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Limits of the MCP server. The start is the time that a client waits: two programs, one after the other, the table of
// tools as JSON, and the end. It was 4.7 times that of an empty program on an idle machine; other servers take ten
// times as long. The larger program alone starts in twice the time of an empty one, because its HTTP server, schemas
// and protocol library are 13 MB.
const (
	mostMCPStart    = 8.0
	mostDaemonStart = 3.5
	mostIdleKB      = 40 << 10
)

// daemon builds batond next to baton, where baton looks for it.
var daemon = sync.OnceValues(func() (string, error) {
	b, err := programs()
	if err != nil {
		return "", err
	}
	out := filepath.Join(filepath.Dir(b.baton), "batond")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -X baton/internal/cli/app.version=v0.0.0-budget", "-o", out+
		".linked", "./cmd/batond")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build batond: %w\n%s", err, text)
	}
	return out, install(out+".linked", out)
})

const greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
	`"clientInfo":{"name":"budget","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// TestMCPStart measures the time from the start of `baton mcp` to the answer of the first tools/list, and to the end of
// the process.
func TestMCPStart(t *testing.T) {
	b := build(t)
	batond, err := daemon()
	if err != nil {
		t.Fatal(err)
	}
	dir := fill(t, b, 10)
	base := command{dir: dir, args: []string{b.floor}}
	within(t, mostDaemonStart, command{dir: dir, args: []string{batond, "version"}}, base, nil)
	listing := greeting + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"
	within(t, mostMCPStart, command{dir: dir, args: []string{b.baton, "mcp"}, stdin: listing}, base, nil)
}

// TestMCPCalls prints how long calls take with a thousand tasks (D31: times in ms are goals and not checked), and
// checks the memory of the server after them.
func TestMCPCalls(t *testing.T) {
	b := build(t)
	batond, err := daemon()
	if err != nil {
		t.Fatal(err)
	}
	dir := fill(t, b, 1000)
	s := startMCP(t, batond, dir)
	fsyncs := (&command{dir: dir, args: []string{b.floor, dir, "2"}}).median(t, 20) -
		(&command{dir: dir, args: []string{b.floor}}).median(t, 20)
	for _, c := range []struct{ name, arguments string }{
		{"task_show", `{"id":"5"}`},
		{"context", `{"task":"5"}`},
		{"status", `{}`},
		{"task_list", `{}`},
		{"task_log", `{"id":"6","did":"one more step"}`},
	} {
		var times []time.Duration
		for range 40 {
			started := time.Now()
			answer := s.ask(t, "tools/call", `{"name":"`+c.name+`","arguments":`+c.arguments+`}`)
			times = append(times, time.Since(started))
			if strings.Contains(answer, `"isError":true`) {
				t.Fatalf("%s: %s", c.name, answer)
			}
		}
		t.Logf("%-10s %6.2f ms (two fsyncs alone: %.2f ms)", c.name, ms(median(times)), ms(fsyncs))
	}
	if kb, ok := resident(s.pid); ok {
		t.Logf("resident memory %.1f MB", float64(kb)/1024)
		if kb > mostIdleKB {
			t.Errorf("the server takes %d KB, %d are allowed", kb, mostIdleKB)
		}
	}
}

// median returns the median time of a number of runs.
func (c command) median(t *testing.T, runs int) time.Duration {
	t.Helper()
	var times []time.Duration
	for range runs {
		times = append(times, c.once(t))
	}
	return median(times)
}

// speaker is a running server and its output.
type speaker struct {
	in   io.Writer
	out  *bufio.Reader
	pid  int
	last int
}

func startMCP(t *testing.T, program, dir string) *speaker {
	t.Helper()
	cmd := exec.Command(program, "mcp")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "BATON_AS=budget"}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	s := &speaker{in: in, out: bufio.NewReaderSize(out, 1<<20), pid: cmd.Process.Pid, last: 1}
	if _, err := io.WriteString(in, greeting); err != nil {
		t.Fatal(err)
	}
	if _, err := s.out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends one request and returns the answer's line.
func (s *speaker) ask(t *testing.T, method, params string) string {
	t.Helper()
	s.last++
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.last, method, params); err != nil {
		t.Fatal(err)
	}
	line, err := s.out.ReadString('\n')
	if err != nil || !json.Valid([]byte(line)) {
		t.Fatalf("%v: %s", err, line)
	}
	return line
}

// resident returns the memory of a process in KB, if the system says it.
func resident(pid int) (int, bool) {
	if runtime.GOOS != "linux" {
		return 0, false
	}
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	_, rest, found := strings.Cut(string(data), "VmRSS:")
	if fields := strings.Fields(rest); found && len(fields) > 0 {
		kb, err := strconv.Atoi(fields[0])
		return kb, err == nil
	}
	return 0, false
}
