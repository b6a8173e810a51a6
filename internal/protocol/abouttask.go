package protocol

import (
	"fmt"
	"slices"
	"strings"

	"baton/internal/safetext"
)

// id returns the task's id in the form that commands accept.
func (w wording) id() string { return short(w.Task.Command, 64) }

// show returns the command that prints the task.
func (w wording) show() string { return "baton task show " + w.id() }

// task returns the section on the session's task, or on how to get one.
func (w wording) task() section {
	if w.Task == nil {
		s := section{name: "task", command: "baton task list"}
		if text := w.noTask(); text != "" {
			s.units = []unit{one(0, "%s", text)}
		}
		return s
	}
	t := w.Task
	s := section{name: "task", command: w.show()}
	line := strings.TrimRight(fmt.Sprintf("Task %s: %s", short(t.ID, 64), said(short(t.Title, 120))), ": ")
	if t.Status != "" {
		line += " (" + strings.ReplaceAll(short(t.Status, 40), "_", " ") + ")"
	}
	line += "."
	if t.Total > 0 {
		all := safetext.CountOf(t.Total, word(t.Words, false), word(t.Words, true))
		line += fmt.Sprintf(" %d of %s checked.", t.Done, all)
	}
	if t.Path != "" {
		line += " Its file is " + short(t.Path, 120) + "."
	}
	if t.Unread && t.Path != "" {
		line += " Read it first: it has more than is shown here."
	}
	s.units = append(s.units, one(0, "%s", line), one(0, "%s", w.session()))
	if reason := short(t.Blocked, 240); reason != "" {
		s.units = append(s.units, one(0, "It is blocked: %s", stopped(said(reason))))
	}
	return s
}

// noTask returns the text for the case that no task is active, or "" in a project without tasks.
func (w wording) noTask() string {
	switch {
	case w.taskless():
		return ""
	case w.Files > 0:
		return fmt.Sprintf("No task is active; the project has %s: `baton task ready` lists those that can start, "+
			"`baton session start ID` takes one.", safetext.CountOf(w.Files, "task file", "task files"))
	case w.Open == 0 && w.Lost != "": // a task that is open may be among what is gone
		return "No task is open; the entries that are gone may belong to one."
	case w.Open == 0:
		return "No task is open. `baton task new TITLE --accept TEXT` creates one with an acceptance criterion."
	case w.Ready > 0:
		return fmt.Sprintf("No task is active; %s ready: `baton task ready` lists them, `baton session start "+
			"ID` takes one.", are(w.Ready, "task"))
	case w.Ready == 0 && len(w.Held) > 0:
		return w.allHeld()
	case w.Ready == 0 && w.Open > 0:
		return fmt.Sprintf("No task is active; %s open and none can start yet: `baton task list` shows what "+
			"they wait for.", are(w.Open, "task"))
	}
	return "No task is active. `baton task ready` lists those that can start, `baton session start ID` takes one."
}

// allHeld returns the text that says who is working on the ready tasks.
func (w wording) allHeld() string {
	kept, beyond := limited(w.Held, 3)
	held := short(strings.Join(kept, ", "), 300)
	if beyond > 0 {
		held += " and " + safetext.CountOf(beyond, "more", "more")
	}
	text := "No task is free. Held by other sessions: " + held + "."
	if waiting := w.Open - len(w.Held); waiting > 0 {
		text += " " + are(waiting, "other") + " open but cannot start yet; `baton task list` shows what each waits for."
	}
	return text
}

// taskless reports whether the project has a digest or a working folder but no tasks.
func (w wording) taskless() bool {
	return w.Task == nil && w.Open < 0 && w.Files == 0 && (w.NoTasks || w.Project.Path != "" || w.Project.Folder != "")
}

func are(n int, word string) string {
	return safetext.CountOf(n, word+" is", word+"s are")
}

