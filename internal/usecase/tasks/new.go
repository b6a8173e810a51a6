package tasks

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"baton/internal/chain"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// NewTasks creates tasks in one transaction (5.5, D16, D20, D21). It works in a project without
// init (D2). It fails with Usage title_missing, id_invalid, dependency_twice, dialect_unknown,
// text_invalid or layout_ambiguous, with Conflict id_taken, with NotFound dependency_missing or
// task_unknown, and with Violation dependency_cycle.
func (p Tasks) NewTasks(ctx context.Context, r NewRequest) (NewResult, error) {
	if len(r.Tasks) == 0 {
		return NewResult{}, &report.Error{
			Op: "task.new", Kind: report.Usage, Code: report.CodeTitleMissing, Message: "there is no task to create",
			Hint: "give a title",
		}
	}
	drafts := make([]*Draft, len(r.Tasks))
	for i, n := range r.Tasks {
		d, err := p.drafted(n)
		if err != nil {
			return NewResult{}, err
		}
		drafts[i] = d
	}
	dir, err := p.NewDir()
	if err != nil {
		return NewResult{}, err
	}
	if err := p.Folders("task.new"); err != nil {
		return NewResult{}, err
	}
	if err := p.Settings().Fault(); err != nil {
		return NewResult{}, err
	}
	// A refusal should leave no folder behind, so everything is checked before the counter's folder
	// is created.
	if _, err := p.Numbered(ctx, &workspace.Change{Reader: p.Store, Now: p.Now()}, dir, drafts); err != nil {
		return NewResult{}, err
	}
	for _, d := range drafts {
		if err := p.foundKnown(ctx, d, drafts); err != nil {
			return NewResult{}, err
		}
	}
	var out NewResult
	plan := func(c *workspace.Change) error {
		out = NewResult{Tasks: []Created{}, Warnings: []report.Finding{}}
		return p.create(ctx, c, dir, drafts, &out)
	}
	notes, lost, err := p.PreferShared(ctx, plan)
	if err != nil {
		return NewResult{}, err
	}
	out.Warnings = slices.Concat(out.Warnings, p.begun(), notes, CounterLost(lost))
	return out, p.FoundNow()
}

// foundKnown refuses a task that was found during one that does not exist.
func (p Tasks) foundKnown(ctx context.Context, d *Draft, drafts []*Draft) error {
	from := d.task.From
	if from == "" || slices.ContainsFunc(drafts, func(other *Draft) bool { return other.Id == from }) {
		return nil
	}
	_, err := p.LoadTask(ctx, p.Store, from)
	return err
}

// begun reports that a task is the first of a project without init (D2).
func (p Tasks) begun() []report.Finding {
	if p.Found {
		return nil
	}
	return []report.Finding{report.CodeProjectBegun.Finding("", 0,
		"there was no project in or above this folder, so baton created one: "+filepath.Join(p.Root, ".baton"))}
}

// CounterLost warns that the next id could not be stored for all checkouts. It returns nothing if
// it was.
func CounterLost(lost error) []report.Finding {
	if lost == nil {
		return nil
	}
	return []report.Finding{report.CodeClaimsUnavailable.Finding("", 0,
		"the shared id counter cannot be saved, so another checkout may use the same id")}
}

// Draft is one task that is about to be created. Fields set within a change are set again if the
// change is repeated.
type Draft struct {
	wanted task.ID // "" = next number
	Id     task.ID
	after  []task.ID
	behind []*Draft  // other drafts that it depends on
	fixed  []task.ID // after without behind
	during *Draft    // the draft during which it was found
	task   create.Request
	state  *task.State
	name   string
}

