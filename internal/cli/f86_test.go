package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"baton/internal/report"
)

// F-86c: a runtime that dies ends by a signal, never with exit code 2, "wrong usage". This goes for both programs.
func TestF86c_ARuntimeThatDiesIsNotWrongUsage(t *testing.T) {
	switch os.Getenv("BATON_TEST_DIES") {
	case "baton":
		os.Exit(Run([]string{"hook"}, Doors{Hook: func(context.Context, report.Env, []string) int { return dying() }}))
	case "batond":
		os.Exit(RunDaemon([]string{"mcp"}, Servers{MCP: func(context.Context, report.Env, MCPOptions) error {
			dying()
			return nil
		}}))
	}
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals, so there is nothing to install")
	}
	t.Parallel()
	for _, program := range []string{"baton", "batond"} {
		child := exec.Command(os.Args[0], "-test.run=^TestF86c_ARuntimeThatDiesIsNotWrongUsage$")
		child.Env = append(os.Environ(), "BATON_TEST_DIES="+program)
		said, err := child.CombinedOutput()
		died, ok := errors.AsType[*exec.ExitError](err)
		if !ok || died.ExitCode() == 2 || died.ExitCode() == 0 || !strings.Contains(string(said), "fatal error") {
			t.Errorf("%s ended with %v: %.200s", program, err, said)
		}
	}
}

// dying writes to a map in two goroutines until the runtime detects that and dies.
func dying() int {
	m := map[int]int{}
	go func() {
		for {
			m[1]++
		}
	}()
	for {
		m[1]++
	}
}
