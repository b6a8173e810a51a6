package gitrepo

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Line is a set of commits that a question is about.
type Line int

// The lines of commits.
const (
	Ours     Line = iota // HEAD and its ancestors
	Siblings             // commits of other branches, tags and stashes that are not in Ours
	// commits that no branch leads to any more and only reflogs know, because they were amended,
	// rebased or reset
	Dropped
)

// Limits of one question about versions.
const (
	commitsEach  = 50  // newest commits for each document
	mostVersions = 500 // newest commits for all documents together
	mostPaths    = 64  // paths that are passed to git; if there are more documents, their folders are passed
)

// Version is a document as of a commit.
type Version struct {
	Commit string
	Name   string // slash path below Root
	Blob   string // names its bytes, for Objects
}

// Versions returns the versions of documents in the newest commits of a line that touched them,
// newest first: at most 50 commits per document and 500 in all. whole reports that there are no
// others. Names are slash paths below Root. ErrUnknown if git does not answer in time.
func (r Repo) Versions(ctx context.Context, line Line, names []string) (list []Version, whole bool, err error) {
	if len(names) == 0 || r.Place.unborn() && line == Ours {
		return nil, true, nil
	}
	most := min(mostVersions, commitsEach*len(names))
	args := []string{
		"--literal-pathspecs", "log", "--format=%x01%H", "-z",
		"--raw", "--no-abbrev",
		"-m", "--no-renames", "--relative", "--ignore-missing", "--no-show-signature", "--no-decorate", "-n",
		strconv.Itoa(
			most,
		),
	}
	args = append(append(args, r.span(line)...), "--")
	out, err := r.ask(ctx, append(args, pathsOf(names)...)...)
	if err != nil {
		return nil, false, err
	}
	wanted := make(map[string]bool, len(names))
	for _, name := range names {
		wanted[name] = true
	}
	return versionLines(out, wanted), bytes.Count(out, []byte{1}) < most, nil
}

// span returns the arguments that name a line's commits for git.
func (r Repo) span(line Line) []string {
	not := []string{"--not", "HEAD"}
	if r.Place.unborn() {
		not = nil // git does not accept HEAD then
	}
	switch line {
	case Siblings:
		return slices.Concat([]string{"--all"}, r.stashes(), not)
	case Dropped:
		return slices.Concat([]string{"--reflog", "--not", "--all"}, r.stashes())
	}
	return []string{"HEAD"}
}

// pathsOf returns documents or, if they are many, their folders.
func pathsOf(names []string) []string {
	if len(names) <= mostPaths {
		return names
	}
	var out []string
	for _, name := range names {
		if dir := path.Dir(name); !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// versionLines parses the output of git log with --raw and -z: "\x01<commit>", then pairs of
// ":<modes> <old> <new> <status>" and name.
func versionLines(text []byte, wanted map[string]bool) []Version {
	var out []Version
	commit, blob := "", ""
	for field := range strings.SplitSeq(string(text), "\x00") {
		// The header of the next commit follows the NUL of the last name directly. The first record
		// follows a line break.
		field = strings.TrimLeft(field, "\n")
		switch {
		case strings.HasPrefix(field, "\x01"):
			hash, _, _ := strings.Cut(field[1:], "\n")
			commit, blob = strings.TrimSpace(hash), ""
		case strings.HasPrefix(field, ":") && blob == "":
			if parts := strings.Fields(field); len(parts) == 5 {
				blob = parts[3]
			}
		case blob != "":
			v := Version{Commit: commit, Name: field, Blob: blob}
			if wanted[field] && isHash(blob) && strings.Trim(blob, "0") != "" &&
				!slices.Contains(out[max(0, len(out)-8):], v) {
				out = append(out, v)
			}
			blob = ""
		}
	}
	return out
}

// Objects returns the bytes of objects, by their ids. It leaves out objects that git does not know,
// and everything after the first most bytes. ErrUnknown if git does not answer in time.
func (r Repo) Objects(ctx context.Context, ids []string, most int) (map[string][]byte, error) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !isHash(id) })
	if len(ids) == 0 {
		return map[string][]byte{}, nil
	}
	const head = 100 // bytes around each object
	out, err := r.askAbout(ctx, strings.Join(ids, "\n")+"\n", most+head*len(ids), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	found := make(map[string][]byte, len(ids))
	for len(out) > 0 && most > 0 {
		head, rest, _ := bytes.Cut(out, []byte("\n"))
		parts := strings.Fields(string(head))
		if out = rest; len(parts) != 3 {
			continue // "<id> missing"
		}
		size, err := strconv.Atoi(parts[2])
		if err != nil || size < 0 || size >= len(rest) {
			return found, nil
		}
		found[parts[0]] = rest[:size]
		out = rest[size+1:]
		most -= size
	}
	return found, nil
}

