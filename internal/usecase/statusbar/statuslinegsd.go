package statusbar

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"baton/internal/gitrepo"
	"baton/internal/statusline"
	"baton/internal/workspace/planning"
)

// How much is read of the files that only GSD's segments need.
const (
	mostTodos      = 256 << 10 // a list of to-dos
	mostUpdate     = 16 << 10  // the result of GSD's look for updates
	mostTranscript = 256 << 10 // the end of a transcript
)

// original reads what GSD's own line shows besides the digest: the to-do in progress, a new
// release, and the last command where GSD's settings ask for it (F-60).
func (g *glance) original(in statusline.Input, f *statusline.Facts, o statusline.Options) {
	home := g.env.Getenv("HOME")
	if f.Digest != statusline.GSD || home == "" {
		return
	}
	f.Todo = g.todo(filepath.Join(planning.ClaudeFolder(g.env.Getenv, home), "todos"), in.Session)
	f.Update, f.Hooks = g.updates(home)
	if o.Git && o.Wants("git", *f) {
		f.Git = g.gitStatus()
	}
	if o.LastCommand {
		f.LastCommand = g.lastCommand(in.Transcript)
	}
}

// Limits for git, as in GSD's own line.
const (
	gitPatience = 1500 * time.Millisecond
	mostGit     = 8 << 20
)

// gitStatus asks git about the folder around the line. Nothing else in this package starts a
// program.
func (g *glance) gitStatus() *statusline.GitStatus {
	if g.top == "" {
		return nil
	}
	repo := gitrepo.Open(g.top, g.env.Environ)
	repo.Patience = gitPatience
	text, err := repo.StatusWithBranch(context.Background(), mostGit)
	if err != nil {
		return nil
	}
	return statusline.ParseGit(string(text))
}

// todo returns the entry in progress of the newest list of the session.
func (g *glance) todo(dir, session string) string {
	if session == "" || strings.ContainsAny(session, `/\`) {
		return ""
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	newest, name := time.Time{}, ""
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), session) || !strings.Contains(e.Name(), "-agent-") ||
			!strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		if info, err := e.Info(); err == nil && (name == "" || info.ModTime().After(newest)) {
			newest, name = info.ModTime(), e.Name()
		}
	}
	var list []struct{ Status, ActiveForm string }
	if name == "" || json.Unmarshal(g.whole(filepath.Join(dir, name), mostTodos), &list) != nil {
		return ""
	}
	for _, entry := range list {
		if entry.Status == "in_progress" {
			return entry.ActiveForm
		}
	}
	return ""
}

// updates returns what GSD's look for updates found: that a release is newer, and that the hooks
// have another version, as a notice.
func (g *glance) updates(home string) (newer bool, hooks statusline.HooksNotice) {
	var found struct {
		Package   string   `json:"package_name"`
		Update    bool     `json:"update_available"`
		Hooks     []string `json:"stale_hooks"`
		Installed string   `json:"installed"`
		Latest    string   `json:"latest"`
	}
	name := filepath.Join(home, ".cache", "gsd", "gsd-update-check-opengsd-gsd-core.json")
	if json.Unmarshal(g.whole(name, mostUpdate), &found) != nil || found.Package != "@opengsd/gsd-core" {
		return false, ""
	}
	switch {
	case len(found.Hooks) == 0:
	case found.Latest != "unknown" && found.Latest != "" && newerVersion(found.Installed, found.Latest):
		hooks = statusline.HooksAhead
	default:
		hooks = statusline.HooksStale
	}
	return found.Update, hooks
}

// newerVersion reports whether a version such as 1.10.0 is newer than another.
func newerVersion(a, b string) bool {
	numbers := func(text string) (out [3]int) {
		text = strings.TrimPrefix(text, "v")
		for i := range out {
			part := text
			part, text, _ = strings.Cut(text, ".")
			for _, c := range part {
				if c < '0' || c > '9' {
					break
				}
				out[i] = min(out[i]*10+int(c-'0'), 1e6)
			}
		}
		return out
	}
	was, is := numbers(b), numbers(a)
	for i := range is {
		if is[i] != was[i] {
			return is[i] > was[i]
		}
	}
	return false
}

// lastCommand returns the last command in the transcript of the session.
func (g *glance) lastCommand(path string) string {
	if path == "" {
		return ""
	}
	file, err := g.open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode.IsRegular() {
		return ""
	}
	from := max(0, info.Size-mostTranscript)
	end := make([]byte, info.Size-from)
	n, _ := file.ReadAt(end, from)
	const open, shut = "<command-name>", "</command-name>"
	end = end[:max(0, bytes.LastIndex(end[:n], []byte(shut)))]
	at := bytes.LastIndex(end, []byte(open))
	if at < 0 {
		return ""
	}
	text := strings.TrimPrefix(strings.TrimSpace(string(end[at+len(open):])), "/")
	if utf8.RuneCountInString(text) > 80 || strings.ContainsAny(text, " \t\r\n\\\"<>") {
		return "" // an earlier one is not the last command
	}
	return text
}
