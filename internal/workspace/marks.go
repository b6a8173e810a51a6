package workspace

import (
	"context"
	"path/filepath"
	"slices"

	"baton/internal/report"
	"baton/internal/shared"
	"baton/internal/store"
	"baton/internal/task"
)

// What other worktrees did, by the names that the packages above use.
type (
	Asking     = shared.Asking
	Elsewhere  = shared.Elsewhere
	CompleteOn = shared.CompleteOn
	StatusOn   = shared.StatusOn
	ReadyOnce  = shared.ReadyOnce
)

// How far a command may ask git about marks (D42).
const (
	AskNever = shared.AskNever
	AskNow   = shared.AskNow
	AskKeep  = shared.AskKeep
)

// marksOf returns the marks that a change has to leave, for the task files that it wrote or loaded.
func (p *Workspace) marksOf(c *Change, book *ClaimBook) []shared.Mark {
	if p.Git.Dir == "" {
		return nil
	}
	base := shared.Mark{Branch: p.Git.Working(), Worktree: p.Git.Name(), By: c.As, At: Stamp(c.Now)}
	var out []shared.Mark
	if p.Git.Busy() { // the documents are temporary, so they end no mark
		for _, w := range c.Tasks {
			if (shared.Mark{Status: w.Next.Status()}).Closes() && w.Next.Status() != w.State.Status() {
				out = append(out, book.Made(base, w.State, w.Next)...)
			}
		}
		return out
	}
	seen := map[task.ID]bool{}
	for _, w := range c.Tasks {
		seen[w.ID] = true
		out = append(out, book.Made(base, w.State, w.Next)...)
	}
	for _, l := range c.loaded {
		if !seen[l.ID] {
			seen[l.ID] = true
			out = append(out, book.Made(base, l.State, l.State)...)
		}
	}
	return out
}

// checkout returns what the rules about marks need to know.
func (p *Workspace) checkout() shared.Checkout {
	below, err := filepath.Rel(p.Git.Top, p.Root)
	if err != nil || !filepath.IsLocal(below) {
		below = "."
	}
	return shared.Checkout{
		Git: p.Git, Below: below, Runtime: RuntimeDir, Here: p.O.Here, Cache: p.Store,
		Shared: p.Shared, Prefix: p.Prefix,
		Files: func(id task.ID) []string {
			var names []string
			for _, d := range p.SearchDirs(id) {
				names = append(names, d.StateFile(id))
			}
			return names
		},
	}
}

// KeepAside keeps the status of a task whose file has no metadata (F-66).
func (p *Workspace) KeepAside(ctx context.Context, t TaskWrite) error {
	return p.checkout().KeepSidecar(ctx, t.State, t.Next, p.Now())
}

// Elsewhere returns what other worktrees did with tasks and what is not merged here. status returns
// the status that a task's document here has; "" if there is none.
func (p *Workspace) Elsewhere(
	ctx context.Context, book *ClaimBook, status func(task.ID) task.Status, ask Asking,
) Elsewhere {
	if p.O.Rehearsal != nil {
		ask = min(ask, AskNow)
	}
	return p.checkout().Elsewhere(ctx, book, status, ask)
}

// ElsewhereOf returns what other worktrees did with a task and with those that it depends on. It
// reads only these, and only if there are marks about them.
func (p *Workspace) ElsewhereOf(
	ctx context.Context, r store.Reader, book *ClaimBook, s *task.State, ask Asking,
) Elsewhere {
	about := *book
	about.Marks = slices.DeleteFunc(slices.Clone(book.Marks), func(m shared.Mark) bool {
		return m.Task != s.ID && !slices.Contains(s.Meta.Dependencies, m.Task)
	})
	return p.Elsewhere(ctx, &about, func(id task.ID) task.Status {
		if id == s.ID {
			return s.Status()
		}
		for _, d := range p.SearchDirs(id) {
			if h := p.ReadHead(ctx, r, File{Id: id, Name: d.StateFile(id), Dir: d}); h.Exists {
				return h.Status()
			}
		}
		return ""
	}, ask)
}

// keepBook brings the shared book up to date after a change was committed.
func (p *Workspace) keepBook(c *Change, book *ClaimBook, known shared.Answers) {
	p.checkout().Keep(book, func(b *ClaimBook) []shared.Mark { return p.marksOf(c, b) }, known, c.As, c.Now)
}

// askMarks asks git what a writer can do about the marks in the book, before the lock is taken.
func (p *Workspace) askMarks(ctx context.Context) shared.Answers {
	book, err := p.readBook(ctx, p.Shared)
	if err != nil {
		return shared.Answers{}
	}
	return p.checkout().Ask(ctx, book)
}

// markLater writes the marks of a change that was committed without the shared lock. If the book
// cannot be written, they go to the outbox.
func (p *Workspace) markLater(ctx context.Context, c *Change) {
	if p.Git.Dir == "" || len(c.Tasks)+len(c.loaded) == 0 {
		return
	}
	book, err := p.readBook(ctx, p.Shared)
	if err != nil {
		book = (&ClaimBook{}).Clone()
	}
	p.checkout().TakeOutboxes(book)
	if err != nil {
		p.sendLater(c, book, err)
		return
	}
	worth := func(m shared.Mark) bool {
		return m.Closes() || slices.ContainsFunc(book.Marks, func(old shared.Mark) bool {
			return old.Task == m.Task && old.Worktree == m.Worktree
		})
	}
	if !slices.ContainsFunc(p.marksOf(c, book), worth) {
		if c.Worked != "" && len(endedIn(c, book)) > 0 {
			p.sendLater(c, book, nil)
		}
		return
	}
	known := p.askMarks(ctx)
	if err = p.createShared(ctx); err == nil {
		_, err = p.Shared.Update(ctx, func(tx *store.Tx) error {
			before, err := p.readBook(ctx, tx.Reader())
			if err != nil {
				return err
			}
			after := before.Clone()
			p.checkout().TakeOutboxes(after)
			p.keepBook(c, after, known)
			return p.writeBook(tx, before, after)
		})
	}
	if err != nil {
		p.sendLater(c, book, err)
	}
}

// sendLater leaves in the outbox what a change would have written into the book, and says so.
func (p *Workspace) sendLater(c *Change, book *ClaimBook, cause error) {
	if p.Git.Dir == "" {
		return
	}
	var lines []shared.Line
	for _, m := range p.marksOf(c, book) {
		lines = append(lines, shared.Line{Mark: &m})
	}
	lines = append(lines, endedIn(c, book)...)
	if len(lines) == 0 {
		return
	}
	text := "the shared book cannot be written, so other worktrees learn of this change from " + RuntimeDir + "/" +
		shared.OutboxName
	for _, l := range lines {
		data, err := l.Encode()
		if err == nil {
			err = p.Store.AppendCache(shared.OutboxName, data, shared.MostOutbox)
		}
		if err != nil {
			text = "the shared book cannot be written, so other worktrees do not learn of this change"
			cause = err
		}
	}
	if cause != nil {
		text += ": " + report.As(cause).Error()
	}
	c.Note(report.CodeBookUnavailable.Finding("", 0, text))
}

// endedIn returns the claims of the caller that a change ended by the status that it gave a task.
func endedIn(c *Change, book *ClaimBook) []shared.Line {
	var lines []shared.Line
	for _, w := range c.Tasks {
		s := w.Next.Status()
		held, has := book.Claims[w.ID]
		if has && held.By == c.As && s != w.State.Status() && (Closed(s) || s == task.StatusBlocked) {
			lines = append(lines, shared.Line{Ended: w.ID, By: c.As, Fence: held.Fence})
		}
	}
	return lines
}