// Outside returns those of the commits that are not part of a line. For Ours, these are commits
// that HEAD does not build on; for Siblings, commits that no branch, tag or stash builds on.
// Commits that git does not know are left out. ErrUnknown if git does not answer in time.
func (r Repo) Outside(ctx context.Context, line Line, commits []string) ([]string, error) {
	not := []string{"HEAD"}
	switch {
	case line == Siblings:
		not = append([]string{"--all"}, r.stashes()...)
	case r.Place.unborn():
		not = nil
	}
	commits = slices.DeleteFunc(slices.Clone(commits), func(id string) bool { return !isHash(id) })
	if len(commits) == 0 {
		return nil, nil
	}
	args := append(append([]string{"rev-list", "--ignore-missing"}, commits...), "--not")
	out, err := r.ask(ctx, append(append(args, not...), "--")...)
	if err != nil {
		return nil, err
	}
	listed := map[string]bool{}
	for hash := range strings.FieldsSeq(string(out)) {
		listed[hash] = true
	}
	return slices.DeleteFunc(commits, func(id string) bool { return !listed[id] }), nil
}

// Moves returns the commits to which HEAD's branch pointed in this repository, from its reflog,
// oldest first. A detached HEAD has its own reflog. Without a reflog, Moves returns nil.
func (p Place) Moves() []string {
	if branch := p.Branch(); branch != "" {
		return reflog(p.Dir, "refs/heads/"+branch)
	}
	return reflog(p.GitDir, "HEAD")
}

// OnlyCommitted reports whether HEAD moved from a commit to where it is now by new commits alone,
// according to its reflog. Then git did not change any file in between. "" is the time before the
// first commit. OnlyCommitted runs no program.
func (p Place) OnlyCommitted(from string) bool {
	at := p.Head()
	if p.Dir == "" || at == from {
		return p.Dir != ""
	}
	data, err := readFile(filepath.Join(p.GitDir, "logs", "HEAD"))
	if err != nil {
		return false
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	for _, line := range slices.Backward(lines[max(0, len(lines)-mostMoves):]) {
		move, why, _ := strings.Cut(line, "\t")
		ids := strings.Fields(move)
		if len(ids) < 2 || ids[1] != at || !isHash(ids[0]) || !changesNoFile(why, ids[0] == ids[1]) {
			return false
		}
		if at = ids[0]; at == from || from == "" && strings.Trim(at, "0") == "" {
			return true
		}
	}
	return false
}

// changesNoFile reports whether a move of HEAD leaves the files as they are: a new commit does, and
// so does a new branch, which is at the same commit.
func changesNoFile(why string, stays bool) bool {
	for _, kind := range [...]string{"commit: ", "commit (initial): ", "commit (amend): "} {
		if strings.HasPrefix(why, kind) {
			return true
		}
	}
	return stays && strings.HasPrefix(why, "checkout: ")
}

// HeadLog is the reflog of HEAD. The zero value is that of a repository without one.
type HeadLog struct {
	text   string
	unread bool
}

// HeadLog reads the reflog of HEAD. It runs no program.
func (p Place) HeadLog() HeadLog {
	data, err := readFile(filepath.Join(p.GitDir, "logs", "HEAD"))
	return HeadLog{text: string(data), unread: err != nil && !os.IsNotExist(err)}
}

// Len returns the length of the log, which grows with each move of HEAD.
func (l HeadLog) Len() int { return len(l.text) }

// Stayed reports whether git has left the files as they are since the log had a length. It notices
// that HEAD was elsewhere and came back to the same commit. It is false if the log got shorter or
// cannot be read.
func (l HeadLog) Stayed(length int) bool {
	if l.unread || length < 0 || length > len(l.text) {
		return false
	}
	for line := range strings.Lines(l.text[length:]) {
		if !leavesFiles(line) {
			return false
		}
	}
	return true
}

// StayedAfter reports whether git has left the files as they are since a moment. It is false if git
// changed files in that very second, because the log has only seconds.
func (l HeadLog) StayedAfter(at time.Time) bool {
	lines := strings.Split(strings.TrimSpace(l.text), "\n")
	for _, line := range slices.Backward(lines[max(0, len(lines)-mostMoves):]) {
		if line == "" || leavesFiles(line) {
			continue
		}
		move, _, _ := strings.Cut(line, "\t")
		words := strings.Fields(move)
		seconds, err := strconv.ParseInt(words[max(0, len(words)-2)], 10, 64)
		return err == nil && at.Unix() > seconds && !l.unread
	}
	return !l.unread
}

// leavesFiles reports whether a line of the reflog is a move that leaves the files as they are.
func leavesFiles(line string) bool {
	move, why, _ := strings.Cut(line, "\t")
	ids := strings.Fields(move)
	return len(ids) > 1 && isHash(ids[0]) && changesNoFile(why, ids[0] == ids[1])
}

// stashes returns the commits of all stashes, because only the newest has a reference.
func (p Place) stashes() []string { return reflog(p.Dir, "refs/stash") }

// mostMoves is the most entries that are taken from a reflog, the newest.
const mostMoves = 1000

// reflog returns the new commits of a reference's log, whose lines begin with the old and the new
// commit.
func reflog(dir, ref string) []string {
	if dir == "" || !filepath.IsLocal(filepath.FromSlash(ref)) {
		return nil
	}
	data, err := readFile(filepath.Join(dir, "logs", filepath.FromSlash(ref)))
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if parts := strings.Fields(line); len(parts) > 1 && isHash(parts[1]) {
			out = append(out, parts[1])
		}
	}
	return out[max(0, len(out)-mostMoves):]
}
