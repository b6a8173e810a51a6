package protocol

import (
	"fmt"
	"strings"
)

// mostOrientation is the length that the text at a session's start should not exceed, in UTF-16
// units (agents.md 2.3).
const mostOrientation = 3000

// Rate scores how well the text orients a new session: a hundred points in nine parts, each with
// its reason and, if points are missing, a hint that says how to get them. A project loses no
// points for things that it does not have, such as failed attempts.
func Rate(f Facts, p Packed) Score {
	w := wording{Facts: f}
	s := Score{Reasons: []Reason{}}
	give := func(of int, ok bool, text, hint string) {
		r := Reason{Points: of, Of: of, Text: text}
		if !ok {
			r.Points, r.Hint = 0, hint
		}
		s.Points += r.Points
		s.Reasons = append(s.Reasons, r)
	}
	give(10, f.Project.Name != "" && has(p, "project"), "it knows which project this is",
		"start in the project's folder")
	if w.taskless() {
		w.rateTaskless(give)
	} else {
		give(15, f.Task != nil && !f.Proposed && has(p, "task"), "it knows the active task", w.hintOfTask())
		give(15, f.Project.Next != "" || f.Task != nil && (len(f.Task.Next) > 0 || f.First && len(f.Task.Criteria) > 0),
			"it knows the next step", "`baton task log ID --next TEXT` records one")
		w.rateCriteria(&s)
		give(10, f.Task != nil && (f.First || !f.Task.Drafted && len(f.Task.LastDid) > 0),
			"it has the last session's hand-off",
			"log an entry before a session ends: `baton task log ID --did TEXT --next TEXT`")
	}
	give(10, f.Task == nil || len(f.Task.Failed) == 0 || has(p, "failed attempts"), "it knows the failed attempts",
		"`baton context` shows them")
	give(10, f.Git.Known && !f.Git.Late && has(p, "git"), "it knows branch, commits and uncommitted files",
		"keep the project in a git repository that answers in time")
	give(10, units(p.Text) <= mostOrientation, fmt.Sprintf("the text is short: %d characters", units(p.Text)),
		"shorten next steps, criteria and blockers: they are never left out")
	give(10, len(f.Warnings) == 0 && !staleInput(f.Task), "nothing is stale",
		"resolve the warnings; `baton session start ID` updates inputs that changed")
	return s
}

// rateTaskless rates a project without tasks by what it has instead of a task, its criteria and its
// log.
func (w wording) rateTaskless(give func(of int, ok bool, text, hint string)) {
	d := w.Project
	now, next, left := "`baton state begin PHASE` begins one", "`baton session end --stopped-at TEXT` records one",
		"`baton session end --stopped-at TEXT`"
	switch {
	case d.Kind == KindSpecflow:
		now, next, left = "`baton state active add ID` adds one", "`baton state active set ID --next TEXT` records one",
			"`baton state active set ID --next TEXT`"
	case d.Path == "":
		now, next, left = "`baton dir begin TYPE TASK` begins a workflow", "`baton dir update KEY=VALUE` records one",
			"`baton dir update KEY=VALUE`"
	}
	give(15, d.Phase != "" || d.Folder != "", "it knows the current work", now)
	give(15, d.Next != "", "it knows the next step", next)
	give(10, true, "the project has no tasks, so no criteria are missing", "")
	give(10, d.Next != "" || d.Folder != "", "it knows where the last session stopped",
		"record it before a session ends: "+left)
}

// rateCriteria gives five points for criteria and five for commands that verify them.
func (w wording) rateCriteria(s *Score) {
	r := Reason{Of: 10, Text: "the task has criteria, and commands that verify them"}
	withCommand := 0
	if w.Task != nil {
		for _, c := range w.Task.Criteria {
			if c.Verify != "" {
				withCommand++
			}
		}
	}
	switch {
	case w.Task == nil || len(w.Task.Criteria) == 0:
		r.Hint = "`baton task new TITLE --accept TEXT` gives a task criteria"
	case withCommand < len(w.Task.Criteria):
		r.Points = 5 + 5*withCommand/len(w.Task.Criteria)
		r.Hint = fmt.Sprintf("%d of %d have a command; `baton task prove ID N -- CMD` records one, and needs a "+
			"person's consent", withCommand, len(w.Task.Criteria))
	default:
		r.Points = 10
	}
	s.Points += r.Points
	s.Reasons = append(s.Reasons, r)
}

func (w wording) hintOfTask() string {
	if w.Task == nil {
		return "`baton task ready` lists tasks, `baton session start ID` takes one"
	}
	return "`baton session start " + w.id() + "` takes the proposed task"
}

// has reports whether the text has a part.
func has(p Packed, name string) bool {
	for _, part := range p.Parts {
		if part.Name == name || strings.HasPrefix(part.Name, name+" ") {
			return part.Form != "left_out"
		}
	}
	return false
}

func staleInput(t *Task) bool {
	if t != nil {
		for _, in := range t.Inputs {
			if in.Changed {
				return true
			}
		}
	}
	return false
}
