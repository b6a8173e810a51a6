package doctor

import (
	"cmp"
	"context"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// Doctor gathers what is wrong with a project into one list, worst first: what every other check
// knows, what stands between documents, and what is wrong around them. Every finding says what
// repairs it. Without Fix not a byte is written.
//
// With Fix what needs nobody's judgement is repaired, all documents below one root in one
// transaction, and the findings are those that are left. Findings are an answer, not an error.
// NotFound no_project where there is nothing to look at.
func (p Doctor) Doctor(ctx context.Context, r workspace.DoctorRequest) (workspace.DoctorResult, error) {
	d, err := p.Examine(ctx)
	if err != nil {
		return workspace.DoctorResult{}, err
	}
	mode, fixes, changes := workspace.ModeLook, []workspace.DoctorFix{}, []workspace.DoctorChange{}
	switch {
	case r.DryRun:
		mode = workspace.ModeDryRun
		fixes, changes, err = d.rehearse(ctx)
	case r.Fix:
		mode = workspace.ModeFix
		var refused []report.Finding
		if fixes, refused, err = d.Fix(ctx); err == nil {
			d.close()
			next := d.next
			if d, err = p.Examine(ctx); err == nil {
				d.take(refused, workspace.Scene{})
				d.next = next
			}
		}
	}
	defer d.close()
	if err != nil {
		return workspace.DoctorResult{}, err
	}
	out := d.result()
	out.Mode, out.Fixes, out.Changes = mode, append([]workspace.DoctorFix{}, fixes...),
		append([]workspace.DoctorChange{}, changes...)
	return out, ctx.Err()
}

// doctor is one look at a project.
type doctor struct {
	p     *workspace.Workspace
	found []workspace.DoctorFinding
	seen  map[doctorSight]bool

	digests []*digests.DigestDoc   // those that --fix has something to do in
	other   *workspace.Workspace   // of another root, where the digests are; nil where they are below p's
	large   []task.ID              // tasks over the limit, with sessions to archive
	counts  []task.ID              // tasks whose count of archived sessions is wrong
	Claims  []staleClaim           // that nobody needs any more
	journal []*workspace.Workspace // with an interrupted change
	bare    bool                   // the runtime folder lacks the file that keeps it out of git
	doubled map[string]bool        // ids, folded, that two tasks have and a program can tell apart
	twice   []task.ID              // tasks with two sessions of one number
	misread []task.ID              // tasks whose title or metadata say another id than the file's name
	torn    map[string]bool        // files of two tasks: what else is wrong with them is that
	settled map[doctorSight]bool   // findings of other checks, by code and path, that one of the doctor's own explains
	next    string                 // what a person does after a fix
}

// doctorSight is what makes two findings one: the same sentence about the same place.
type doctorSight struct {
	code       report.Code
	path, text string
	line       int
}

// Examine looks at everything.
func (p Doctor) Examine(ctx context.Context) (*doctor, error) {
	if err := p.NeedAny("doctor"); err != nil {
		return nil, err
	}
	d := &doctor{
		p: p.Workspace, seen: map[doctorSight]bool{}, settled: map[doctorSight]bool{}, doubled: map[string]bool{},
		torn: map[string]bool{},
	}
	d.settings()
	for _, look := range [...]func(context.Context) error{
		d.ofDoubled, d.ofTasks, d.ofDigests, d.ofFolders, d.ofAgents, d.ofLosses, d.ofRuntime,
	} {
		if err := look(ctx); err != nil {
			d.close()
			return nil, err
		}
	}
	return d, nil
}

func (d *doctor) close() {
	if d != nil && d.other != nil {
		_ = d.other.Close() // it was only read, or what it wrote is durable already
	}
}

// result puts the findings in order and counts them.
func (d *doctor) result() workspace.DoctorResult {
	sorting.By(d.found, func(a, b workspace.DoctorFinding) int {
		return cmp.Or(gravity(b.Severity)-gravity(a.Severity), strings.Compare(a.Path, b.Path), a.Line-b.Line)
	})
	out := workspace.DoctorResult{
		Root: d.p.Root, Next: d.next, Findings: append([]workspace.DoctorFinding{}, d.found...),
	}
	for _, f := range d.found {
		switch f.Severity {
		case report.Severe:
			out.Errors++
		case report.Info:
			out.Notes++
		default:
			out.Warnings++
		}
	}
	out.OK = out.Errors+out.Warnings == 0
	return out
}

func gravity(s report.Severity) int {
	switch s {
	case report.Severe:
		return 2
	case report.Info:
		return 0
	}
	return 1
}

// add takes a finding in, once.
func (d *doctor) add(f report.Finding, r workspace.Remedy) {
	if f.Severity == "" {
		f.Severity = report.Warning
	}
	if d.torn[f.Path] {
		return
	}
	sight := doctorSight{f.Code, f.Path, f.Text, f.Line}
	if d.seen[sight] {
		return
	}
	d.seen[sight] = true
	d.found = append(
		d.found, workspace.DoctorFinding{Finding: f, Command: r.Command, Advice: r.Advice, Fixable: r.Fixable},
	)
}

// warn adds a warning of the doctor's own.
func (d *doctor) warn(code report.Code, path, text string, r workspace.Remedy) {
	d.add(code.Finding(path, 0, safetext.Line(text)), r)
}

// take takes the findings of another check in, with the remedies that the table knows. Remarks on a
// healthy document stay out.
func (d *doctor) take(findings []report.Finding, s workspace.Scene) {
	for _, f := range findings {
		if workspace.Ails(f) && !d.settled[doctorSight{code: f.Code, path: f.Path}] {
			d.add(f, d.remedyOf(f, s))
		}
	}
}

// fault takes in that something could not be looked at. Only an interruption ends the look.
func (d *doctor) fault(ctx context.Context, err error, path string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := report.As(err)
	d.add(report.CodeOf(e).Finding(cmp.Or(e.Path, path), e.Line,
		e.Error()).As(report.Severe), workspace.Remedy{Advice: cmp.Or(e.Hint, report.AnyCode.Remedy(nil))})
	return nil
}

// settings tells what is wrong with the configuration; as long as it is, nothing is written (D27).
func (d *doctor) settings() {
	for _, e := range d.p.Settings().Problems {
		advice := cmp.Or(e.Hint, report.CodeConfigKey.Remedy(nil))
		if e.Line > 0 {
			advice = report.CodeConfigKey.Remedy(report.Parts{"hint": advice})
		}
		d.add(e.Code.Finding(e.Path, e.Line, e.Message).As(report.Severe), workspace.Remedy{Advice: advice})
	}
}

// command is a command line that can be pasted where this run was started: the flags that brought
// it here are in it.
func (d *doctor) command(words, layout string) string {
	o := d.p.O
	line := "baton " + words
	if layout = cmp.Or(layout, o.Layout); layout != "" {
		line += " --layout " + layout
	}
	for _, flag := range [...][2]string{{" -C ", o.Dir}, {" --tasks-dir ", o.TasksDir}} {
		if flag[1] == "" {
			continue
		}
		if safetext.Clean(flag[1]) != flag[1] {
			return "" // what a page cannot show as it is cannot be pasted either
		}
		line += flag[0] + WordInShell(flag[1])
	}
	return line
}

// WordInShell writes a word as a shell takes it, in quotes where it needs them.
func WordInShell(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("._-/@:+,=", r)
	}
	if word != "" && word[0] != '-' && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return tasks.ShellQuote(word)
}