// drafted checks one request without looking at other tasks.
func (p Tasks) drafted(n NewTask) (*Draft, error) {
	usage := func(code report.Code, message, hint string) error {
		return &report.Error{Op: "task.new", Kind: report.Usage, Code: code, Message: message, Hint: hint}
	}
	d := &Draft{}
	title := strings.Join(strings.Fields(n.Title), " ")
	if title == "" {
		return nil, usage(report.CodeTitleMissing, "a task needs a title",
			"for example: baton task new \"Write the parser\"")
	}
	texts := []string{n.Title, n.Epic, n.Repository, n.PRD, n.Agent, n.Requirements, n.Source}
	for _, c := range n.Criteria {
		texts = append(texts, c.Text, c.Verify)
	}
	for _, text := range texts {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return nil, usage(report.CodeTextInvalid, "a text of task "+safetext.Quote(title)+
				" is not plain UTF-8", "give text without NUL bytes, in UTF-8")
		}
	}
	if n.ID != "" {
		id, err := task.ParseID(n.ID)
		if err != nil {
			return nil, err
		}
		d.wanted = id
	}
	if most := task.MostDependencies; len(n.After) > most {
		return nil, usage(report.CodeTooMany, "task "+safetext.Quote(title)+" would depend on "+
			safetext.Count(len(n.After), "task")+"; at most 1,000 are allowed",
			report.CodeTooMany.Remedy(nil))
	}
	for _, word := range n.After {
		id, err := task.ParseID(word)
		if err != nil {
			return nil, err
		}
		if slices.Contains(d.after, id) {
			return nil, usage(report.CodeDependencyTwice, "task "+safetext.Quote(title)+" would depend on "+id.Ref()+
				" twice", "name it once")
		}
		d.after = append(d.after, id)
	}
	var from task.ID
	var priority task.Priority
	if n.From != "" {
		var err error
		if from, err = task.ParseID(n.From); err != nil {
			return nil, err
		}
	}
	if n.Priority != "" {
		var err error
		if priority, err = task.ParsePriority(n.Priority); err != nil {
			return nil, err
		}
	}
	dialect := p.Settings().Dialect()
	if n.Dialect != "" {
		var err error
		if dialect, err = task.ParseDialect(n.Dialect); err != nil {
			return nil, err
		}
	}
	epicTitle, epicID := task.ParseEpic(n.Epic)
	repository := n.Repository
	if repository == "" {
		repository = filepath.Base(p.Root)
	}
	d.task = create.Request{
		Title: title, EpicID: epicID, EpicTitle: epicTitle, Repository: repository, PRD: n.PRD, Agent: n.Agent,
		Requirements: n.Requirements, Criteria: p.withCommon(n.Criteria), Dialect: dialect,
		Priority: priority, From: from, Source: n.Source,
	}
	return d, nil
}

// withCommon adds the criteria that all new tasks of the project have, after the task's own. One
// that the task has already is not added again. The parts of a split task share the criteria of the
// whole, so they get none.
func (p Tasks) withCommon(own []create.Criterion) []create.Criterion {
	common, _ := p.Settings().Value("tasks.criteria").([]string)
	all := slices.Clone(own)
	for _, text := range common {
		text = safetext.OneLine(text)
		if text != "" && !slices.ContainsFunc(all, func(c create.Criterion) bool {
			return strings.EqualFold(safetext.OneLine(c.Text), text)
		}) {
			all = append(all, create.Criterion{Text: text})
		}
	}
	return all
}

// NewDir returns the folder for new tasks: the given one, or that of the requested layout, or the
// configured one, or that of the only layout, or else .baton/tasks (5.1, D16). It fails with Usage
// layout_ambiguous.
func (p Tasks) NewDir() (workspace.TaskDir, error) {
	if len(p.Dirs) > 0 && p.Dirs[0].Layout == workspace.LayoutGiven {
		return p.Dirs[0], nil
	}
	if err := p.KeepsTasks("task.new"); err != nil {
		return workspace.TaskDir{}, err
	}
	if choice := cmp.Or(p.O.Layout, p.Settings().Text("layout.tasks")); choice == workspace.LayoutSpecflux {
		return p.specfluxDir(), nil
	} else if choice != "" {
		return workspace.LayoutDir(choice), nil
	}
	var found []workspace.TaskDir
	older := false
	for _, d := range p.Dirs {
		switch d.Layout {
		case workspace.LayoutOlder:
			older = true
		case workspace.LayoutSpecflux:
			found = append(found, p.specfluxDir())
		default:
			found = append(found, d)
		}
	}
	switch len(found) {
	case 0:
		if older {
			return p.specfluxDir(), nil
		}
		return workspace.BatonDir(), nil
	case 1:
		return found[0], nil
	}
	return workspace.TaskDir{}, &report.Error{
		Op: "task.new", Kind: report.Usage, Code: report.CodeLayoutAmbiguous,
		Message: "this project keeps tasks in " + found[0].Dir + " and in " + found[1].Dir,
		Hint:    "choose one with --layout, or set layout.tasks in " + config.Name,
	}
}

