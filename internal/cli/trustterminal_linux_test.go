package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"baton/test/programs"
)

// F-83: the program itself asks on a real terminal, and refuses below a coding agent although there is one.
func TestF83_TrustOnARealTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program, err := programs.Make(dir, "baton")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".baton"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".baton", "config.yaml"), []byte("paths:\n  allow: [\"/\"]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + filepath.Join(dir, "own"), "NO_COLOR=1", "TERM=xterm"}
	run := func(answer string, more ...string) (string, error) {
		terminal, end := openTerminal(t)
		defer terminal.Close()
		cmd := exec.Command(program, "trust")
		cmd.Dir, cmd.Env = dir, append(env, more...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = end, end, end
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		end.Close()
		if _, err := terminal.WriteString(answer); err != nil { // waits in the terminal until it is read
			t.Fatal(err)
		}
		var out bytes.Buffer
		_, _ = out.ReadFrom(terminal) // ends with an error when the program ends
		return out.String(), cmd.Wait()
	}
	if out, err := run("y\n", "CLAUDE_CODE_SESSION_ID=s"); err == nil || !strings.Contains(out, "started by claude") {
		t.Errorf("below an agent: %v\n%s", err, out)
	}
	if out, err := run("n\n"); err != nil || !strings.Contains(out, "Approve this? [y/N]") || strings.Contains(out, "Approved") {
		t.Errorf("no: %v\n%s", err, out)
	}
	if out, err := run("y\n"); err != nil || !strings.Contains(out, "Approved 1 setting") {
		t.Errorf("yes: %v\n%s", err, out)
	}
}

// openTerminal opens a new terminal, and the end of it that a program gets.
func openTerminal(t *testing.T) (terminal, end *os.File) {
	t.Helper()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("this system has no terminals for tests (mount devpts at /dev/pts): ", err)
	}
	fd := int(terminal.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if end, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Skip("this system has no terminals for tests (mount devpts at /dev/pts): ", err)
	}
	return terminal, end
}
