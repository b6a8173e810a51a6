package protocol

import (
	"fmt"
	"strings"
)

// mostOrientation is what the start of a session should not exceed, in UTF-16 units
// (agents.md 2.3).
const mostOrientation = 3000

// Rate scores how well a fresh session is oriented by the text: a hundred points in nine parts,
// each with what it is given for and, where points are missing, what would bring them. What a
// project does not have, such as failed attempts, costs nothing.
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
			"it knows the next step", "`baton task log ID --next TEXT` leaves one")
		w.rateCriteria(&s)
		give(10, f.Task != nil && (f.First || !f.Task.Drafted && len(f.Task.LastDid) > 0),
			"it has the hand-over of the last session",
			"log an entry before a session ends: `baton task log ID --did TEXT --next TEXT`")
	}
	give(10, f.Task == nil || len(f.Task.Failed) == 0 || has(p, "failed attempts"), "failed attempts are not repeated",
		"`baton context` shows them")
	give(10, f.Git.Known && !f.Git.Late && has(p, "git"), "it knows branch, commits and uncommitted files",
		"keep the project in a git repository that answers in time")
	give(10, units(p.Text) <= mostOrientation, fmt.Sprintf("the text is short: %d characters", units(p.Text)),
		"shorten next steps, criteria and blockers: they are never left out")
	give(10, len(f.Warnings) == 0 && !staleInput(f.Task), "nothing is stale",
		"see to the warnings; `baton session start ID` takes in inputs that changed")
	return s
}

// rateTaskless rates what a project without tasks has in the place of a task, its criteria and its
// log.
func (w wording) rateTaskless(give func(of int, ok bool, text, hint string)) {
	d := w.Project
	now, next, left := "`baton state begin PHASE` begins one", "`baton session end --stopped-at TEXT` leaves one",
		"`baton session end --stopped-at TEXT`"
	switch {
	case d.Kind == KindSpecflow:
		now, next, left = "`baton state active add ID` adds one", "`baton state active set ID --next TEXT` leaves one",
			"`baton state active set ID --next TEXT`"
	case d.Path == "":
		now, next, left = "`baton dir begin TYPE TASK` begins a workflow", "`baton dir update KEY=VALUE` leaves one",
			"`baton dir update KEY=VALUE`"
	}
	give(15, d.Phase != "" || d.Folder != "", "it knows what is worked on", now)
	give(15, d.Next != "", "it knows the next step", next)
	give(10, true, "the project keeps no tasks, so no criteria are missing", "")
	give(10, d.Next != "" || d.Folder != "", "it knows where the last session stopped",
		"say so before a session ends: "+left)
}

// rateCriteria adds five points for criteria and five for commands that verify them.
func (w wording) rateCriteria(s *Score) {
	r := Reason{Of: 10, Text: "criteria say what must hold, and commands show it"}
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
		r.Hint = fmt.Sprintf("%d of %d have a command; `baton task check ID N --run CMD` remembers one", withCommand,
			len(w.Task.Criteria))
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
	return "`baton session start " + w.id() + "` takes the task that is proposed"
}

// has reports whether a part is in the text.
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
