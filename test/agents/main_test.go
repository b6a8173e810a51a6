//go:build agents && linux

package agents

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// inside is set for the process in the network namespace, to the folder of the programs under test.
const inside = "BATON_AGENTS_INSIDE"

// TestMain builds the programs under test, and then runs itself in a network namespace that has only loopback, so that
// no client can reach a real service (agents.md 12.2). It builds first, because that may need the network.
func TestMain(m *testing.M) {
	if os.Getenv(inside) != "" {
		if err := raiseLoopback(); err != nil {
			fmt.Fprintln(os.Stderr, "no loopback in the namespace:", err)
			os.Exit(1)
		}
		os.Exit(m.Run())
	}
	os.Exit(outside())
}

// outside builds the programs, and runs this binary again in its own namespace.
func outside() int {
	dir, err := os.MkdirTemp("", "baton-agents-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := build(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Env = append(os.Environ(), inside+"="+dir)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return max(1, exit.ExitCode())
	case len(required()) > 0:
		fmt.Fprintln(os.Stderr, "FAIL: this system gives no network namespace, and BATON_AGENTS requires", strings.Join(required(), ", ")+
			":", err)
		return 1
	}
	fmt.Println("SKIP: this system gives no network namespace, so no agent is run:", err)
	return 0
}

// build builds the programs under test: real/ has what a user has on PATH, spy/ records what clients send and passes it
// on, panics/ is a broken baton.
func build(dir string) error {
	for out, packages := range map[string][]string{
		"real/": {
			"./cmd/baton", "./cmd/batond",
		}, "spy/baton": {"./test/agents/testdata/spy"}, "panics/baton": {"./test/agents/testdata/panics"},
	} {
		target := dir + "/" + out
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		cmd := exec.Command("go", append([]string{"build", "-trimpath", "-o", target}, packages...)...)
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", strings.Join(packages, " "), err, text)
		}
	}
	return nil
}

// raiseLoopback turns on the loopback device, which is off in a new namespace.
func raiseLoopback() error {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	var request struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], "lo")
	request.flags = syscall.IFF_UP | syscall.IFF_RUNNING
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); errno != 0 {
		return errno
	}
	return nil
}

// required returns the clients that must not be skipped.
func required() []string {
	_, names, found := strings.Cut(os.Getenv("BATON_AGENTS"), "require:")
	if !found {
		return nil
	}
	return strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' })
}

// agentsDir returns the folder in which the clients are installed.
func agentsDir() string {
	if dir := os.Getenv("BATON_AGENTS_DIR"); dir != "" {
		return dir
	}
	return filepath.Join(os.Getenv("HOME"), ".cache", "baton-agents")
}

// missing skips the test, or fails it if the client is required.
func missing(t *testing.T, name, why string) {
	t.Helper()
	if slices.Contains(required(), name) {
		t.Fatalf("%s is required and cannot be run: %s", name, why)
	}
	t.Skipf("%s is not run: %s; `make test-agents` installs it", name, why)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
