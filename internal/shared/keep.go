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

// Keep brings the book up to date after a change: marks of this change, commits of marks, and what
// is not needed any more. made returns the marks of the change. The outboxes were taken before, so
// that the change could decide by them.
func (c Checkout) Keep(book *Book, made func(*Book) []Mark, known Answers, as string, now time.Time) {
	defer book.KeepEnded(now)
	if c.Git.Dir == "" {
		return
	}
	c.Git.Place = c.Git.Still()
	trees := c.Git.Worktrees(mostWorktrees)
	for _, m := range made(book) {
		book.Marks = slices.DeleteFunc(book.Marks, func(old Mark) bool { return c.outdated(old, m, trees) })
		book.Marks = Put(book.Marks, m)
	}
	c.correctMarks(as, now, book, trees, known)
	c.dropMarks(book, trees, known, now)
}

// outdated reports whether a mark belongs to a branch that is gone, while a new one closes the task
// in the same worktree.
func (c Checkout) outdated(old, m Mark, trees []gitrepo.Worktree) bool {
	return m.Closes() && old.Task == m.Task && old.Worktree == m.Worktree && old.Branch != m.Branch &&
		!c.exists(old, trees)
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
	spread  string                       // a commit that all branches contain; "" if none is known
}

// Ask asks git what a writer can do about the marks in the book. It does not ask if there are
// none.
func (c Checkout) Ask(ctx context.Context, book *Book) Answers {
	out := Answers{map[Mark]string{}, map[string]map[string]Answer{}, ""}
	if c.Git.Dir == "" || len(book.Marks) == 0 {
		return out
	}
	c.Git.Place = c.Git.Still()
	ctx, cancel := c.patience(ctx)
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
	out.spread = c.spread(ctx, list, trees, out.tips)
	return out
}

// tipKey names a mark among the kept answers.
func tipKey(m Mark) string { return string(m.Task) + " " + m.Worktree + " " + m.Branch + " " + m.At }

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
		s := task.Parse(m.Task, data)
		if !s.Meta.Present {
			return c.sidecarMark(ctx, m, tip, commit, s), true
		}
		if m.Says(s.Status(), HashOf(s)) {
			return commit, true
		}
		return "", true
	}
	return "", known
}