// session returns the text that says who holds the task, and the number of this session.
func (w wording) session() string {
	t := w.Task
	switch {
	case finished(t.Status):
		return "It is finished; `baton task ready` lists tasks that can start."
	case t.Holder != "":
		until := ""
		if t.Until != "" {
			until = " until " + short(t.Until, 40)
		}
		return fmt.Sprintf("%s holds it%s and is working on it in another session. `baton task ready` lists "+
			"free tasks.", short(t.Holder, 64), until)
	case w.Proposed:
		return fmt.Sprintf("It is the next ready task, and nobody holds it: `baton session start %s` takes it.",
			w.id())
	}
	held := ""
	if t.Claimed {
		held = "This session holds it. "
	}
	if w.First {
		return held + "This is the task's first session: nothing is logged yet."
	}
	drafted := ""
	if t.Drafted {
		drafted = " The last session left no hand-off; baton drafted its entry from commits and files."
	}
	if t.Session <= 0 {
		return held + "Earlier sessions were logged." + drafted
	}
	return fmt.Sprintf("%sThis is session %d of the task.%s", held, t.Session, drafted)
}

// finished reports whether a task with this status needs no more work.
func finished(status string) bool {
	return status == "complete" || status == "cancelled" || status == "decomposed"
}

func (w wording) next() section {
	s := section{name: "next steps", title: "Next steps from the last session:", what: "next step", many: "next steps"}
	if w.Task == nil {
		return s
	}
	if from := w.Task.NextFrom; from > 0 {
		s.title = fmt.Sprintf("Next steps from session %d; later ones left none:", from)
	}
	kept, beyond := limited(w.Task.Next, 8)
	s.command, s.beyond = w.show(), beyond+w.Task.MoreNext
	if s.units = w.urgent(kept, 300); len(s.units) > 0 || !w.First || w.Proposed {
		return s
	}
	s.title = ""
	open := slices.ContainsFunc(w.Task.Criteria, func(c Criterion) bool { return !c.Checked })
	switch {
	case open:
		s.units = []unit{one(0, "Next: the first open %s.", word(w.words(), false))}
	case w.Task.Total == 0 && !w.Task.Lacks && !finished(w.Task.Status):
		s.units = []unit{one(0, "Next: what its file asks for; it has no %s.", word(w.words(), true))}
	}
	return s
}

func (w wording) did() section {
	if w.Task == nil {
		return section{}
	}
	kept, beyond := limited(w.Task.LastDid, 8)
	most, first := 200, 4
	if w.Task.Unread {
		most, first = 600, 2 // prose has few items, and what comes next is among them
	}
	return section{
		name: "last session", title: "The last session did:", what: "completed item", many: "completed items",
		command: w.show(),
		units:   list(kept, most, 8, first, 4), beyond: beyond + w.Task.MoreDid,
	}
}

// notes returns the section on what the last session wrote below labels of its own.
func (w wording) notes() section {
	if w.Task == nil {
		return section{}
	}
	kept, beyond := limited(w.Task.Notes, 8)
	return section{
		name: "notes", title: "Notes of the last session:", what: "note", many: "notes", command: w.show(),
		units: list(kept, 300, 8, 3, 4), beyond: beyond + w.Task.MoreNotes,
	}
}

// found returns the section on the work that was found during the task, and on the task during
// which the task itself was found.
func (w wording) found() section {
	s := section{
		name: "found tasks", title: "Found during this task, and open:", what: "found task", many: "found tasks",
		command: "baton task list",
	}
	if w.Task == nil {
		return s
	}
	kept, beyond := limited(w.Task.Found, 4)
	s.units, s.beyond = list(kept, 120, 2, 5, 6), beyond
	if from := short(w.Task.From, 64); from != "" && len(s.units) == 0 {
		s.title, s.command = "", w.show()
		s.units = []unit{{rank: 5, lines: []string{"", "It was found during task " + from + "."}}}
	}
	return s
}

func (w wording) failed() section {
	all := slices.Clone(w.Task.Failed)
	slices.Reverse(all)
	kept, beyond := limited(all, 12)
	return section{
		name: "failed attempts", title: "Issues and failed attempts so far, newest first:",
		what: "failed attempt", many: "failed attempts",
		command: w.show(), units: list(kept, 300, 2, 3, w.rank(6, 3)), beyond: beyond + w.Task.MoreFailed,
	}
}

