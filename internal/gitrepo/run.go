package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Limit is how long one question to git may take (D30).
const Limit = 300 * time.Millisecond

// mostCommits is the most commits that CommitsSince returns (D18).
const mostCommits = 50

// ErrUnknown says that git gave no answer: it is not installed, was too slow, or does not know the
// commit. An error that wraps it says why.
var ErrUnknown = errors.New("git gave no answer")

// silence is ErrUnknown with the reason.
type silence struct{ why string }

func (s *silence) Error() string { return ErrUnknown.Error() + ": " + s.why }

func (s *silence) Unwrap() error { return ErrUnknown }

// Why returns a short reason why git gave no answer, or "" if it is not known. The text may be
// git's own, so it must be made safe before it is shown.
func Why(err error) string {
	if s, ok := errors.AsType[*silence](err); ok {
		return s.why
	}
	return ""
}

// Repo is a checkout that can be asked. The zero value is a folder outside git, where every
// question is ErrUnknown.
type Repo struct {
	Place
	Root     string        // folder in which git is called
	Environ  []string      // the caller's environment, cleaned before use
	Patience time.Duration // limit for one question; 0 means Limit
	memory   *memory       // of the repository's config; nil to read it for every call
}

// Open finds the checkout that holds root, a real absolute path. It does not run git.
func Open(root string, environ []string) Repo {
	return Repo{Place: Common(root), Root: root, Environ: environ, memory: new(memory)}
}

// Head returns the commit of HEAD, from files if they tell and otherwise by asking git. ErrUnknown
// outside git and before the first commit.
func (r Repo) Head(ctx context.Context) (string, error) {
	if hash := r.Place.Head(); hash != "" {
		return hash, nil
	}
	out, err := r.ask(ctx, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// Commit is one commit.
type Commit struct {
	Hash    string // full
	Subject string
}

// ID returns the hash.
func (c Commit) ID() string { return c.Hash }

// CommitsSince returns the commits after head up to HEAD, first parents only, oldest first, and at
// most the newest 50. After Unborn, these are all commits. ErrUnknown if git does not know head or
// does not answer in time.
func (r Repo) CommitsSince(ctx context.Context, head string) ([]Commit, error) {
	span, err := r.since(head)
	if span == "" || err != nil {
		return nil, err
	}
	out, err := r.ask(ctx, commitLog(span, "%H %s", mostCommits)...)
	if err != nil {
		return nil, err
	}
	commits := commitLines(out)
	slices.Reverse(commits)
	return commits, nil
}

// since returns the range of commits after head in git's notation; "" for none.
func (r Repo) since(head string) (span string, err error) {
	switch {
	case head == Unborn && r.Place.Head() == "":
		return "", nil
	case head == Unborn:
		return "HEAD", nil
	case !isHash(head):
		return "", ErrUnknown
	}
	return head + "..HEAD", nil
}

// commitLog returns the arguments for a log along first parents, newest first, with one commit a
// line.
func commitLog(span, format string, most int) []string {
	return []string{
		"log",
		"--first-parent",
		"--no-show-signature",
		"--no-decorate",
		"--format=" + format,
		"-n",
		strconv.Itoa(most),
		span,
		"--",
	}
}

// commitLines parses lines of hash and subject.
func commitLines(text []byte) []Commit {
	var out []Commit
	for line := range strings.SplitSeq(strings.TrimRight(string(text), "\n"), "\n") {
		if hash, subject, _ := strings.Cut(line, " "); isHash(hash) && len(out) < mostCommits {
			out = append(out, Commit{hash, subject})
		}
	}
	return out
}

// Dirty reports whether tracked files differ from HEAD or untracked files exist. except lists files
// and folders that do not count, as slash paths below Root.
func (r Repo) Dirty(ctx context.Context, except ...string) (bool, error) {
	out, err := r.ask(ctx, statusOf("--porcelain", except)...)
	if err != nil {
		return false, err
	}
	return len(bytes.TrimSpace(out)) > 0, nil
}

// StatusWithBranch returns the output of git status --porcelain=v2 --branch for the whole checkout,
// and at most so many bytes of it. It does not look into submodules: git would ask each of them by
// its own config, which can name programs (D45). It fails with ErrUnknown if git does not answer in
// time.
func (r Repo) StatusWithBranch(ctx context.Context, most int) ([]byte, error) {
	return r.askAbout(ctx, "", most, "status", "--porcelain=v2", "--branch", "--ignore-submodules=dirty")
}

// statusOf returns the arguments for a status that leaves out some files and folders.
func statusOf(form string, except []string, more ...string) []string {
	args := append([]string{"status", form}, more...)
	args = append(args, "--untracked-files=normal", "--ignore-submodules=dirty", "--", ":(top)")
	for _, path := range except {
		args = append(args, ":(exclude,literal)"+path)
	}
	return args
}

// ask runs one git command within the limit.
func (r Repo) ask(ctx context.Context, args ...string) ([]byte, error) {
	return r.askAbout(ctx, "", 0, args...)
}

// askAbout is ask with standard input for the command. It returns the first most bytes of the
// output; 0 means all.
func (r Repo) askAbout(ctx context.Context, input string, most int, args ...string) ([]byte, error) {
	out, _, err := r.run(ctx, input, most, args...)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// run is askAbout with git's exit code, which is -1 if git did not end by itself. If git reports an
// error, run returns the output as well.
func (r Repo) run(ctx context.Context, input string, most int, args ...string) (text []byte, code int, err error) {
	if r.Dir == "" {
		return nil, -1, ErrUnknown
	}
	patience := r.Patience
	if patience <= 0 {
		patience = Limit
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd, err := r.call(limited, args...)
	switch {
	case ctx.Err() != nil:
		return nil, -1, ctx.Err()
	case err != nil:
		return nil, -1, err
	}
	if input != "" {
		cmd.Stdin = strings.NewReader(input)
	}
	out, words := answer{most: most}, bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = &out, &words
	err = cmd.Run()
	code = cmd.ProcessState.ExitCode()
	switch {
	case ctx.Err() != nil:
		return nil, code, ctx.Err()
	case err == nil || out.full:
		return out.text.Bytes(), code, nil
	case limited.Err() != nil:
		return nil, code, &silence{"it took longer than " + patience.String()}
	}
	return out.text.Bytes(), code, &silence{complaint(words.String(), err)}
}

// complaint returns the first line of git's error message.
func complaint(words string, err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(words), "\n")
	if line = strings.TrimPrefix(strings.TrimPrefix(line, "fatal: "), "error: "); line != "" {
		return line
	}
	return err.Error()
}

// answer collects git's output up to a limit.
type answer struct {
	text bytes.Buffer
	most int  // in bytes; 0 means no limit
	full bool // there was more output
}

// Write fails once the limit is reached, which ends git.
func (a *answer) Write(text []byte) (int, error) {
	room := a.most - a.text.Len()
	if a.most == 0 || len(text) <= room {
		return a.text.Write(text)
	}
	a.full = true
	n, _ := a.text.Write(text[:room])
	return n, io.ErrShortWrite
}
