package tasks

import (
	"cmp"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/workspace"
)

// Orders are the ways to sort a list. The first is that of the graph, in which each task follows
// those that it depends on. Tasks that are equal in another order stay in this one.
var Orders = [...]string{"order", "id", "priority", "title", "status", "newest"}

// Life has the states of tasks in the order of a task's life.
var Life = [...]string{
	"backlog", statusWaiting, "ready", "in_progress", "in_review", "blocked", "complete", "cancelled", "decomposed",
}

func checkOrder(name string) error {
	if name == "" || slices.Contains(Orders[:], name) {
		return nil
	}
	return &report.Error{
		Op: "task.list", Kind: report.Usage, Code: report.CodeUsage,
		Message: "tasks cannot be sorted by " + safetext.Quote(name), Hint: "use " + strings.Join(Orders[:], ", "),
	}
}

// arrange sorts the rows of a list and leaves out those beyond the limit.
func (l *TaskList) arrange(r ListRequest) {
	compare := map[string]func(a, b TaskRow) int{
		"id":     func(a, b TaskRow) int { return task.CompareIDs(a.ID, b.ID) },
		"newest": func(a, b TaskRow) int { return task.CompareIDs(b.ID, a.ID) },
		"title":  func(a, b TaskRow) int { return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) },
		"priority": func(a, b TaskRow) int {
			return task.Priority(a.Priority).Rank() - task.Priority(b.Priority).Rank()
		},
		"status": func(a, b TaskRow) int {
			return cmp.Or(lifeRank(a.State)-lifeRank(b.State), strings.Compare(a.State, b.State))
		},
	}[r.Sort]
	if compare != nil {
		l.Tasks = sorting.By(l.Tasks, compare)
	}
	l.Limit(r.Limit)
}

// Limit leaves out the rows beyond the first n; 0 = none.
func (l *TaskList) Limit(n int) {
	if n > 0 && len(l.Tasks) > n {
		l.Tasks, l.More = l.Tasks[:n], len(l.Tasks)-n
	}
}

// lifeRank returns the place of a state in a task's life; words that baton does not know come last.
func lifeRank(state string) int {
	if at := slices.Index(Life[:], state); at >= 0 {
		return at
	}
	return len(Life)
}

// mine reports whether a task belongs to the caller: the caller holds it, or is the agent that
// should do it. The part of a holder's name after "@" is the machine.
func (p Tasks) mine(a workspace.All) func(*workspace.Head) bool {
	holder := p.Holder()
	name, _, _ := strings.Cut(holder, "@")
	return func(h *workspace.Head) bool {
		if agent := h.State.Context.Agent; agent != "" &&
			(strings.EqualFold(agent, holder) || strings.EqualFold(agent, name)) {
			return true
		}
		c, live := a.Book.Live(h.ID, p.Now())
		return live && !finished(h.Status()) && c.By == holder
	}
}

// matches reports whether the title, the epic or the agent of a task contains a text.
func matches(s *task.State, text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		return true
	}
	for _, in := range [...]string{s.Title, epicOf(s), s.Context.Agent} {
		if strings.Contains(strings.ToLower(in), text) {
			return true
		}
	}
	return false
}