// open returns the section on unchecked criteria, with the commands that verify them.
func (w wording) open() section {
	if w.Task == nil {
		return section{}
	}
	word, many := word(w.words(), false), word(w.words(), true)
	s := section{
		name: "open " + many, title: "Open " + many + ":",
		what: "open " + word, many: "open " + many, command: w.show(),
	}
	for _, c := range w.Task.Criteria {
		if c.Checked {
			continue
		}
		u := w.criterion(c)
		switch n := len(s.units); {
		case n == 0:
			u.rank = 0
		case n < 4 || w.pack:
			u.rank = 2
		case n < 8:
			u.rank = 3 // after git, which one long list must not push out
		default:
			u.rank = 7
		}
		s.units = append(s.units, u)
	}
	if w.allChecked() {
		s.title = ""
		s.units = []unit{
			{
				lines: []string{
					"", fmt.Sprintf("Every %s is checked: `baton task complete %s` ends the task. If a task waits for "+
						"it, first `baton task output %[2]s --summary TEXT`.", word, w.id()),
				},
			},
		}
	}
	s.units, s.beyond = limited(s.units, 200)
	return s
}

// allChecked reports whether the task can be completed now.
func (w wording) allChecked() bool {
	t := w.Task
	return t != nil && len(t.Criteria) > 0 && !finished(t.Status) && !t.Lacks &&
		!slices.ContainsFunc(t.Criteria, func(c Criterion) bool { return !c.Checked })
}

// done returns the section on checked criteria.
func (w wording) done() section {
	if w.Task == nil {
		return section{}
	}
	word, many := word(w.words(), false), word(w.words(), true)
	s := section{
		name: "checked " + many, title: "Already checked:", what: "checked " + word, many: "checked " + many,
		command: w.show(),
	}
	for _, c := range w.Task.Criteria {
		if c.Checked {
			u := w.criterion(c)
			u.rank = 5
			s.units = append(s.units, u)
		}
	}
	s.units, s.beyond = limited(s.units, 200)
	return s
}

// criterion returns one criterion, with the command that verifies it. If it is checked, the text
// says whether that command ran (F-44). At the start of a session it is shorter, so that there is
// room for the facts about git.
func (w wording) criterion(c Criterion) unit {
	most := 200
	if w.pack {
		most = 300
	}
	text, cut := brief(c.Text, most)
	line := fmt.Sprintf("- %d. %s", c.N, said(text))
	switch {
	case !c.Checked && c.Verify != "":
		line += " (verify with " + code(c.Verify) + ")"
	case c.Checked && c.Proof != "":
		line += " (verified with " + code(c.Proof) + ")"
	case c.Checked && c.Verify != "":
		line += " (claimed, not verified; proposed: " + code(c.Verify) + ")"
	}
	return unit{lines: []string{line}, cut: cut, verbatim: true}
}

// code returns a command of the project in marks that it cannot end.
func code(command string) string {
	return "`" + strings.ReplaceAll(short(command, 160), "`", "'") + "`"
}

func (w wording) requirements() section {
	later := w.rank(4, 2)
	return section{
		name: "requirements", title: "What the task asks for:", command: w.show(),
		units: quoted(w.Task.Requirements, func(i int) int {
			if i < 2 && w.First {
				return 3
			}
			return later
		}),
	}
}

// links returns the section with commands for rarely needed parts, which are not in a pack. It
// names only commands with something to show.
func (w wording) links() section {
	s := section{name: "more", title: "More, if you need it:", command: "baton status"}
	if w.Task != nil && !w.First {
		s.units = append(s.units, one(4, "- `%s --all`: every session, including archived ones", w.show()))
		if w.Task.Size > 0 {
			s.units[0] = one(4, "- `%s --all`: every session, including archived ones (the file has %d KB)", w.show(),
				(w.Task.Size+1023)/1024)
		}
	}
	if w.Project.Path != "" && !w.Project.Undecided {
		s.units = append(s.units, one(4, "- `baton decision list --all`: all decisions"))
	}
	if w.taskless() {
		s.units = append(s.units, one(4, "- `baton status`: the state of the project"))
	} else {
		s.units = append(s.units, one(4, "- `baton task list`: all tasks; `baton status`: the state of the project"))
	}
	return s
}