// spread returns the commit of a mark that all branches contain, or "". It asks git about one mark
// at most: one that all worktrees contain, unless a branch is known that still lacks it.
func (c Checkout) spread(
	ctx context.Context, list []Mark, trees []gitrepo.Worktree, tips map[string]map[string]Answer,
) string {
	kept := c.keptAnswers()
	open := slices.IndexFunc(list, func(m Mark) bool {
		if m.Commit == "" || slices.ContainsFunc(trees, func(w gitrepo.Worktree) bool {
			return w.Top != "" && tips[w.Head()][m.Commit] != Yes
		}) {
			return false
		}
		known, has := kept.Lacks[m.Commit]
		tip := c.Git.Place.Head()
		if known.Branch != "" {
			tip, _ = c.Git.BranchTip(known.Branch) // if it is gone, git is asked again
		}
		return (!has || tip != known.Tip) && c.exists(m, trees) && c.Git.OtherBranches(m.Branch)
	})
	if open < 0 {
		return ""
	}
	commit := list[open].Commit
	branch, tip, err := c.Git.Lacking(ctx, commit)
	if err == nil && branch == "" {
		return commit
	}
	if err != nil {
		branch, tip = "", c.Git.Place.Head()
	}
	kept.Lacks[commit] = lack{branch, tip}
	c.keepAnswers(kept, c.Git.Place.Head())
	return ""
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
	for n := range list {
		m := &list[(int(now.Unix()%int64(len(list)))+n)%len(list)]
		if n >= mostLeaving && (m.Commit == "" || m.Commit != known.spread) {
			continue
		}
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
	exists := c.exists(*m, trees)
	if exists {
		m.Orphaned = ""
	} else if w, has := c.heir(*m, trees, func(head string) Answer { return known.tips[head][m.Commit] }); has {
		if m.Orphaned = ""; w.Name == m.Worktree {
			m.Branch, exists = w.Working(), m.Commit == "" || known.tips[w.Head()][m.Commit] == Yes
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
		sites = append(sites, s)
		if !s.Own && !s.Same && s.Contains != Yes && now.Sub(ParseStamp(m.At)) < Old {
			break // it is needed there
		}
	}
	orphaned := time.Duration(0)
	if m.Orphaned != "" {
		orphaned = now.Sub(ParseStamp(m.Orphaned))
	}
	lacking := func() bool {
		return exists && (m.Commit == "" || m.Commit != known.spread &&
			(c.Git.OtherBranches(m.Branch) || known.tips[c.tipOf(*m, trees)][m.Commit] != Yes))
	}
	return Leaves(*m, sites, lacking, now.Sub(ParseStamp(m.At)), orphaned)
}

// runtimePath returns the path of a file in the runtime folder of a worktree's checkout.
func (c Checkout) runtimePath(w gitrepo.Worktree, name string) string {
	return filepath.Join(w.Top, c.Below, filepath.FromSlash(c.Runtime), name)
}

// TakeOutboxes adds to the book what worktrees could not write into it. Each line counts only if
// the worktree's document still says the same, or the worktree left the branch. It is taken once. A
// new book first gets what the documents say.
func (c Checkout) TakeOutboxes(book *Book) {
	if c.Git.Dir == "" {
		return
	}
	trees := c.Git.Worktrees(mostWorktrees)
	if book.New {
		c.rebuild(book, trees)
	}
	for _, w := range trees {
		if w.Top == "" {
			continue
		}
		data, ok := ReadPlain(c.runtimePath(w, OutboxName), MostOutbox)
		if !ok {
			continue
		}
		rest, now := Lines(data, book.taken(w.Name))
		for _, line := range rest {
			c.takeLine(book, w, trees, line)
		}
		book.take(w.Name, now)
	}
	for name := range book.Outboxes {
		if !slices.ContainsFunc(trees, func(w gitrepo.Worktree) bool { return w.Name == name }) {
			delete(book.Outboxes, name)
			delete(book.OutboxSums, name)
		}
	}
}

func (c Checkout) takeLine(book *Book, w gitrepo.Worktree, trees []gitrepo.Worktree, line *Line) {
	switch {
	case line == nil:
	case line.Mark != nil && line.Mark.Worktree == w.Name:
		m := *line.Mark
		if id, err := task.ParseID(string(m.Task)); err != nil || id != m.Task {
			return
		}
		// A temporary document, or that of another branch, does not decide about the line.
		left := w.Busy() || w.Working() != m.Branch && c.exists(m, trees)
		if !left && !m.Says(c.documentIn(w, m.Task)) {
			return
		}
		if old, has := Find(book.Marks, m.Task, m.Worktree, m.Branch); !has || old.At <= m.At && !old.Same(m) {
			book.Marks = Put(book.Marks, m)
		}
	case line.Ended != "":
		held, has := book.Claims[line.Ended]
		if has && held.By == line.By && (held.Fence == line.Fence || line.Fence == 0 && c.endedIn(w, line.Ended)) {
			book.Release(line.Ended)
		}
	}
}

// endedIn reports whether a task's document in a worktree has a status that ends its claim.
func (c Checkout) endedIn(w gitrepo.Worktree, id task.ID) bool {
	status, _ := c.documentIn(w, id)
	return status == task.StatusBlocked || Mark{Status: status}.Closes()
}

// Due returns the mark that a task needs if the book says something else of it in this worktree, on
// this branch. A task whose status did not change gets one only if it is closed, because somebody
// may have closed it by hand, or was killed before the mark was written. base has the worktree, the
// branch and the author.
func (b *Book) Due(base Mark, s *task.State, changed bool) []Mark {
	m := base
	m.Task, m.Status, m.OutputHash = s.ID, s.Status(), HashOf(s)
	old, has := Find(b.Marks, m.Task, m.Worktree, m.Branch)
	if has && old.Same(m) || !has && !changed && !m.Closes() {
		return nil
	}
	merged := slices.ContainsFunc(b.Marks, func(o Mark) bool {
		return o.Task == m.Task && o.Says(m.Status, m.OutputHash) && !m.replaces(o)
	})
	if !has && !changed && merged {
		return nil // it came from there
	}
	return []Mark{m}
}
