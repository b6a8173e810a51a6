package shared

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"baton/internal/gitrepo"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Asking says how far a command may ask git about marks (D42).
type Asking int

// The ways to ask.
const (
	AskNever Asking = iota // use the answer that was kept
	AskNow                 // ask git if there is no answer for this HEAD
	AskKeep                // the same, and keep the answer
)

// CompleteOn says where a task is complete that is not complete here.
type CompleteOn struct {
	Branch   string `json:"branch"`           // "" on a detached HEAD
	Worktree string `json:"worktree"`         // its folder, as seen from here, or git's name; "" for this one
	Commit   string `json:"commit"`           // "" if the change is not committed, as far as baton knows
	Status   string `json:"status,omitempty"` // cancelled, if it is not complete there
	Words    string `json:"-"`                // "complete on feat (../wt2), not merged here"
	Command  string `json:"-"`                // merges it; "" if nothing is committed there
}

// StatusOn says which status a task has on another branch, if somebody works on it there or is
// prevented from it.
type StatusOn struct {
	Status   string `json:"status"`   // in_progress, in_review or blocked
	Branch   string `json:"branch"`   // as in CompleteOn
	Worktree string `json:"worktree"` // as in CompleteOn
	Commit   string `json:"commit"`   // as in CompleteOn
	Words    string `json:"-"`        // "in progress on feat (../wt2)"
}

// ReadyOnce says what has to be merged before a task can be started.
type ReadyOnce struct {
	Branch  string `json:"branch"`
	Command string `json:"command"` // "" if nothing is committed there
}

// Words returns the sentence part for a page.
func (r *ReadyOnce) Words() string { return "ready once " + safetext.Clean(r.Branch) + " is merged" }

// Elsewhere is what other worktrees did with tasks, as far as it counts in this checkout (D42). The
// zero value knows of nothing.
type Elsewhere struct {
	Findings []report.Finding
	closed   map[task.ID]apart
	open     map[task.ID]apart
}

// apart is a mark that counts here.
type apart struct {
	Mark
	folder string
	unsure bool // git was not asked about this commit of HEAD, and the kept answers are about others
}

// doubt returns the "?" of what is only known for another commit of HEAD (D42).
func (a apart) doubt() string {
	if a.unsure {
		return "?"
	}
	return ""
}

// Has reports whether a task is complete or cancelled on a branch that is not merged here.
func (e Elsewhere) Has(id task.ID) bool { _, has := e.closed[id]; return has }

// Of returns where a task is complete or cancelled, or nil.
func (e Elsewhere) Of(id task.ID) *CompleteOn {
	a, has := e.closed[id]
	if !has {
		return nil
	}
	on := &CompleteOn{
		Branch: a.Branch, Worktree: cmp.Or(a.folder, a.Worktree), Commit: a.Commit,
		Words: a.Words(a.folder) + ", not merged here" + a.doubt(),
	}
	if line := a.Line(); line != "" {
		on.Command = "git merge " + shellWord(line)
	}
	if a.Status != task.StatusComplete {
		on.Status = string(a.Status)
	}
	return on
}

// OpenOn returns where somebody works on a task or is prevented from it, or nil. It is nil if the
// task is complete or cancelled, here or there.
func (e Elsewhere) OpenOn(id task.ID) *StatusOn {
	a, has := e.open[id]
	if !has || e.Has(id) {
		return nil
	}
	return &StatusOn{
		Status: string(a.Status), Branch: a.Branch, Worktree: cmp.Or(a.folder, a.Worktree), Commit: a.Commit,
		Words: a.Words(a.folder) + a.doubt(),
	}
}

