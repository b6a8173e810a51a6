package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// statuses returns the status that each task's file has.
func (r *repairHistory) statuses() map[string]string {
	out := map[string]string{}
	for path, text := range r.documents() {
		if m := statusWritten.FindStringSubmatch(text); m != nil && strings.HasSuffix(path, "-state.md") {
			out[strings.TrimPrefix(taskOf.FindString(filepath.Base(path)), "task-")] = m[1]
		}
	}
	return out
}

// turn changes the status of a task, by a command or by hand.
func (r *repairHistory) turn(id string) {
	r.t.Helper()
	was := r.statuses()[id]
	switch r.rand.IntN(5) {
	case 0:
		r.answer("task", "block", id, "--reason", "no key")
	case 1:
		r.answer("task", "reopen", id)
	case 2:
		r.answer("session", "start", id)
	case 3:
		r.answer("task", "output", id, "--summary", "it works")
		r.answer("task", "complete", id, "--force", "--reason", "it is enough")
	default:
		word := [...]string{"backlog", "ready", "in_progress", "in_review", "blocked", "cancelled"}[r.rand.IntN(6)]
		for path, text := range r.documents() {
			if filepath.Base(path) != "task-"+id+"-state.md" || !statusWritten.MatchString(text) {
				continue
			}
			r.done = append(r.done, "# somebody writes the status "+word+": "+path)
			r.hurt["task-"+id] = true
			text = statusWritten.ReplaceAllString(text, `"status": "`+word+`"`)
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				r.t.Fatal(err)
			}
		}
		return
	}
	for path, text := range r.documents() {
		if filepath.Base(path) == "task-"+id+"-state.md" && r.statuses()[id] != was && noteWritten.MatchString(text) {
			r.t.Errorf("the status of task %s changed, and the note of a merge is left\n%s", id, strings.Join(r.done, "\n"))
		}
	}
}

// keptStatuses checks that repairs changed no status.
func (r *repairHistory) keptStatuses(were map[string]string) {
	r.t.Helper()
	now := r.statuses()
	for id, status := range were {
		if now[id] != status && (id == "1" || id == "2") {
			r.t.Errorf("a repair changed the status of task %s from %s to %s\n%s", id, status, now[id], strings.Join(r.done, "\n"))
		}
	}
}

// taskText is what the rule of statuses needs of a version of a task's file.
type taskText struct{ status, note, active string }

func (r *repairHistory) version(rev, id string) (v taskText, ok bool) {
	folder := ".baton/tasks"
	if r.layout == "specflux" {
		folder = ".specflux/task-states"
	}
	text, err := r.ask("show", rev+":"+folder+"/task-"+id+"-state.md")
	m := statusWritten.FindStringSubmatch(text)
	if err != nil || m == nil {
		return v, false
	}
	v.status = m[1]
	if m := noteWritten.FindStringSubmatch(text); m != nil {
		v.note = m[1]
	}
	for _, m := range stampWritten.FindAllStringSubmatch(text, -1) {
		v.active = max(v.active, strings.NewReplacer("T", " ", "Z", "").Replace(m[1]+m[2]))
	}
	return v, true
}

// merged is the rule of D44. sure is false if it does not say what becomes of the note.
func merged(base, ours, theirs taskText) (status, note string, sure bool) {
	order := []string{"backlog", "ready", "in_progress", "in_review", "complete"}
	x, y := slices.Index(order, ours.status), slices.Index(order, theirs.status)
	switch {
	case ours.status == theirs.status:
		return ours.status, ours.note, ours.note == theirs.note
	case theirs.status == base.status:
		return ours.status, ours.note, true
	case ours.status == base.status:
		return theirs.status, theirs.note, true
	case x >= 0 && y >= 0 && x < y, (x < 0 || y < 0) && theirs.active > ours.active:
		return theirs.status, theirs.status + " over " + ours.status, true
	}
	return ours.status, ours.status + " over " + theirs.status, true
}

// threeWay compares what a merge made of the statuses with the rule.
func (r *repairHistory) threeWay(base, ours, theirs, result string) {
	r.t.Helper()
	for _, id := range [...]string{"1", "2"} {
		b, ok1 := r.version(base, id)
		o, ok2 := r.version(ours, id)
		t, ok3 := r.version(theirs, id)
		got, ok4 := r.version(result, id)
		if !r.driver || !ok1 || !ok2 || !ok3 || !ok4 {
			continue
		}
		status, note, sure := merged(b, o, t)
		if got.status != status || sure && got.note != note {
			r.t.Errorf("task %s: %+v of %+v, %+v and %+v; want %s, %q\n%s", id, got, b, o, t, status, note, strings.Join(r.done, "\n"))
		}
	}
}

// threeWaySteps does so for each commit that was applied on top of another.
func (r *repairHistory) threeWaySteps(tip, onto string) {
	r.t.Helper()
	old := map[string]string{}
	for line := range strings.Lines(r.must("log", "--format=%H %s", "base.."+tip)) {
		hash, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
		old[subject] = hash
	}
	for line := range strings.Lines(r.must("log", "--reverse", "--format=%H %s", onto+"..HEAD")) {
		hash, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
		if was := old[subject]; was != "" {
			r.threeWay(was+"^", hash+"^", was, hash)
		}
	}
}

// noted checks that the doctor names the status of the other side as long as the note of the merge is true.
func (r *repairHistory) noted() {
	r.t.Helper()
	named := map[string]bool{}
	for _, f := range r.look().Findings {
		if f.Code == "status_merged" {
			named[taskOf.FindString(filepath.Base(f.Path))] = true
		}
	}
	for path, text := range r.documents() {
		m, s := noteWritten.FindStringSubmatch(text), statusWritten.FindStringSubmatch(text)
		id := taskOf.FindString(filepath.Base(path))
		want := m != nil && s != nil && strings.HasPrefix(m[1], s[1]+" over ")
		if strings.HasSuffix(path, "-state.md") && named[id] != want {
			r.t.Errorf("%s: status_merged is named: %v, want %v\n%s", id, named[id], want, strings.Join(r.done, "\n"))
		}
	}
}
