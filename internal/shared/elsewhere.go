package shared

import (
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
}

// apart is a mark that counts here.
type apart struct {
	Mark
	folder string
}

// Has reports whether a task is complete or cancelled on a branch that is not merged here.
func (e Elsewhere) Has(id task.ID) bool { _, has := e.closed[id]; return has }

// Of returns where a task is complete or cancelled, or nil.
func (e Elsewhere) Of(id task.ID) *CompleteOn {
	a, has := e.closed[id]
	if !has {
		return nil
	}
	words := strings.ReplaceAll(string(a.Status), "_", " ")
	if a.Branch == "" {
		words += ","
	}
	on := &CompleteOn{
		Branch: a.Branch, Worktree: a.folder, Commit: a.Commit,
		Words: safetext.Clean(words + " " + a.Where(a.folder) + ", not merged here"),
	}
	if line := a.Line(); line != "" {
		on.Command = "git merge " + shellWord(line)
	}
	if on.Worktree == "" {
		on.Worktree = a.Worktree
	}
	if a.Status != task.StatusComplete {
		on.Status = string(a.Status)
	}
	return on
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
	name, branch := c.Git.Name(), c.Git.Working()
	var open []Mark
	for _, m := range book.Marks {
		// A document with the same status needs no look at its output: the task is not offered in
		// either case.
		if m.Closes() && (m.Worktree != name || m.Branch != branch) && status(m.Task) != m.Status {
			open = append(open, m)
		}
	}
	if len(open) == 0 {
		return out
	}
	if c.Here {
		out.Findings = append(out.Findings, report.CodeMarksIgnored.Finding("", 0,
			"with --here, baton ignores what other worktrees completed: "+safetext.Count(len(open), "task")))
		return out
	}
	trees := c.Git.Worktrees(mostWorktrees)
	answers, err := c.contained(ctx, c.Git.Place.Head(), open, ask)
	if err != nil {
		out.Findings = append(out.Findings, gitSilent(err))
	}
	out.closed = map[task.ID]apart{}
	for _, m := range open {
		v := Judge(m, Facts{Contains: answers[m.Commit], Exists: c.exists(m, trees)})
		switch v {
		case NotMerged:
			if old, has := out.closed[m.Task]; !has || m.At > old.At {
				out.closed[m.Task] = apart{m, c.folderOf(m, trees)}
			}
		case Orphaned:
			out.Findings = append(out.Findings, report.CodeMarkOrphaned.Finding("", 0, "task "+m.Task.Ref()+" was "+
				string(m.Status)+" "+safetext.Clean(m.Where(""))+", which is gone and was not merged here; "+
				"its file here decides"))
		}
	}
	return out
}

// gitSilent says that git was asked about marks in vain.
func gitSilent(err error) report.Finding {
	text := "git does not say which branches are merged here, so what other worktrees completed counts as not merged"
	if why := gitrepo.Why(err); why != "" {
		text += ": " + safetext.Line(why)
	}
	return report.CodeGitSilent.Finding("", 0, text)
}