// Once returns what has to be merged so that these dependencies are complete here; nil if that is
// not enough.
func (e Elsewhere) Once(waiting []task.ID) *ReadyOnce {
	var lines []string
	committed := true
	for _, id := range waiting {
		a, has := e.closed[id]
		if !has || a.Status != task.StatusComplete {
			return nil
		}
		name := a.Line()
		if name == "" {
			name, committed = strings.TrimSpace(a.Where(a.folder)), false
		}
		if !slices.Contains(lines, name) {
			lines = append(lines, name)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	out := &ReadyOnce{Branch: strings.Join(lines, " and ")}
	for i, name := range lines {
		lines[i] = "git merge " + shellWord(name)
	}
	if committed {
		out.Command = strings.Join(lines, " && ")
	}
	return out
}

// shellWord returns a name for a shell: in quotes if it has other characters than those of plain
// names.
func shellWord(name string) string {
	plain := strings.IndexFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_./", r)
	}) < 0
	if plain {
		return name
	}
	return "'" + strings.ReplaceAll(safetext.Clean(name), "'", `'\''`) + "'"
}

// Elsewhere returns what other worktrees did with tasks and what is not merged here. status returns
// the status that a task's document here has; "" if there is none.
func (c Checkout) Elsewhere(
	ctx context.Context, book *Book, status func(task.ID) task.Status, ask Asking,
) Elsewhere {
	out := Elsewhere{}
	if c.Git.Dir == "" || len(book.Marks) == 0 {
		return out
	}
	closed, open := c.abroad(book, status)
	if len(closed) > 0 && c.Here {
		out.Findings = append(out.Findings, report.CodeMarksIgnored.Finding("", 0,
			"with --here, baton ignores what other worktrees completed: "+safetext.Count(len(closed), "task")))
	}
	if len(closed)+len(open) == 0 || c.Here {
		return out
	}
	trees := c.Git.Worktrees(mostWorktrees)
	answers, err := c.contained(ctx, c.Git.Place.Head(), slices.Concat(closed, open), ask)
	if err != nil && len(closed) > 0 {
		out.Findings = append(out.Findings, gitSilent(err))
	}
	out.closed, out.open = map[task.ID]apart{}, map[task.ID]apart{}
	for _, m := range closed {
		switch Judge(m, Facts{Contains: answers[m.Commit], Exists: c.exists(m, trees)}) {
		case NotMerged:
			c.keepNewer(out.closed, m, trees, ask == AskNever && m.Commit != "" && answers[m.Commit] == Unknown)
		case Orphaned:
			out.Findings = append(out.Findings, report.CodeMarkOrphaned.Finding("", 0, "task "+m.Task.Ref()+" was "+
				string(m.Status)+" "+safetext.Clean(m.Where(""))+", which is gone and was not merged here; "+
				"its file here decides"))
		}
	}
	for _, m := range open {
		if answers[m.Commit] != Yes && c.exists(m, trees) {
			c.keepNewer(out.open, m, trees, ask == AskNever && m.Commit != "" && answers[m.Commit] == Unknown)
		}
	}
	return out
}

// abroad returns the marks of other worktrees and branches that say something else than the
// documents here: those that close a task, and those of work that is open. A task that is finished
// here is not shown as open.
func (c Checkout) abroad(book *Book, status func(task.ID) task.Status) (closed, open []Mark) {
	name, branch := c.Git.Name(), c.Git.Working()
	for _, m := range book.Marks {
		if m.Worktree == name && m.Branch == branch {
			continue
		}
		// A document with the same status needs no look at its output: the task is not offered in
		// either case.
		switch here := status(m.Task); {
		case here == m.Status:
		case m.Closes():
			closed = append(closed, m)
		case m.Open() && here != "" && !(Mark{Status: here}).Closes():
			open = append(open, m)
		}
	}
	return closed, open
}

// keepNewer keeps a mark unless there is a newer one about the same task.
func (c Checkout) keepNewer(kept map[task.ID]apart, m Mark, trees []gitrepo.Worktree, unsure bool) {
	if old, has := kept[m.Task]; !has || m.At > old.At {
		kept[m.Task] = apart{m, c.folderOf(m, trees), unsure}
	}
}

// gitSilent says that git was asked about marks in vain.
func gitSilent(err error) report.Finding {
	text := "git does not say which branches are merged here, so what other worktrees completed counts as not merged"
	if why := gitrepo.Why(err); why != "" {
		text += ": " + safetext.Line(why)
	}
	return report.CodeGitSilent.Finding("", 0, text)
}
