package selftest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"baton/internal/report"
)

// site is a temporary project and the processes that run in it.
type site struct {
	base    string // temporary folder, removed as a whole
	project string // root of the project under test
	program string
	environ []string
	started atomic.Int64

	mu      sync.Mutex
	running map[int]*process // processes that may be killed, by id
	hook    chan struct{}    // one token for each process that started, for the killer
}

// process is one running process; it is killed only through its own handle.
type process struct {
	handle *os.Process
	shot   bool // guarded by site.mu
}

// answer is how one process ended.
type answer struct {
	code   int // exit status; -1 if a signal ended it
	killed bool
	stdout []byte
	stderr []byte
}

func (a answer) ok() bool { return a.code == 0 }

// complaint returns the first line of the error, for findings.
func (a answer) complaint() string {
	var shape struct {
		Error struct {
			Code    report.Code `json:"code"`
			Message string      `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(a.stderr, &shape) == nil && shape.Error.Message != "" {
		return string(shape.Error.Code) + ": " + shape.Error.Message
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(a.stderr)), "\n")
	return line
}

// within is set for every process of a run, so that one run never starts another: a test binary
// that is used in place of baton could start a run itself.
const within = "BATON_SELFTEST"

// settings make archiving frequent: a few entries of some KB each fill a file.
const settings = "tasks:\n  warn_kb: 10\n  archive_kb: 20\n"

// newSite creates the temporary folder with an empty project.
func newSite(o Options) (*site, error) {
	base, err := os.MkdirTemp(o.Dir, "baton-selftest-")
	if err != nil {
		return nil, cannotMake(o.Dir, err)
	}
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return nil, cannotMake(o.Dir, err)
	}
	s := &site{
		base: base, project: filepath.Join(
			base, "writers",
		), program: o.Program, environ: append(clean(o.Env.Environ), within+"=1"),
		running: map[int]*process{}, hook: make(chan struct{}, 1024),
	}
	if err := plant(s.project, settings); err != nil {
		_ = os.RemoveAll(base)
		return nil, cannotMake(base, err)
	}
	return s, nil
}

func cannotMake(dir string, err error) error {
	return &report.Error{
		Kind: report.Refused, Op: "selftest", Code: report.CodeNoFolder, Err: err,
		Message: "the temporary folder for the test cannot be made: " + err.Error(),
		Hint:    "name a folder that you may write to with --dir", Path: dir,
	}
}

// plant creates an empty project. It has its own .git, so that nothing of a repository around the
// folder is found or written, above all the shared claims (D1, D28).
func plant(root, settings string) error {
	for _, dir := range []string{".baton/tasks", ".git/objects", ".git/refs/heads"} {
		if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(dir)), 0o777); err != nil {
			return err
		}
	}
	files := map[string]string{
		".baton/config.yaml": settings,
		".git/HEAD":          "ref: refs/heads/main\n",
		".git/config":        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// clean removes variables that would lead the program to another project or another name.
func clean(environ []string) []string {
	kept := make([]string, 0, len(environ))
	for _, pair := range environ {
		if !strings.HasPrefix(pair, "BATON_") && !strings.HasPrefix(pair, "GIT_") {
			kept = append(kept, pair)
		}
	}
	return kept
}

// run runs the program in dir until it ends. The error is only about a program that cannot be run
// at all, or about ctx; how the program ended is in the answer.
func (s *site) run(ctx context.Context, dir, stdin string, mortal bool, args ...string) (answer, error) {
	if err := ctx.Err(); err != nil {
		return answer{}, err
	}
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(ctx, s.program, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, s.environ, &out, &complaints
	cmd.Stdin = strings.NewReader(stdin)
	cmd.WaitDelay = 5 * time.Second // a child of a killed process may keep its streams open
	if err := cmd.Start(); err != nil {
		return answer{}, &report.Error{
			Kind: report.Internal, Op: "selftest", Message: "the program cannot be started: " +
				err.Error(), Err: err, Path: s.program,
		}
	}
	s.started.Add(1)
	p := &process{handle: cmd.Process}
	if mortal {
		s.enter(p)
		defer s.leave(p)
	}
	err := cmd.Wait()
	if ctx.Err() != nil {
		return answer{}, ctx.Err()
	}
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited && !errors.Is(err, exec.ErrWaitDelay) {
		return answer{}, &report.Error{
			Kind: report.Internal, Op: "selftest", Message: "the program cannot be watched: " + err.Error(), Err: err,
		}
	}
	a := answer{code: cmd.ProcessState.ExitCode(), stdout: out.Bytes(), stderr: complaints.Bytes()}
	// Windows has no signals: a process that is terminated ends with 1.
	a.killed = s.wasShot(p) && (a.code == -1 || runtime.GOOS == "windows" && a.code == 1)
	return a, nil
}

func (s *site) enter(p *process) {
	s.mu.Lock()
	s.running[p.handle.Pid] = p
	s.mu.Unlock()
	select {
	case s.hook <- struct{}{}:
	default: // the killer is busy; a lost token does no harm
	}
}

func (s *site) leave(p *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, p.handle.Pid)
}

func (s *site) wasShot(p *process) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return p.shot
}

// file returns the path of a slash-separated name below the project.
func (s *site) file(name string) string { return filepath.Join(s.project, filepath.FromSlash(name)) }
