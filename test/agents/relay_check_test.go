//go:build agents && linux

package agents

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
)

// look notes every word that the files of the project have now, except what baton itself replaces: metadata,
// placeholders, and the lines about the tasks in the digest.
func (r *relay) look() {
	r.t.Helper()
	for word := range r.wordsNow() {
		r.seen[word] = true
	}
}

// wordsNow returns the words of all files outside git's folder and baton's caches.
func (r *relay) wordsNow() map[string]bool {
	r.t.Helper()
	found := map[string]bool{}
	r.must(filepath.WalkDir(r.project, func(path string, entry fs.DirEntry, err error) error {
		switch name := strings.TrimPrefix(path, r.project); {
		case err != nil || name == "/.git" || name == "/.baton/local":
			return filepath.SkipDir
		case entry.IsDir():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fenced, generated := false, false
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "```") || line == "---" {
				fenced = !fenced
			}
			if strings.HasPrefix(line, "<!-- baton: ") {
				generated = line != "<!-- baton: end -->"
			}
			if fenced || generated || strings.HasPrefix(line, "(") {
				continue
			}
			for _, word := range strings.FieldsFunc(line, func(c rune) bool { return !unicode.IsLetter(c) }) {
				found[word] = true
			}
		}
		return nil
	}))
	return found
}

// The events that report the end of a session, as the clients name them.
var ends = []string{"SessionEnd", "sessionEnd"}

// finish lets the last session's work become an entry where its client does not report its end: that happens when the next
// session starts. Then a person moves the work of the session that had no task into the task.
func (r *relay) finish() {
	r.t.Helper()
	last := r.legs[len(r.legs)-1]
	if !last.reportedItsEnd() {
		s := r.leg("then somebody starts", last.h)
		s.start("", nil, turn{text: "Hello."})
		s.ends()
		r.legs = r.legs[:len(r.legs)-1]
	}
	last.adopts()
	r.look()
}

// reportedItsEnd reports whether the client told baton that the session is over.
func (s *leg) reportedItsEnd() bool {
	return slices.ContainsFunc(s.hooks()[s.mark:], func(h hooked) bool { return within(h.event(), ends) })
}

// shown is the task as `baton task show --json` prints it.
type shown struct {
	Criteria []struct {
		Text    string
		Checked bool
	}
	Sessions []struct {
		Number            int
		Did, Next, Issues []string
		Commits           []string
	}
}

// check checks that nothing is missing at the end, and that each entry of the log is true.
func (r *relay) check() {
	r.t.Helper()
	now := r.wordsNow()
	for word := range r.seen {
		if !now[word] {
			r.t.Errorf("the word %q is in no file any more", word)
		}
	}
	var task shown
	r.must(json.Unmarshal([]byte(r.baton("task", "show", "1", "--json")), &task))
	if len(task.Criteria) != 2 || task.Criteria[0].Text != criterion || task.Criteria[1].Text != second {
		r.t.Errorf("criteria: %v", task.Criteria)
	}
	entries := map[string][]string{}
	for _, entry := range task.Sessions {
		id := between(entry.Did[0], " session ", " from ")
		if entries[id] != nil {
			r.t.Errorf("session %s has several entries", id)
		}
		_, why, _ := strings.Cut(entry.Did[0], " because of ")
		entries[id] = append([]string{why}, entry.Did[1:]...)
		for _, issue := range entry.Issues {
			if !strings.HasPrefix(issue, "Written by ") { // while a session whose client reports no end has the claim
				r.t.Errorf("session %s had no issue: %s", id, issue)
			}
		}
		for _, hash := range entry.Commits {
			entries[id] = append(entries[id], r.subject(hash))
		}
	}
	for id, want := range r.expected() {
		if got := entries[id]; !slices.Equal(got, want) {
			r.t.Errorf("the entry of session %s says\n\t%s\nand the session did\n\t%s", id, strings.Join(got, "\n\t"),
				strings.Join(want, "\n\t"))
		}
		delete(entries, id)
	}
	for id, entry := range entries {
		r.t.Errorf("session %s did nothing and has an entry: %s", id, entry)
	}
	for _, method := range r.served() {
		if method == "tools/call" {
			r.t.Error("a session called a tool of baton")
		}
	}
	r.quietHooks()
}

// subject returns the subject of a commit.
func (r *relay) subject(hash string) string {
	r.t.Helper()
	return strings.TrimSpace(r.run(r.command("git", "log", "-1", "--format=%s", hash), 10*time.Second).out)
}

// expected returns what the entry of each session must say, by the sessions' ids.
func (r *relay) expected() map[string][]string {
	want := map[string][]string{}
	for i, s := range r.legs {
		files := s.wrote
		for _, other := range r.legs[:i] {
			if other.id == s.id { // it was killed, and this one went on with it
				files = append(slices.Clone(other.wrote), files...)
			}
		}
		if len(files) == 0 {
			continue
		}
		entry := []string{s.bound, "Files edited: " + strings.Join(slices.Compact(files), ", ")}
		if len(s.ran) > 0 {
			entry = append(entry, "Commands, newest last: "+strings.Join(s.ran, "; "))
		}
		if s.h.mute {
			entry = append(entry, "Its last message is not known")
		} else {
			entry = append(entry, s.client.name+" said last: “"+s.last+"”")
		}
		want[s.id] = append(entry, s.commits...)
	}
	return want
}

// between returns what a text has between two others.
func between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}
