package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"baton/internal/cli/app"
	"baton/internal/hook"
	"baton/internal/workspace"
)

// TestMain makes the test binary run as baton if a script calls it. Only there, the clock comes from a
// variable, and another one says after how many steps of writing the process kills itself.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"baton": func() {
			env := Environment(os.Args[1:])
			if at, err := time.Parse(time.RFC3339, os.Getenv("BATON_TEST_NOW")); err == nil {
				env.Now = func() time.Time { return at }
			}
			if steps, err := strconv.Atoi(os.Getenv("BATON_TEST_KILL")); err == nil {
				os.Exit(run(context.Background(), &app.App{Env: env, Hook: hook.Run, Opening: killedAfter(steps)}))
			}
			os.Exit(attended(&app.App{Env: env, Hook: hook.Run, Opening: patient}))
		},
	})
}

// patient gives git as much time as it needs, because scripts must not depend on the load of the machine. A script that
// plays a slow git sets the limit itself.
func patient(o *workspace.Options) {
	o.GitTime = time.Minute
	if limit, err := time.ParseDuration(os.Getenv("BATON_TEST_GIT")); err == nil {
		o.GitTime = limit
	}
}

// TestScripts runs testdata/script/*.txtar: go test ./internal/cli -run TestScripts -update rewrites the files that
// `cmp stdout` compares with.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: false,
		Setup:               setUp,
		Cmds:                scriptCommands(),
		Condition: func(name string) (bool, error) {
			if name != "root" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return os.Geteuid() == 0, nil
		},
	})
}

// setUp gives each script a home with an empty project folder, a fixed clock and a fixed holder.
func setUp(env *testscript.Env) error {
	exports, err := filepath.Abs(filepath.Join("..", "task", "importing")) // its samples are those of the tools
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"EXPORTS": exports,
		"HOME":    env.WorkDir, "USER": "agent-1", "TZ": "UTC", "BATON_AS": "agent-1", "BATON_TEST_NOW": "2026-03-14T12:00:00Z",
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8",
		"GIT_AUTHOR_NAME": "agent-1", "GIT_AUTHOR_EMAIL": "agent-1@example.org", "GIT_COMMITTER_NAME": "agent-1",
		"GIT_COMMITTER_EMAIL": "agent-1@example.org",
		// By default, the race detector delays the end of each process by a second.
		"GORACE":          "atexit_sleep_ms=0",
		"GIT_AUTHOR_DATE": "2026-03-14T12:00:00Z", "GIT_COMMITTER_DATE": "2026-03-14T12:00:00Z",
	} {
		env.Setenv(name, value)
	}
	env.Cd = filepath.Join(env.WorkDir, "p")
	return os.MkdirAll(env.Cd, 0o777)
}

// command is one command of the script language.
type command = func(ts *testscript.TestScript, neg bool, args []string)

func scriptCommands() map[string]command {
	return map[string]command{
		"exits": exits, "append": appendBytes, "grow": grow, "keep": keep, "kept": kept, "at": at, "widen": widen,
		"dated": dated, "alone": alone,
	}
}

// exits CODE COMMAND…: the command must end with exactly this exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// append FILE TEXT: adds bytes, written as in a Go string: append f 'a\x00b'.
func appendBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: append FILE TEXT")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666)
	ts.Check(err)
	_, err = f.WriteString(text)
	ts.Check(err)
	ts.Check(f.Close())
}

// grow FILE BYTES: makes the file that long without writing all of it.
func grow(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: grow FILE BYTES")
	}
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), size))
}

// widen FILE WORD COUNT: replaces a word by so many letters.
func widen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: widen FILE WORD COUNT")
	}
	count, err := strconv.Atoi(args[2])
	ts.Check(err)
	text := strings.ReplaceAll(ts.ReadFile(args[0]), args[1], strings.Repeat("x", count))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// at TIME: sets the clock.
func at(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: at TIME")
	}
	ts.Setenv("BATON_TEST_NOW", args[0])
}

// alone removes everything except baton from PATH, because the machine's agents must not show.
func alone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: alone")
	}
	ts.Setenv("PATH", filepath.SplitList(ts.Getenv("PATH"))[0])
}

// dated TIME FILE…: sets the times of files, because the files of a script have real times, while the clock of the
// program is fixed.
func dated(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: dated TIME FILE…")
	}
	when, err := time.Parse(time.RFC3339Nano, args[0])
	ts.Check(err)
	for _, name := range args[1:] {
		ts.Check(os.Chtimes(ts.MkAbs(name), when, when))
	}
}

// keep remembers every file of the project; kept fails if one of them has changed, is gone or is new. Runtime files of
// this checkout are not documents and do not count.
func keep(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "kept.sum"), fingerprint(ts), 0o666))
}

func kept(ts *testscript.TestScript, neg bool, _ []string) {
	before := ts.ReadFile(filepath.Join(ts.Getenv("WORK"), "kept.sum"))
	after := fingerprint(ts)
	if same := bytes.Equal([]byte(before), after); same == neg {
		ts.Fatalf("files before:\n%s\nafter:\n%s", before, after)
	}
}

func fingerprint(ts *testscript.TestScript) []byte {
	var b bytes.Buffer
	root := filepath.Join(ts.Getenv("WORK"), "p")
	ts.Check(filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (rel == ".git" || strings.HasSuffix(rel, ".baton/local")):
			return filepath.SkipDir
		case entry.IsDir():
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		sum := [sha256.Size]byte{}
		if info.Mode().IsRegular() && info.Size() < 10<<20 {
			data, err := os.ReadFile(path)
			if err != nil {
				data = []byte(err.Error()) // for a file that cannot be read, at least size and time are compared
			}
			sum = sha256.Sum256(data)
		}
		fmt.Fprintf(&b, "%s %d %d %x\n", rel, info.Size(), info.ModTime().UnixNano(), sum[:8])
		return nil
	}))
	return b.Bytes()
}
