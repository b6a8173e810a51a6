package vectors

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/cli"
	"baton/internal/hook"
	"baton/internal/report"
)

// recorded is one recorded call. The README beside the vectors explains the fields.
type recorded struct {
	ID        string
	About     string
	Program   string
	Argv      []string
	Env       map[string]*string
	NowMS     int64 `json:"now_ms"`
	Cwd       string
	Setup     []string
	Stdin     *string
	Before    map[string]entry
	Stdout    *string
	Then      []struct{ Argv []string }
	After     map[string]json.RawMessage
	Unchanged bool
	Deviation *string
	Native    map[string][]string `json:"expect_native"`
	Lacks     map[string][]string `json:"expect_lacks"`
	Absent    []string            `json:"expect_absent"`
	Mode      map[string]string   `json:"expect_mode"`
	Links     []string            `json:"expect_link"`
}

// entry is one file of a case, before or after it.
type entry struct {
	Text   *string
	Base64 *string
	Link   *string
	Dir    bool
	Fifo   bool
	MTime  *float64
	Age    *float64
	Mode   string
}

// variable names a folder that takes the place of ../shared/vectors.
const variable = "BATON_VECTORS"

// load returns the cases of one kind, and skips the test where there are none.
func load(t *testing.T, kind string) []recorded {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "vectors")
	}
	files, _ := filepath.Glob(filepath.Join(dir, kind, "*.json"))
	if len(files) == 0 {
		t.Skipf("no vectors in %s: set %s to a folder that has %s/*.json", dir, variable, kind)
	}
	cases := make([]recorded, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(loneBytes.ReplaceAllFunc(text, standIn), &cases[i])
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return cases
}

// loneBytes are the half surrogates by which a case names bytes that are no UTF-8, and whole pairs.
var loneBytes = regexp.MustCompile(`(?i)(\\ud[89ab][0-9a-f]{2})?\\udc[89a-f][0-9a-f]`)

// standIn returns a character for private use in place of a half surrogate, which JSON does not keep.
func standIn(found []byte) []byte {
	if len(found) > len(`\udc80`) {
		return found
	}
	return append([]byte(`\uf7`), found[4:]...)
}

