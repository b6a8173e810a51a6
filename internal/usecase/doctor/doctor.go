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
	"baton/internal/workspace"
)

// Doctor collects everything that is wrong with a project in one list, worst first: the findings of
// all other checks, contradictions between documents, and problems around them. Every finding says
// what repairs it. Without Fix nothing is written.
//
// With Fix it repairs what needs no decision by a person. All documents below one root change in
// one transaction, and the findings are the remaining ones. Findings are an answer, not an error.
// Doctor fails with NotFound no_project if there is nothing to examine.
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
				d.take(refused, scene{})
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

// doctor is one examination of a project.
type doctor struct {
	p     *workspace.Workspace
	found []workspace.DoctorFinding
	seen  map[doctorSight]bool

	digests []*digests.DigestDoc   // digests that --fix would change
	other   *workspace.Workspace   // workspace of the digests' root, if they are below another root
	large   []task.ID              // tasks over the limit, with sessions to archive
	counts  []task.ID              // tasks whose count of archived sessions is wrong
	Claims  []staleClaim           // claims that are no longer needed
	journal []*workspace.Workspace // workspaces with an interrupted change
	bare    bool                   // the runtime folder lacks the file that keeps it out of git
	blind   bool                   // GSD's context monitor gets no figures
	doubled map[string]bool        // folded ids of two tasks that can be renumbered
	twice   []task.ID              // tasks with two sessions of the same number
	filed   []task.ID              // tasks with sessions that are in their archives too
	misread []task.ID              // tasks whose title or metadata have another id than the file's name
	torn    map[string]bool        // files that contain two tasks; their other findings follow from that
	settled map[doctorSight]bool   // findings of other checks, by code and path, that the doctor's own explain
	next    string                 // what a person has to do after a fix
}

// doctorSight identifies a finding: two with the same sentence about the same place are one.
type doctorSight struct {
	code       report.Code
	path, text string
	line       int
}

// Examine runs all checks.
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

// result sorts the findings and counts them.
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

// add adds a finding once.
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

// warn adds a warning that only the doctor finds.
func (d *doctor) warn(code report.Code, path, text string, r workspace.Remedy) {
	d.add(code.Finding(path, 0, safetext.Line(text)), r)
}

// take adds the findings of another check with their remedies. Remarks on a healthy document are
// left out.
func (d *doctor) take(findings []report.Finding, s scene) {
	for _, f := range findings {
		if f.Code == report.CodeEmptied { // the remedy has the commands that follow
			f.Text, _, _ = strings.Cut(f.Text, ": ")
		}
		if ails(f) && !d.settled[doctorSight{code: f.Code, path: f.Path}] {
			d.add(f, d.remedyOf(f, s))
		}
	}
}

// fault reports that something could not be examined. Only an interruption ends the examination.
func (d *doctor) fault(ctx context.Context, err error, path string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := report.As(err)
	d.add(report.CodeOf(e).Finding(cmp.Or(e.Path, path), e.Line,
		e.Error()).As(report.Severe), workspace.Remedy{Advice: cmp.Or(e.Hint, report.AnyCode.Remedy(nil))})
	return nil
}

// settings reports what is wrong with the configuration. Until it is repaired, nothing is written
// (D27).
func (d *doctor) settings() {
	for _, e := range d.p.Settings().Problems {
		advice := cmp.Or(e.Hint, report.CodeConfigKey.Remedy(nil))
		if e.Line > 0 {
			advice = report.CodeConfigKey.Remedy(report.Parts{"hint": advice})
		}
		d.add(e.Code.Finding(e.Path, e.Line, e.Message).As(report.Severe), workspace.Remedy{Advice: advice})
	}
	for _, f := range d.p.Settings().Ignored {
		d.add(f, workspace.Remedy{Advice: f.Code.Remedy(nil)})
	}
	for _, f := range d.p.TrustFaults() {
		what := f.Code.Remedy(report.Parts{"place": f.Path})
		if f.Code == report.CodeTrustUnsafe {
			what = "if others may write it, run `chmod go-w " + f.Path + "`; if it is a link, remove it"
		}
		d.add(f, workspace.Remedy{Advice: what})
	}
	for _, f := range d.p.TrustFindings() {
		d.add(f, advice(f.Code, nil)) // a person approves; no command repairs it
	}
}

// command returns a command line that can be pasted in the folder where the doctor was started. It
// contains the flags of this run.
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
			return "" // a path with control characters cannot be pasted
		}
		line += flag[0] + WordInShell(flag[1])
	}
	return line
}

// WordInShell quotes a word for a shell if necessary.
func WordInShell(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("._-/@:+,=", r)
	}
	if word != "" && word[0] != '-' && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return safetext.ShellQuote(word)
}