// specfluxDir returns SpecFlux's folder for new tasks: where tasks are, even if that is an older
// folder and .specflux has only their archives (F-68).
func (p Tasks) specfluxDir() workspace.TaskDir {
	for _, d := range p.Dirs {
		ours := d.Layout == workspace.LayoutSpecflux || d.Layout == workspace.LayoutOlder
		if ours && workspace.IsDir(filepath.Join(p.Root, filepath.FromSlash(d.Dir))) {
			return d
		}
	}
	return workspace.SpecfluxDir()
}

// create adds the files of all drafts to the change.
func (p Tasks) create(
	ctx context.Context, c *workspace.Change, dir workspace.TaskDir, drafts []*Draft, out *NewResult,
) error {
	graph, err := p.Numbered(ctx, c, dir, drafts)
	if err != nil {
		return err
	}
	c.Standing = true
	for _, d := range drafts {
		d.task.ID, d.task.Dependencies, d.task.Now = d.Id, d.after, c.Now
		d.state = task.Parse(d.Id, create.New(d.task))
		made, err := p.createOne(ctx, c, dir, d)
		if err != nil {
			return err
		}
		made.Ready = graph.IsReady(d.Id, nil)
		out.Tasks = append(out.Tasks, made)
	}
	c.Note(openEnded(drafts)...)
	out.Warnings = append(out.Warnings, c.Findings...)
	c.Findings = nil
	return nil
}

// createOne adds the inputs and writes one file.
func (p Tasks) createOne(ctx context.Context, c *workspace.Change, dir workspace.TaskDir, d *Draft) (Created, error) {
	made := Created{
		ID: d.Id, Title: d.task.Title, Path: d.name, Dependencies: append([]task.ID{}, d.after...),
		Inputs: []task.ID{},
	}
	h, err := p.Inject(ctx, c.Reader, d.state, d.name, false, false)
	if err != nil {
		return made, err
	}
	for _, receipt := range h.Receipts {
		made.Inputs = append(made.Inputs, receipt.Task)
	}
	c.Note(h.Findings...)
	c.Note(draftFindings(d)...)
	data := h.State.Bytes()
	if err := workspace.UnsafeError(d.name, data); err != nil {
		e := report.As(err)
		return made, &report.Error{
			Op: "task.new", Kind: report.Usage, Code: report.CodeTextInvalid,
			Message: "the texts of task " + d.Id.Ref() + " cannot be stored in a task file: " +
				e.Message, Hint: "change the requirements",
		}
	}
	c.Tx.Create(d.name, data)
	for _, source := range h.sources {
		c.Tx.AtMost(d.name, source)
	}
	return made, nil
}

// longRequirements is the number of sentences above which requirements count as long (5.5).
const longRequirements = 5

// openEnded warns once of all new tasks without criteria.
func openEnded(drafts []*Draft) []report.Finding {
	var refs []string
	name := ""
	for _, d := range drafts {
		if len(d.task.Criteria) == 0 {
			refs, name = append(refs, d.Id.Ref()), d.name
		}
	}
	text := " have no criteria, so nothing says when they are done"
	switch len(refs) {
	case 0:
		return nil
	case 1:
		text = " has no criteria, so nothing says when it is done"
	default:
		name = ""
	}
	more := ""
	if most := 8; len(refs) > most+1 {
		refs, more = refs[:most], fmt.Sprintf(" and %d more", len(refs)-most)
	}
	return []report.Finding{
		report.CodeNoCriteria.Finding(name, 0, strings.Join(refs, ", ")+more+text).As(report.Warning),
	}
}

// draftFindings reports what a new task lacks.
func draftFindings(d *Draft) []report.Finding {
	var out []report.Finding
	if sentences(d.task.Requirements) > longRequirements {
		out = append(out, report.CodeRequirementsLong.Finding(d.name, 0,
			"the requirements of task "+d.Id.Ref()+" are long; two to five sentences work best, and --prd can "+
				"link to the rest"))
	}
	return out
}

// sentences counts the ends of sentences: marks before a blank or at the end of the text.
func sentences(text string) int {
	n := 0
	for i := range len(text) {
		if c := text[i]; (c == '.' || c == '!' || c == '?') &&
			(i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n') {
			n++
		}
	}
	return n
}

// cycleError names the cycle that a new dependency would close.
func cycleError(path []task.ID) error {
	text := "these tasks would wait for each other: "
	if len(path) == 2 {
		text = "task " + path[0].Ref() + " would wait for itself: "
	}
	return &report.Error{
		Op: "task.new", Kind: report.Violation, Code: report.CodeDependencyCycle, Message: text + chain.Arrow(path),
		Hint: "leave out one of the dependencies", Details: map[string]any{"cycle": path},
	}
}