// bytesOf returns a text with the bytes that the stand-ins mean.
func bytesOf(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r >= 0xf780 && r <= 0xf7ff {
			b.WriteByte(byte(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// place is the folder in which a case is played.
type place struct {
	t    *testing.T
	c    recorded
	top  string
	root string
	put  func(string) string // replaces the tokens of the case
	env  map[string]string
	now  func() time.Time

	answers []sweepAnswer // what baton's sweeps answered
	steps   []step
	start   map[string]string // the files before the first call
}

// newPlace writes the files of a case. The times come last, so that nothing changes them.
func newPlace(t *testing.T, c recorded, now func() time.Time, tokens ...string) *place {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, c: c, top: top, root: filepath.Join(top, "root"), now: now}
	tokenize := strings.NewReplacer(append(tokens, "{ROOT}", p.root)...)
	p.put = func(text string) string { return bytesOf(tokenize.Replace(text)) }
	t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+rwX", top).Run() }) // a case may close a folder
	p.env = map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": filepath.Join(top, "home"), "TMPDIR": filepath.Join(top, "tmp"),
		"LANG": "C.UTF-8", "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1", "BATON_AS": "vera",
	}
	for _, dir := range []string{p.root, p.env["HOME"], p.env["TMPDIR"]} {
		p.must(os.Mkdir(dir, 0o777))
	}
	for name, e := range c.Before {
		p.write(p.put(name), e)
	}
	p.setup()
	p.must(filepath.WalkDir(p.root, func(file string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return setTime(file, now()) // what has no time of its own was just written
	}))
	names := slices.Collect(maps.Keys(c.Before))
	slices.SortFunc(names, func(a, b string) int { return strings.Count(b, "/") - strings.Count(a, "/") })
	for _, name := range names { // a folder last, because its mode may close it
		p.stamp(filepath.Join(p.root, p.put(name)), c.Before[name])
	}
	for name, value := range c.Env {
		if value == nil {
			delete(p.env, name)
		} else {
			p.env[name] = p.put(*value)
		}
	}
	return p
}

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// write writes one entry.
func (p *place) write(name string, e entry) {
	file := filepath.Join(p.root, name)
	switch {
	case e.Dir:
		p.must(os.MkdirAll(file, 0o777))
		return
	default:
		p.must(os.MkdirAll(filepath.Dir(file), 0o777))
	}
	switch {
	case e.Link != nil:
		p.must(os.Symlink(p.put(*e.Link), file))
	case e.Fifo:
		p.must(exec.Command("mkfifo", file).Run())
	case e.Base64 != nil:
		text, err := base64.StdEncoding.DecodeString(*e.Base64)
		p.must(err)
		p.must(os.WriteFile(file, text, 0o666))
	default:
		p.must(os.WriteFile(file, []byte(p.put(*e.Text)), 0o666))
	}
}

// stamp gives an entry its time and mode.
func (p *place) stamp(file string, e entry) {
	if e.Mode != "" {
		p.must(exec.Command("chmod", e.Mode, file).Run())
	}
	var at time.Time
	switch {
	case e.MTime != nil:
		at = time.UnixMicro(int64(*e.MTime * 1e6))
	case e.Age != nil:
		at = p.now().Add(-time.Duration(*e.Age * 1e9))
	default:
		return
	}
	p.must(setTime(file, at))
}

// noProgram is the exit code of a shell that does not find a program.
const noProgram = 127

// setup runs the shell commands of a case.
func (p *place) setup() {
	for _, line := range p.c.Setup {
		run := exec.Command("sh", "-c", p.put(line))
		run.Dir = p.root
		run.Env = append(
			p.environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=Vera Vector", "GIT_COMMITTER_NAME=Vera Vector",
			"GIT_AUTHOR_EMAIL=vera@example.invalid", "GIT_COMMITTER_EMAIL=vera@example.invalid",
			"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
		)
		out, err := run.CombinedOutput()
		if err == nil {
			continue
		}
		if failed := (*exec.ExitError)(nil); !errors.As(err, &failed) || failed.ExitCode() == noProgram {
			p.t.Skipf("this machine lacks a program that the case needs; install it: %s: %v\n%s", line, err, out)
		}
		p.t.Fatalf("the setup fails: %s: %v\n%s", line, err, out)
	}
}

func (p *place) environ() []string {
	var list []string
	for name, value := range p.env {
		list = append(list, name+"="+value)
	}
	return list
}

// run runs one command of baton in the case's folder, and returns its exit code and what it printed.
func (p *place) run(args ...string) (int, string, string) {
	p.t.Helper()
	var out, errs bytes.Buffer
	stdin := ""
	if p.c.Stdin != nil {
		stdin = p.put(*p.c.Stdin)
	}
	zone, err := time.LoadLocation(p.env["TZ"])
	p.must(err)
	env := report.Env{
		Args: args, Dir: filepath.Join(p.root, p.c.Cwd), Home: p.env["HOME"], User: "vera", Host: "here", PID: os.Getpid(),
		Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs,
		Now:     func() time.Time { return p.now().In(zone) },
		Getenv:  func(name string) string { return p.env[name] },
		Environ: p.environ(),
	}
	code := cli.Main(context.Background(), env, cli.Doors{Hook: hook.Run})
	return code, out.String(), errs.String()
}

// emptyFolder stands for the text of a folder without entries. Those of GSD's cases are not compared.
const emptyFolder = "an empty folder"

// files returns every file and link, and empty folders, of the case's folder, with the tokens put back.
func (p *place) files() map[string]string {
	p.t.Helper()
	found := map[string]string{}
	p.must(filepath.WalkDir(p.root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(p.root, file)
		p.must(err)
		name = filepath.ToSlash(name)
		if own(name, p.c.Program == "devt-tools") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		switch {
		case d.IsDir():
			if inside, err := os.ReadDir(file); err == nil && len(inside) == 0 && p.c.Program == "devt-tools" {
				found[name] = emptyFolder
			}
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(file)
			p.must(err)
			found[name] = "-> " + to
		case d.Type().IsRegular():
			text, err := os.ReadFile(file)
			p.must(err)
			found[name] = strings.ReplaceAll(string(text), p.root, "{ROOT}")
		default:
			found[name] = d.Type().String()
		}
		return nil
	}))
	return found
}

// own reports whether a file is not compared: what git and baton keep for themselves, and locks. In the
// state folder, names that look like locks belong to it.
func own(name string, folder bool) bool {
	base := path.Base(name)
	return base == ".git" || base == ".baton" || base == ".lock" ||
		!folder && (strings.HasSuffix(base, ".lock") || strings.HasSuffix(base, ".tmp"))
}
