package project

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"baton/internal/chain"
	"baton/internal/report"
	"baton/internal/task"
)

// NewTasks creates tasks in one transaction (5.5, D16, D20, D21). It works in a project that never ran init (D2).
// Usage title_missing, id_invalid, dependency_twice, dialect_unknown, text_invalid, layout_ambiguous; Conflict id_taken;
// NotFound dependency_missing; Violation dependency_cycle.
func (p *Project) NewTasks(ctx context.Context, r NewRequest) (NewResult, error) {
	if len(r.Tasks) == 0 {
		return NewResult{}, &report.Error{
			Op: "task.new", Kind: report.Usage, Code: "title_missing", Message: "there is no task to create", Hint: "give a title",
		}
	}
	drafts := make([]*draft, len(r.Tasks))
	for i, n := range r.Tasks {
		d, err := p.drafted(n)
		if err != nil {
			return NewResult{}, err
		}
		drafts[i] = d
	}
	dir, err := p.newDir()
	if err != nil {
		return NewResult{}, err
	}
	if err := p.folders("task.new"); err != nil {
		return NewResult{}, err
	}
	if err := p.config().fault(); err != nil {
		return NewResult{}, err
	}
	// A refusal should leave no folder behind, so everything is looked at once before the counter's folder is made.
	if _, err := p.numbered(ctx, &change{reader: p.store, now: p.now()}, dir, drafts); err != nil {
		return NewResult{}, err
	}
	var out NewResult
	plan := func(c *change) error {
		out = NewResult{Tasks: []Created{}, Warnings: []report.Finding{}}
		return p.create(ctx, c, dir, drafts, &out)
	}
	notes, lost, err := p.preferShared(ctx, plan)
	if err != nil {
		return NewResult{}, err
	}
	out.Warnings = append(out.Warnings, append(notes, counterLost(lost)...)...)
	return out, p.foundNow()
}

// counterLost warns that the next id was not kept for all checkouts; nothing when it was.
func counterLost(lost error) []report.Finding {
	if lost == nil {
		return nil
	}
	return []report.Finding{{
		Code: "claims_unavailable", Severity: report.Warning,
		Text: "the shared id counter cannot be kept, so another checkout may give out the same id",
	}}
}

// draft is one task on its way to a file. What fn of a change sets is set anew at each run.
type draft struct {
	wanted task.ID // "" = by number
	id     task.ID
	after  []task.ID
	task   task.NewTask
	state  *task.State
	name   string
}

// drafted checks one request as far as it can be checked alone.
func (p *Project) drafted(n NewTask) (*draft, error) {
	usage := func(code, message, hint string) error {
		return &report.Error{Op: "task.new", Kind: report.Usage, Code: code, Message: message, Hint: hint}
	}
	d := &draft{}
	title := strings.Join(strings.Fields(n.Title), " ")
	if title == "" {
		return nil, usage("title_missing", "a task needs a title", "for example: baton task new \"Write the parser\"")
	}
	texts := []string{n.Title, n.Epic, n.Repository, n.PRD, n.Agent, n.Requirements}
	for _, c := range n.Criteria {
		texts = append(texts, c.Text, c.Verify)
	}
	for _, text := range texts {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return nil, usage("text_invalid", "a text of task "+quote(title)+" is not plain UTF-8", "give text without NUL bytes, in UTF-8")
		}
	}
	if n.ID != "" {
		id, err := task.ParseID(n.ID)
		if err != nil {
			return nil, err
		}
		d.wanted = id
	}
	for _, word := range n.After {
		id, err := task.ParseID(word)
		if err != nil {
			return nil, err
		}
		if slices.Contains(d.after, id) {
			return nil, usage("dependency_twice", "task "+quote(title)+" is to depend on "+id.Ref()+" twice", "name it once")
		}
		d.after = append(d.after, id)
	}
	dialect := p.config().dialect()
	if n.Dialect != "" {
		var err error
		if dialect, err = task.ParseDialect(n.Dialect); err != nil {
			return nil, err
		}
	}
	epicTitle, epicID := task.ParseEpic(n.Epic)
	repository := n.Repository
	if repository == "" {
		repository = filepath.Base(p.root)
	}
	d.task = task.NewTask{
		Title: title, EpicID: epicID, EpicTitle: epicTitle, Repository: repository, PRD: n.PRD, Agent: n.Agent,
		Requirements: n.Requirements, Criteria: n.Criteria, Dialect: dialect,
	}
	return d, nil
}

