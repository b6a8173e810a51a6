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
	Commit   string `json:"commit"`           // "" if the change is not committed there, or baton does not know
	Status   string `json:"status,omitempty"` // cancelled or decomposed, if it is not complete there
	Words    string `json:"-"`                // "complete on feat (../wt2), not merged here"
	Command  string `json:"-"`                // merges it; "" if baton knows no commit of it
}

// StatusOn says which status a task has on another branch, if somebody works on it or on its parts
// there, or is prevented from it.
type StatusOn struct {
	Status   string `json:"status"`   // in_progress, in_review, blocked or decomposed
	Branch   string `json:"branch"`   // as in CompleteOn
	Worktree string `json:"worktree"` // as in CompleteOn
	Commit   string `json:"commit"`   // as in CompleteOn
	Words    string `json:"-"`        // "in progress on feat (../wt2)"
}

// ReadyOnce says what has to be merged before a task can be started.
type ReadyOnce struct {
	Branch  string `json:"branch"`
	Command string `json:"command"` // merges it; "" if some of it is not committed, as far as baton knows
	Dirty   bool   `json:"-"`       // git says that some of it is not committed
}

// Words returns the sentence part for a page.
func (r *ReadyOnce) Words() string {
	done := " is merged"
	if r.Dirty {
		done = " is committed and merged"
	}
	return "ready once " + safetext.Clean(r.Branch) + done
}

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
	busy   bool // it is this checkout's own, and git is in a merge, rebase, pick or bisect here
	unsure bool // git was not asked about this commit of HEAD, and the kept answers are about others
	dirty  bool // git says that the change is not committed there
}

// notHere returns why a change of another worktree does not count here.
func (a apart) notHere() string {
	switch {
	case a.busy:
		return ", and git has not finished its merge, rebase, pick or bisect here"
	case a.dirty:
		return ", not committed there yet"
	}
	return ", not merged here" + a.doubt()
}

// doubt returns the "?" of what is only known for another commit of HEAD (D42).
func (a apart) doubt() string {
	if a.unsure {
		return "?"
	}
	return ""
}

// Has reports whether a task is complete, cancelled or split on a branch that is not merged here.
func (e Elsewhere) Has(id task.ID) bool { _, has := e.closed[id]; return has }

// CompleteOn returns where a task is complete or cancelled, or nil.
func (e Elsewhere) CompleteOn(id task.ID) *CompleteOn {
	if e.closed[id].split() {
		return nil
	}
	return e.Of(id)
}

// Of returns where a task is complete, cancelled or split, or nil.
func (e Elsewhere) Of(id task.ID) *CompleteOn {
	a, has := e.closed[id]
	if !has {
		return nil
	}
	on := &CompleteOn{
		Branch: a.Branch, Worktree: cmp.Or(a.folder, a.Worktree), Commit: a.Commit,
		Words: a.Words(a.folder) + a.notHere(),
	}
	if a.Commit != "" && !a.busy {
		on.Command = "git merge " + shellWord(a.Line())
	}
	if a.Status != task.StatusComplete {
		on.Status = string(a.Status)
	}
	return on
}

