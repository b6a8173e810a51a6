package agents

import (
	"context"
	"path"
	"slices"
	"strings"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/claimscope"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// take binds a session without a task to the one that its prompt, its branch or its edits show
// (D54), and starts a session on it. With another live session in the checkout, only an id counts,
// because the edits may be part of the other's work.
func (p Agents) take(ctx context.Context, rec *agentsession.Record, prompt string, log *sessions.LogLine) {
	if !rec.Kept || len(p.Dirs) == 0 || rec.Freed != "" || p.Settings().Text("hooks.take") == "off" ||
		p.agentWork(ctx, rec).open() {
		return
	}
	id, why, named := p.taskShown(ctx, rec, prompt)
	if id == "" || !named && p.hasCompany(rec) {
		return
	}
	changedBefore := p.docsChanged(ctx, rec)
	if _, err := sessions.Of(p.Workspace).BeginSession(ctx, sessions.SessionStartRequest{ID: string(id)}); err != nil {
		if report.KindOf(err) != report.Violation && report.CodeOf(err) != report.CodeClaimHeld {
			log.Add(err)
		}
		return
	}
	l, err := p.LoadTask(ctx, p.Store, id)
	if err != nil {
		log.Add(err)
		return
	}
	rec.Bind(id, l.State.TotalSessions(), why)
	for name, now := range p.docsChanged(ctx, rec) { // the start wrote into the task and the digest
		if _, before := changedBefore[name]; !before {
			rec.Docs[name] = now
		}
	}
}

// boundNote says once to which task take bound the session, and how to undo that. The event that
// bound it may not have taken a text.
func (p Agents) boundNote(ctx context.Context, rec *agentsession.Record) string {
	about := "bound\x00" + string(rec.Task) + "\x00" + rec.Bound
	if rec.Bound == "" || rec.Knows(about) {
		return ""
	}
	h := p.HeadNow(ctx, rec.Task)
	if h == nil || h.State == nil || workspace.Closed(h.Status()) {
		return ""
	}
	rec.Remember(about)
	return "This session now works on task " + rec.Task.Ref() + " (" + workspace.PlainWord(h.State.Title, 80) +
		"), because of " + rec.Bound + ". `baton session unbind` undoes that."
}

// open reports whether there is a task that is not finished.
func (w agentWork) open() bool { return w.state != nil && !workspace.Closed(w.state.Status()) }

// taskShown returns the task that a session works on, as its prompt, its branch or its files show,
// and what shows it. named says that an id showed it. Several tasks at one place show nothing.
func (p Agents) taskShown(
	ctx context.Context, rec *agentsession.Record, prompt string,
) (id task.ID, why string, named bool) {
	if id = p.onlyOpen(ctx, promptIDs(prompt)); id != "" {
		return id, "the prompt", true
	}
	branch := p.Git.Branch()
	if id = p.onlyOpen(ctx, branchIDs(branch)); id != "" {
		return id, "the branch " + workspace.PlainWord(branch, 60), true
	}
	book, _ := p.ClaimsNow(ctx)
	var scoped, own []task.ID
	inScope, inFile := "", ""
	for _, name := range rec.Files {
		for on, c := range book.Claims {
			if _, live := book.Live(on, p.Now()); live && c.By != p.Holder() || slices.Contains(scoped, on) {
				continue
			}
			if slices.ContainsFunc(c.Scope[:min(len(c.Scope), claimscope.Most)], func(pattern string) bool {
				return len(pattern) <= claimscope.Longest && claimscope.Holds(pattern, name)
			}) {
				scoped, inScope = append(scoped, on), name
			}
		}
		if f, ok := p.FileOf(name); ok && !slices.Contains(own, f.Id) {
			own, inFile = append(own, f.Id), name
		}
	}
	if id = p.onlyOpen(ctx, scoped); id != "" {
		return id, "the edit of " + workspace.PlainWord(inScope, 80) + ", which is in the scope of its claim", false
	}
	if id = p.onlyOpen(ctx, own); id != "" {
		return id, "the edit of " + workspace.PlainWord(inFile, 80), false
	}
	return "", "", false
}

// onlyOpen returns the only task of a list that is there and open, or "".
func (p Agents) onlyOpen(ctx context.Context, ids []task.ID) task.ID {
	var open []task.ID
	for _, id := range ids[:min(len(ids), sessions.MostActiveTries)] {
		if h := p.HeadNow(ctx, id); h != nil && h.Fault == nil && !workspace.Closed(h.Status()) {
			open = append(open, id)
		}
	}
	if len(open) != 1 {
		return ""
	}
	return open[0]
}

// promptIDs returns the ids that a prompt names: "#101", "task 101", "task-101".
func promptIDs(prompt string) []task.ID {
	var ids []task.ID
	after := false
	for _, word := range strings.Fields(safetext.FirstBytes(prompt, mostPromptBytes)) {
		bare := strings.Trim(word, ".,;:!?()[]{}'\"`*_")
		name, marked := strings.CutPrefix(bare, "#")
		if low := strings.ToLower(bare); strings.HasPrefix(low, "task-") || strings.HasPrefix(low, "task#") {
			name, marked = bare[len("task-"):], true
		}
		id, err := task.ParseID(name)
		if err == nil && (marked || after && hasDigit(name)) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		after = strings.EqualFold(bare, "task")
	}
	return ids
}

// mostPromptBytes is how much of a prompt is searched for the id of a task.
const mostPromptBytes = 4 << 10

// branchIDs returns the ids that the last part of a branch's name may begin with: "101" and
// "101-jwt" of "feat/101-jwt", and the same after "task-".
func branchIDs(branch string) []task.ID {
	name := path.Base(branch)
	if low := strings.ToLower(name); strings.HasPrefix(low, "task-") || strings.HasPrefix(low, "task_") {
		name = name[len("task-"):]
	}
	var ids []task.ID
	for end := len(name); end > 0; end = strings.LastIndexAny(name[:end], "-_") {
		if id, err := task.ParseID(name[:end]); err == nil && hasDigit(name[:end]) {
			ids = append(ids, id)
		}
	}
	return ids
}

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }

// mostTitle is the longest title of a session, in characters: clients show it in a narrow list.
const mostTitle = 60

// titleOf returns the title that a session gets when it first has a task, such as "#101 JWT
// service", or "". A session that has a title keeps it, because a person may have given it. Claude
// Code takes a title at the start of a session, but not after /clear or a compaction (2.1.328).
func (p Agents) titleOf(ctx context.Context, rec *agentsession.Record, e agentsession.Event) string {
	if rec.Task == "" || e.Client != clientClaude || e.Titled || e.Source == "clear" || e.Source == "compact" ||
		rec.Knows("title") {
		return ""
	}
	h := p.HeadNow(ctx, rec.Task)
	if h == nil || h.Fault != nil || h.State == nil || h.State.Title == "" {
		return ""
	}
	rec.Remember("title")
	return rec.Task.Ref() + " " + workspace.PlainWord(h.State.Title, mostTitle)
}
