package shared

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"baton/internal/gitrepo"
	"baton/internal/sorting"
	"baton/internal/task"
)

// Limits of one look at the book by a writer.
const (
	mostFilled  = 4 // marks whose commit is looked for
	mostLeaving = 8 // marks that may leave
)

// Keep brings the book up to date after a change: marks of this change, outboxes of all worktrees,
// commits of marks, and what is not needed any more. made returns the marks of the change.
func (c Checkout) Keep(book *Book, made func(*Book) []Mark, known Answers, as string, now time.Time) {
	defer book.KeepEnded(now)
	if c.Git.Dir == "" {
		return
	}
	c.TakeOutboxes(book)
	for _, m := range made(book) {
		book.Marks = Put(book.Marks, m)
	}
	trees := c.Git.Worktrees(mostWorktrees)
	c.correctMarks(as, now, book, trees, known)
	c.dropMarks(book, trees, known, now)
}

// correctMarks compares marks of this worktree with its documents. They differ if somebody changed
// a status by hand, or was killed between the document and the mark. While git is in a merge or
// rebase, for example, the documents are only temporary and say nothing.
func (c Checkout) correctMarks(as string, now time.Time, book *Book, trees []gitrepo.Worktree, known Answers) {
	name, branch := c.Git.Name(), c.Git.Working()
	at := slices.IndexFunc(trees, func(w gitrepo.Worktree) bool { return w.Name == name })
	if at < 0 || c.Git.Busy() {
		return
	}
	own := slices.DeleteFunc(slices.Clone(book.Marks), func(m Mark) bool {
		return m.Worktree != name || m.Branch != branch || m.At == Stamp(now)
	})
	for n := range min(mostLeaving, len(own)) {
		m := own[(int(now.Unix()%int64(len(own)))+n)%len(own)]
		status, outputHash := c.documentIn(trees[at], m.Task)
		if status == "" || m.Status == status && m.OutputHash == outputHash {
			continue
		}
		if known.tips[c.Git.Place.Head()][m.Commit] != Yes {
			m.Undoes = "" // HEAD may have been reset to before the work that it undid
		}
		m.Status, m.OutputHash, m.Commit, m.At, m.By = status, outputHash, "", Stamp(now), as
		book.Marks = Put(book.Marks, m)
	}
}

// Answers is what git said before the lock of the shared folder was taken.
type Answers struct {
	commits map[Mark]string              // of marks without one
	tips    map[string]map[string]Answer // by HEAD of a worktree
}

// Ask asks git what a writer can do about the marks in the book. It does not ask if there are
// none.
func (c Checkout) Ask(ctx context.Context, book *Book) Answers {
	out := Answers{map[Mark]string{}, map[string]map[string]Answer{}}
	if c.Git.Dir == "" || len(book.Marks) == 0 {
		return out
	}
	ctx, cancel := context.WithTimeout(ctx, gitrepo.Limit)
	defer cancel()
	trees := c.Git.Worktrees(mostWorktrees)
	kept, asked := c.keptAnswers(), 0
	list := slices.Clone(book.Marks)
	for i, m := range list {
		tip := c.tipOf(m, trees)
		if m.Commit != "" || tip == "" || kept.Tips[tipKey(m)] == tip || asked == mostFilled {
			continue
		}
		asked++
		if commit, known := c.commitOf(ctx, m, tip); commit != "" {
			out.commits[m], list[i].Commit = commit, commit
		} else if known {
			kept.Tips[tipKey(m)] = tip
		}
	}
	if asked > 0 && ctx.Err() == nil {
		c.keepAnswers(kept, c.Git.Place.Head())
	}
	// One other worktree is asked about each time, so that no command waits for many.
	others := 1
	for _, head := range tipsOf(c.Git, trees) {
		how := AskNever
		if head == c.Git.Place.Head() || others > 0 {
			how = AskKeep
		}
		before := len(c.keptAnswers().Contains[head])
		got, err := c.contained(ctx, head, list, how)
		if err == nil {
			out.tips[head] = got
		}
		if head != c.Git.Place.Head() && how == AskKeep && len(c.keptAnswers().Contains[head]) != before {
			others--
		}
	}
	return out
}

// tipKey names a mark among the kept answers.
func tipKey(m Mark) string { return string(m.Task) + " " + m.Worktree + " " + m.At }

// commitOf asks git for the newest commit of a task's file up to the tip of a mark's branch. commit
// is "" if the file does not say there what the mark says. known is false if git does not answer.
func (c Checkout) commitOf(ctx context.Context, m Mark, tip string) (commit string, known bool) {
	known = true
	for _, name := range c.Files(m.Task) {
		commit, data, err := c.Git.LastOn(ctx, tip, name)
		if err != nil {
			known = false
		}
		if err != nil || commit == "" {
			continue
		}
		if s := task.Parse(m.Task, data); m.Says(s.Status(), HashOf(s)) {
			return commit, true
		}
		return "", true
	}
	return "", known
}

// tipsOf returns the commits of HEAD of this checkout and then of the others.
func tipsOf(own gitrepo.Repo, trees []gitrepo.Worktree) []string {
	tips := []string{own.Place.Head()}
	for _, w := range trees {
		if h := w.Head(); !slices.Contains(tips, h) {
			tips = append(tips, h)
		}
	}
	return slices.DeleteFunc(tips, func(h string) bool { return h == "" })
}

// tipOf returns the newest commit of a mark's branch. For a detached HEAD it is the commit on which
// its worktree is now, because a branch may have been created there since.
func (c Checkout) tipOf(m Mark, trees []gitrepo.Worktree) string {
	if m.Branch != "" {
		tip, _ := c.Git.BranchTip(m.Branch)
		return tip
	}
	for _, w := range trees {
		if w.Name == m.Worktree {
			return w.Head()
		}
	}
	return ""
}