// OpenOn returns where somebody works on a task or its parts, or is prevented from it, or nil. It
// is nil if the task is complete or cancelled, here or there.
func (e Elsewhere) OpenOn(id task.ID) *StatusOn {
	if on := e.Of(id); on != nil && e.closed[id].split() {
		return &StatusOn{on.Status, on.Branch, on.Worktree, on.Commit, on.Words}
	}
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
	committed, dirty := true, false
	for _, id := range waiting {
		a, has := e.closed[id]
		if !has || a.Status != task.StatusComplete || a.busy {
			return nil
		}
		name := a.Line()
		if name == "" {
			name = strings.TrimSpace("the " + strings.Replace(a.Where(a.folder), "detached", "detached worktree", 1))
		}
		committed, dirty = committed && a.Commit != "", dirty || a.dirty
		if !slices.Contains(lines, name) {
			lines = append(lines, name)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	out := &ReadyOnce{Branch: strings.Join(lines, " and "), Dirty: dirty}
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
	dirty := c.lookForCommits(ctx, closed, trees, ask)
	undone := undoers(book.Marks, closed)
	answers, err := c.contained(ctx, c.Git.Place.Head(), slices.Concat(closed, open, undone), ask)
	if err != nil && len(closed) > 0 {
		out.Findings = append(out.Findings, gitSilent(err))
	}
	unsure := func(m Mark) bool { return ask == AskNever && m.Commit != "" && answers[m.Commit] == Unknown }
	out.closed, out.open = map[task.ID]apart{}, map[task.ID]apart{}
	for _, m := range closed {
		if c.undoneHere(m, undone, answers, status) {
			continue
		}
		own := c.owns(m) // it is here only while git is busy
		m, exists := c.follow(ctx, m, trees, ask)
		switch Judge(m, Facts{Own: own, Busy: own, Contains: answers[m.Commit], Exists: exists}) {
		case NotMerged:
			a := apart{Mark: m, folder: c.folderOf(m, trees), busy: own, unsure: unsure(m), dirty: dirty[tipKey(m)]}
			keepNewer(out.closed, c.named(ctx, a, trees, ask))
		case Orphaned:
			out.Findings = append(out.Findings, report.CodeMarkOrphaned.Finding("", 0, "task "+m.Task.Ref()+" was "+
				string(m.Status)+" "+safetext.Clean(m.Where(""))+", which is gone and was not merged here; "+
				"its file here decides"))
		}
	}
	for _, m := range open {
		if m, exists := c.follow(ctx, m, trees, ask); exists && answers[m.Commit] != Yes {
			a := apart{Mark: m, folder: c.folderOf(m, trees), unsure: unsure(m)}
			keepNewer(out.open, c.named(ctx, a, trees, ask))
		}
	}
	return out
}

// named returns a mark of a detached HEAD with the branch that its worktree is on now, if the
// change is on that branch: HEAD contains its commit or, as long as it has none, the file still
// says so. Any other mark stays as it is.
func (c Checkout) named(ctx context.Context, a apart, trees []gitrepo.Worktree, ask Asking) apart {
	if a.Branch != "" {
		return a
	}
	for _, w := range trees {
		if w.Name != a.Worktree || w.Top == "" || w.Working() == "" {
			continue
		}
		there := a.Commit == "" && a.Says(c.documentIn(w, a.Task))
		if a.Commit != "" {
			answers, err := c.contained(ctx, w.Head(), []Mark{a.Mark}, ask)
			there = err == nil && answers[a.Commit] == Yes
		}
		if there {
			a.Branch, a.folder = w.Working(), Folder(c.Git.Top, w.Top)
		}
	}
	return a
}

// lookForCommits completes marks that have no commit yet with the one that git names now, because
// no writer has run since it was made. It returns the keys of those whose change is not committed.
func (c Checkout) lookForCommits(
	ctx context.Context, closed []Mark, trees []gitrepo.Worktree, ask Asking,
) (dirty map[string]bool) {
	dirty = map[string]bool{}
	if !slices.ContainsFunc(closed, func(m Mark) bool { return m.Commit == "" }) {
		return dirty
	}
	ctx, cancel := c.patience(ctx)
	defer cancel()
	kept, asked, learned := c.keptAnswers(), 0, false
	for i, m := range closed {
		if m.Commit != "" {
			continue
		}
		tip := c.tipOf(m, trees)
		if tip != "" && kept.Tips[tipKey(m)] == tip {
			dirty[tipKey(m)] = true
			continue
		}
		if tip == "" || ask == AskNever || asked == mostFilled {
			continue
		}
		asked++
		commit, known := c.commitOf(ctx, m, tip)
		if closed[i].Commit = commit; commit == "" && known {
			dirty[tipKey(m)], kept.Tips[tipKey(m)], learned = true, tip, true
		}
	}
	if learned && ask == AskKeep {
		c.keepAnswers(kept, c.Git.Place.Head())
	}
	return dirty
}

// owns reports whether a mark is of this worktree and of the branch that it is on.
func (c Checkout) owns(m Mark) bool { return m.Worktree == c.Git.Name() && m.Branch == c.Git.Working() }

// abroad returns the marks of other worktrees and branches that say something else than the
// documents here: those that close a task, and those of work that is open. A task that is finished
// here is not shown as open. While git is in a rebase, for example, the documents here are only
// temporary, so marks of this checkout count, too.
func (c Checkout) abroad(book *Book, status func(task.ID) task.Status) (closed, open []Mark) {
	busy := c.Git.Busy()
	for _, m := range book.Marks {
		if c.owns(m) && (!busy || !m.Closes()) {
			continue
		}
		// A document with the same status needs no look at its output: the task is not offered in
		// either case.
		switch here := status(m.Task); {
		case here == m.Status, m.split() && (Mark{Status: here}).Closes():
		case m.Closes():
			closed = append(closed, m)
		case m.Open() && here != "" && !(Mark{Status: here}).Closes():
			open = append(open, m)
		}
	}
	return closed, open
}

// keepNewer keeps a mark unless there is a newer one about the same task.
func keepNewer(kept map[task.ID]apart, a apart) {
	if old, has := kept[a.Task]; !has || a.At > old.At {
		kept[a.Task] = a
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
