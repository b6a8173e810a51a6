package tasks

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/workspace"
)

// showSessions adds the live sessions and, with All, the archived ones before them.
func (p Tasks) showSessions(ctx context.Context, l *workspace.Loaded, r ShowRequest, out *TaskDetail) error {
	live := l.State.Sessions
	if l.State.Summary != nil && l.Outside == nil {
		part, err := p.Store.Tail(ctx, l.Archive, 1)
		if err != nil {
			return err
		}
		if !part.Exists {
			out.Warnings = append(out.Warnings, report.CodeArchiveMissing.Finding(l.Archive, 0,
				"sessions were archived, but "+l.Archive+" is missing"))
		}
	}
	if r.All {
		if l.Outside != nil {
			return l.Outside
		}
		doc, err := p.Store.Read(ctx, l.Archive)
		if err != nil {
			return err
		}
		archive := task.ParseArchive(doc.Data)
		same := map[string]bool{}
		for _, s := range live {
			same[entryText(s.Span.Of(l.Doc.Data))] = true
		}
		archived := 0
		for _, s := range archive.InOrder() {
			archived++
			if same[entryText(s.Span.Of(doc.Data))] {
				archived--
				continue
			}
			out.Sessions = append(out.Sessions, p.SessionView(s, true))
		}
		out.ArchivedSessions, out.TotalSessions = archived, archived+len(live)
	}
	numbers, err := p.liveNumbers(ctx, l)
	if err != nil {
		return err
	}
	for i, s := range live {
		v := p.SessionView(s, false)
		v.Number = numbers[i]
		out.Sessions = append(out.Sessions, v)
	}
	return nil
}

// liveNumbers returns the numbers of the live sessions as "task log" assigned them. Bullets have no
// numbers of their own and continue those of the archive; only for them the archive's tail is read.
func (p Tasks) liveNumbers(ctx context.Context, l *workspace.Loaded) ([]int, error) {
	bullet := func(s task.Session) bool { return s.Style == task.StyleD }
	if l.Outside != nil || !slices.ContainsFunc(l.State.Sessions, bullet) {
		return l.State.Numbers(nil), nil
	}
	facts, err := ArchiveFacts(ctx, p.Store, l)
	return l.State.Numbers(facts.Tail), err
}

// entryText returns an entry without the marks of its heading, because they differ between a task
// file and its archive.
func entryText(data []byte) string { return strings.TrimSpace(strings.TrimLeft(string(data), "#")) }

// SessionView returns a session as pages and JSON show it.
func (p Tasks) SessionView(s task.Session, archived bool) workspace.SessionView {
	v := workspace.SessionView{
		Number: s.Number, Did: list(s.Did), Issues: list(s.Issues), State: list(s.State), Next: list(s.Next),
		Commits: list(s.Commits), Notes: s.Notes, Archived: archived,
	}
	if s.HasTime {
		v.Started = s.At(p.Zone()).UTC().Format(time.RFC3339)
	}
	if s.Label != "" && strings.TrimLeft(s.Label, "0") != strconv.Itoa(s.Number) {
		v.Label = s.Label
	}
	return v
}

// list returns a copy that is never null in JSON.
func list(items []string) []string { return append([]string{}, items...) }

// showDeps adds the tasks that depend on this one, and the problems between it and others (D29).
func (p Tasks) showDeps(ctx context.Context, l *workspace.Loaded, out *TaskDetail) error {
	headers, findings, err := p.LoadAll(ctx, p.Store)
	if err != nil {
		return err
	}
	graph, err := p.ChainGraph(ctx, p.Store, headers)
	if err != nil {
		return err
	}
	book, _ := p.ClaimsNow(ctx)
	taken := p.Unoffered(book, p.Elsewhere(ctx, book, workspace.StatusIn(headers), workspace.AskNow))
	out.Dependents = []Dependent{}
	for _, id := range graph.Dependents(l.ID) {
		n, _ := graph.Node(id)
		down := Dependent{
			ID: id, Title: n.Title, Status: string(n.Status), Ready: graph.IsReady(id, taken),
			WaitingFor: openFor(graph, id),
		}
		down.State = StateOf(down.Status, down.WaitingFor)
		out.Dependents = append(out.Dependents, down)
	}
	out.Warnings = append(out.Warnings, findings...)
	for _, id := range l.State.Meta.Dependencies {
		if _, known := graph.Node(id); !known {
			out.Warnings = append(out.Warnings, workspace.MissingFinding(l.ID, id, l.Name))
		}
	}
	for _, cycle := range graph.Cycles() {
		if slices.Contains(cycle, l.ID) {
			out.Warnings = append(out.Warnings, workspace.CycleFinding(cycle))
		}
	}
	return nil
}

// commitsOf returns the commits that a task names, each once. Those of the git history come first,
// because they have subjects.
func commitsOf(s *task.State, sessions []workspace.SessionView) []workspace.CommitView {
	out := []workspace.CommitView{}
	add := func(hash, subject string) {
		for i := range out {
			if out[i].Hash == hash {
				return
			}
		}
		out = append(out, workspace.CommitView{Hash: hash, Subject: subject})
	}
	for _, c := range s.History {
		add(c.Hash, c.Subject)
	}
	for _, session := range sessions {
		for _, hash := range session.Commits {
			add(hash, "")
		}
	}
	return out
}

// sectionView finds a section by its kind or by its heading. Several sections of one kind are shown
// one after the other (5.3 rule 2).
func sectionView(l *workspace.Loaded, name string) (*SectionView, error) {
	kind := task.Kind(strings.ToLower(strings.NewReplacer(" ", "_", "-", "_").Replace(strings.TrimSpace(name))))
	var out *SectionView
	var known []string
	for _, s := range l.State.Sections {
		known = append(known, s.Name)
		if !strings.EqualFold(s.Name, strings.TrimSpace(name)) && (s.Kind == task.Unknown || s.Kind != kind) {
			continue
		}
		text := string(s.Heading.Of(l.Doc.Data)) + string(s.Body.Of(l.Doc.Data))
		if out == nil {
			out = &SectionView{Name: s.Name}
		}
		out.Text += text
	}
	if out != nil {
		return out, nil
	}
	hint := "the file has no sections"
	if len(known) > 0 {
		hint = "it has: " + strings.Join(known, ", ")
	}
	return nil, &report.Error{
		Op: "task.show", Kind: report.NotFound, Code: report.CodeSectionUnknown, Path: l.Name,
		Message: l.Name + " has no section " + safetext.Quote(name), Hint: hint,
	}
}