// dropMarks adds the commits that git named, and removes marks that have no effect any more. It
// looks at some of them each time, beginning anywhere, so that no write takes long.
func (c Checkout) dropMarks(book *Book, trees []gitrepo.Worktree, known Answers, now time.Time) {
	list := slices.Clone(book.Marks)
	for i, m := range list {
		if commit := known.commits[m]; commit != "" {
			list[i].Commit = commit
		}
	}
	gone := map[Mark]bool{}
	for n := range min(mostLeaving, len(list)) {
		m := &list[(int(now.Unix()%int64(len(list)))+n)%len(list)]
		if c.leaves(m, trees, known, now) && len(undoers([]Mark{*m}, list)) == 0 {
			gone[*m] = true
		}
	}
	list = slices.DeleteFunc(list, func(m Mark) bool { return gone[m] })
	if over := len(list) - Most; over > 0 {
		oldest := slices.Clone(list)
		sorting.By(oldest, func(a, b Mark) int {
			if a.At < b.At {
				return -1
			}
			return 1
		})
		list = slices.DeleteFunc(list, func(m Mark) bool { return slices.Contains(oldest[:over], m) })
	}
	book.Marks = list
}

// leaves reports whether a mark is not needed any more. It notes since when it belongs to no
// branch.
func (c Checkout) leaves(m *Mark, trees []gitrepo.Worktree, known Answers, now time.Time) bool {
	if c.exists(*m, trees) {
		m.Orphaned = ""
	} else if w, has := c.heir(*m, trees, func(head string) Answer { return known.tips[head][m.Commit] }); has {
		if m.Orphaned = ""; w.Name == m.Worktree {
			m.Branch = w.Working()
		}
	} else if m.Orphaned == "" {
		m.Orphaned = Stamp(now)
	}
	var sites []Site
	there := slices.DeleteFunc(slices.Clone(trees), func(w gitrepo.Worktree) bool { return w.Top == "" })
	for _, w := range there {
		if w.Busy() {
			sites = append(sites, Site{}) // until git has finished, it may need the mark
			break
		}
		s := Site{Main: w.Name == ""}
		s.Own = w.Name == m.Worktree && w.Working() == m.Branch
		if !s.Own {
			s.Same = m.Says(c.documentIn(w, m.Task))
		}
		s.Contains = known.tips[w.Head()][m.Commit]
		s.Only = s.Own && len(there) == 1 && !c.Git.OtherBranches(m.Branch)
		sites = append(sites, s)
		if !s.Own && !s.Same && s.Contains != Yes && now.Sub(ParseStamp(m.At)) < Old {
			break // it is needed there
		}
	}
	orphaned := time.Duration(0)
	if m.Orphaned != "" {
		orphaned = now.Sub(ParseStamp(m.Orphaned))
	}
	return Leaves(*m, sites, now.Sub(ParseStamp(m.At)), orphaned)
}

// outboxPath returns the outbox of a worktree's checkout.
func (c Checkout) outboxPath(w gitrepo.Worktree) string {
	return filepath.Join(w.Top, c.Below, filepath.FromSlash(c.Runtime), OutboxName)
}

// TakeOutboxes adds to the book what worktrees could not write into it. Each line counts only if
// the worktree's document still says the same, and is taken once.
func (c Checkout) TakeOutboxes(book *Book) {
	if c.Git.Dir == "" {
		return
	}
	trees := c.Git.Worktrees(mostWorktrees)
	for _, w := range trees {
		if w.Top == "" {
			continue
		}
		data, ok := ReadPlain(c.outboxPath(w), MostOutbox)
		if !ok {
			continue
		}
		rest, all := Lines(data, book.Outboxes[w.Name])
		for _, line := range rest {
			c.takeLine(book, w, line)
		}
		if all != book.Outboxes[w.Name] {
			if book.Outboxes == nil {
				book.Outboxes = map[string]int{}
			}
			book.Outboxes[w.Name] = all
		}
	}
	for name := range book.Outboxes {
		if !slices.ContainsFunc(trees, func(w gitrepo.Worktree) bool { return w.Name == name }) {
			delete(book.Outboxes, name)
		}
	}
}

func (c Checkout) takeLine(book *Book, w gitrepo.Worktree, line *Line) {
	switch {
	case line == nil:
	case line.Mark != nil && line.Mark.Worktree == w.Name:
		m := *line.Mark
		if id, err := task.ParseID(string(m.Task)); err != nil || id != m.Task {
			return
		}
		if !w.Busy() && !m.Says(c.documentIn(w, m.Task)) {
			return
		}
		if old, has := Find(book.Marks, m.Task, m.Worktree); !has || old.At <= m.At && !old.Same(m) {
			book.Marks = Put(book.Marks, m)
		}
	case line.Ended != "":
		if held, has := book.Claims[line.Ended]; has && held.By == line.By {
			book.Release(line.Ended)
		}
	}
}

// Due returns the mark that a task needs if the book says something else of it in this worktree. A
// task whose status did not change gets one only if it is closed, because somebody may have closed
// it by hand, or was killed before the mark was written. base has the worktree and the author.
func (b *Book) Due(base Mark, s *task.State, changed bool) []Mark {
	m := base
	m.Task, m.Status, m.OutputHash = s.ID, s.Status(), HashOf(s)
	old, has := Find(b.Marks, m.Task, m.Worktree)
	if has && old.Same(m) || !has && !changed && !m.Closes() {
		return nil
	}
	merged := slices.ContainsFunc(b.Marks, func(o Mark) bool {
		return o.Task == m.Task && o.Says(m.Status, m.OutputHash)
	})
	if !has && !changed && merged {
		return nil // it came from there
	}
	return []Mark{m}
}