// newDir gives the folder for new tasks: the one given, the layout asked for, the configuration's choice, the only
// layout there is, else .baton/tasks (5.1, D16). Usage layout_ambiguous.
func (p *Project) newDir() (taskDir, error) {
	if len(p.dirs) > 0 && p.dirs[0].Layout == layoutGiven {
		return p.dirs[0], nil
	}
	if err := p.keepsTasks("task.new"); err != nil {
		return taskDir{}, err
	}
	if p.o.Layout != "" {
		return layoutDir(p.o.Layout), nil
	}
	if choice := p.config().text("layout.tasks"); choice != "" {
		return layoutDir(choice), nil
	}
	var found []taskDir
	for _, d := range p.dirs {
		if d.Layout != layoutOlder {
			found = append(found, d)
		}
	}
	switch len(found) {
	case 0:
		return batonDir(), nil
	case 1:
		return found[0], nil
	}
	return taskDir{}, &report.Error{
		Op: "task.new", Kind: report.Usage, Code: "layout_ambiguous",
		Message: "this project keeps tasks in " + found[0].Dir + " and in " + found[1].Dir,
		Hint:    "say which with --layout, or set layout.tasks in " + configName,
	}
}

// create writes the files of all drafts into the change.
func (p *Project) create(ctx context.Context, c *change, dir taskDir, drafts []*draft, out *NewResult) error {
	graph, err := p.numbered(ctx, c, dir, drafts)
	if err != nil {
		return err
	}
	for _, d := range drafts {
		d.task.ID, d.task.Dependencies, d.task.Now = d.id, d.after, c.now
		d.state = task.Parse(d.id, task.New(d.task))
		made, err := p.createOne(ctx, c, dir, d)
		if err != nil {
			return err
		}
		made.Ready = graph.IsReady(d.id, nil)
		out.Tasks = append(out.Tasks, made)
	}
	out.Warnings = append(out.Warnings, c.findings...)
	c.findings = nil
	return nil
}

// createOne hands over inputs and writes one file.
func (p *Project) createOne(ctx context.Context, c *change, dir taskDir, d *draft) (Created, error) {
	made := Created{ID: d.id, Title: d.task.Title, Path: d.name, Dependencies: append([]task.ID{}, d.after...), Inputs: []task.ID{}}
	h, err := p.inject(ctx, c.reader, d.state, d.name, false, false)
	if err != nil {
		return made, err
	}
	for _, receipt := range h.Receipts {
		made.Inputs = append(made.Inputs, receipt.Task)
	}
	c.note(h.Findings...)
	c.note(draftFindings(d)...)
	data := h.State.Bytes()
	if err := unsafeError(d.name, data); err != nil {
		e := report.As(err)
		return made, &report.Error{
			Op: "task.new", Kind: report.Usage, Code: "text_invalid",
			Message: "the texts of task " + d.id.Ref() + " cannot be kept in a task file: " + e.Message, Hint: "change the requirements",
		}
	}
	c.tx.Create(d.name, data)
	return made, nil
}

// longRequirements is the number of sentences above which requirements are called long (5.5).
const longRequirements = 5

// draftFindings tells what a new task lacks.
func draftFindings(d *draft) []report.Finding {
	var out []report.Finding
	if len(d.task.Criteria) == 0 {
		out = append(out, report.Finding{
			Code: "no_criteria", Severity: report.Warning, Path: d.name,
			Text: "task " + d.id.Ref() + " has no acceptance criteria, so nothing says when it is done",
		})
	}
	if sentences(d.task.Requirements) > longRequirements {
		out = append(out, report.Finding{
			Code: "requirements_long", Severity: report.Info, Path: d.name,
			Text: "the requirements of task " + d.id.Ref() + " are long; two to five sentences serve best, and a link with --prd can hold the rest",
		})
	}
	return out
}

// sentences counts sentence ends that a blank or the end of the text follows.
func sentences(text string) int {
	n := 0
	for i := range len(text) {
		if c := text[i]; (c == '.' || c == '!' || c == '?') && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n') {
			n++
		}
	}
	return n
}

// cycleError names the circle that a new dependency would close.
func cycleError(path []task.ID) error {
	text := "these tasks would wait for each other: "
	if len(path) == 2 {
		text = "task " + path[0].Ref() + " would wait for itself: "
	}
	return &report.Error{
		Op: "task.new", Kind: report.Violation, Code: "dependency_cycle",
		Message: text + chain.Arrow(path),
		Hint:    "leave one of the dependencies out", Details: map[string]any{"cycle": path},
	}
}
