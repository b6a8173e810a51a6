//go:build budget

package budget

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The largest size of the stripped executable (D52, ADR 8), and the time that package initialisation may take in all.
const (
	mostBytes = 14 << 20
	mostInit  = 600 * time.Microsecond
)

func build(t *testing.T) built {
	t.Helper()
	b, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestF85_BatonFitsIn14MiB(t *testing.T) {
	info, err := os.Stat(build(t).baton)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("baton is %.2f MB stripped", float64(info.Size())/(1<<20))
	if info.Size() > mostBytes {
		t.Errorf("baton is %d bytes, %d are allowed", info.Size(), mostBytes)
	}
}

// TestD31_Initialisation adds up what GODEBUG=inittrace=1 prints, for a command that does nothing and for the one that
// an agent runs after each message. The shortest of ten runs counts.
func TestD31_Initialisation(t *testing.T) {
	b := build(t)
	dir := gsdProject(t, 80)
	for _, c := range []command{
		{dir: dir, args: []string{b.baton, "version"}},
		{dir: dir, args: []string{b.baton, "statusline"}, stdin: agentInput(t, dir)},
	} {
		t.Run(c.args[1], func(t *testing.T) {
			best := time.Hour
			for range 10 {
				cmd := exec.Command(c.args[0], c.args[1:]...)
				cmd.Dir, cmd.Stdin = c.dir, strings.NewReader(c.stdin)
				cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
				var out, trace strings.Builder
				cmd.Stdout, cmd.Stderr = &out, &trace
				if err := cmd.Run(); err != nil || out.Len() == 0 {
					t.Fatalf("%v\n%s%s", err, out.String(), trace.String())
				}
				best = min(best, initTime(t, trace.String()))
			}
			t.Logf("package initialisation takes %v", best)
			if best == 0 || best > mostInit {
				t.Errorf("package initialisation takes %v, %v are allowed", best, mostInit)
			}
		})
	}
}

// initTime adds up the lines "init NAME @x ms, 0.01 ms clock, ...".
func initTime(t *testing.T, trace string) time.Duration {
	t.Helper()
	var sum time.Duration
	for lines := bufio.NewScanner(strings.NewReader(trace)); lines.Scan(); {
		if !strings.HasPrefix(lines.Text(), "init ") {
			continue
		}
		fields := strings.Split(lines.Text(), ", ")
		value, err := strconv.ParseFloat(strings.Fields(fields[1])[0], 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(value * float64(time.Millisecond))
	}
	return sum
}

func TestD31_VersionStartsLikeAnEmptyProgram(t *testing.T) {
	b := build(t)
	dir := t.TempDir()
	base := command{dir: dir, args: []string{b.floor}}
	within(t, 1.4, command{dir: dir, args: []string{b.baton, "version"}}, base, nil)
	within(t, 1.8, command{dir: dir, args: []string{b.baton, "help"}}, base, nil)
}

// TestOneTaskCostsTheSameAmongMany checks that show, log and check open one task. They take at most 4 times as long as
// an empty program with the same fsyncs, with ten tasks and with a thousand. Keeping an entry as a version and in the
// ledger may take three tenths more (D37).
func TestOneTaskCostsTheSameAmongMany(t *testing.T) {
	b := build(t)
	for _, many := range []int{10, 1000} {
		t.Run(strconv.Itoa(many), func(t *testing.T) {
			dir := fill(t, b, many)
			base := command{dir: dir, args: []string{b.floor}}
			disk := func(fsyncs string) *command { return &command{dir: dir, args: []string{b.floor, dir, fsyncs}} }
			within(t, 4, command{dir: dir, args: []string{b.baton, "task", "show", "5"}}, base, nil)
			// each task keeps an ordinary size
			entry := command{dir: dir, args: []string{b.baton, "task", "log", "--did", "one more step"}, more: inTurn(10)}
			settings := filepath.Join(dir, ".baton", "config.yaml")
			if err := os.WriteFile(settings, []byte("snapshots:\n  max_mb: 0\nledger:\n  keep: false\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			within(t, 4, entry, base, disk("2"))
			if err := os.Remove(settings); err != nil {
				t.Fatal(err)
			}
			within(t, 4*1.3, entry, base, disk("2"))
			within(
				t, 4, command{dir: dir, args: []string{b.baton, "task", "check", "7", "1", "--evidence", "looked at it"}}, base, disk("6"),
			)
		})
	}
}

// inTurn returns the first tasks in turn.
func inTurn(tasks int) func() []string {
	n := 0
	return func() []string {
		n++
		return []string{strconv.Itoa(1 + n%tasks)}
	}
}

// fill creates a project with tasks of 10 KB each; every tenth waits for the one before it.
func fill(t *testing.T, b built, tasks int) string {
	t.Helper()
	dir := t.TempDir()
	fillTasks(t, b, dir, tasks)
	return dir
}

func fillTasks(t *testing.T, b built, dir string, tasks int) {
	t.Helper()
	command{dir: dir, args: []string{b.baton, "init"}}.once(t)
	for i := 1; i <= tasks; i++ {
		name := filepath.Join(dir, ".baton", "tasks", fmt.Sprintf("task-%d-state.md", i))
		if err := os.WriteFile(name, []byte(sample(i)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sample returns a task of 10 KB with four sessions.
func sample(i int) string {
	var b strings.Builder
	after := ""
	if i%10 == 0 {
		after = fmt.Sprintf("\n  \"dependencies\": [%d],", i-1)
	}
	fmt.Fprintf(
		&b,
		"# Task #%d: Sample %d\n\n## 0. Metadata\n```json\n{\n  \"task_id\": %d,\n  \"epic_id\": 10,\n  \"status\": \"ready\",%s\n"+
			"  \"total_sessions\": 4\n}\n```\n\n",
		i, i, i, after,
	)
	b.WriteString(
		"## 1. Context\n\n**Epic:** Samples (#10)\n**Repository:** backend\n\n### Requirements\nA task of an ordinary size.\n\n" +
			"### Acceptance Criteria\n- [ ] It works\n- [x] It is tested\n- [ ] It is written down\n\n## 3. Progress Log\n",
	)
	for n := 1; n <= 4; n++ {
		fmt.Fprintf(&b, "\n### Session %d - 2026-03-0%d 10:00\n**Did:**\n", n, n)
		for b.Len() < n*2400 {
			b.WriteString("- Went through one more part of the code, changed what had to change and ran its tests\n")
		}
		b.WriteString("\n**Issues:** None\n\n**Next:** The next part\n")
	}
	b.WriteString("\n## 4. Chain Output\n\n(To be completed)\n")
	return b.String()
}
