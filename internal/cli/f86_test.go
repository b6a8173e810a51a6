package cli

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"testing"
)

// F-86c: a runtime that dies ends by a signal, never with exit code 2, "wrong usage".
func TestF86c_ARuntimeThatDiesIsNotWrongUsage(t *testing.T) {
	if os.Getenv("BATON_TEST_DIES") != "" {
		dieLoudly()
		m := map[int]int{}
		go func() {
			for {
				m[1]++
			}
		}()
		for {
			m[1]++ // the runtime detects that and dies
		}
	}
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals, so there is nothing to install")
	}
	t.Parallel()
	child := exec.Command(os.Args[0], "-test.run=^TestF86c_ARuntimeThatDiesIsNotWrongUsage$")
	child.Env = append(os.Environ(), "BATON_TEST_DIES=1")
	err := child.Run()
	died, ok := errors.AsType[*exec.ExitError](err)
	if !ok || died.ExitCode() == 2 || died.ExitCode() == 0 {
		t.Errorf("it ended with %v", err)
	}
}
