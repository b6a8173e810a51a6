package folder

import (
	"context"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/check"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
	"baton/internal/store"
	"baton/internal/workspace"
)

// DirValidate checks statuses, sidecars, inputs and the record of the state folder (5.17). Problems
// are an answer, not an error; with Strict warnings are errors too. It fails with the errors of
// ForFolder, and with Refused for a folder that cannot be listed.
func (p Folder) DirValidate(ctx context.Context, r DirValidateRequest) (DirValidation, error) {
	const op = "dir.validate"
	at, place, err := p.ForFolder(ctx, op, r.DirRequest)
	if err != nil {
		return DirValidation{}, err
	}
	v, err := Of(at).ViewFolder(ctx, at.Store, place, at.Now())
	if err != nil {
		return DirValidation{}, workspace.InOp(err, op)
	}
	fault := ""
	if v.faulty != nil {
		fault = reasonIn(v.faulty, v.recordName())
	}
	out := DirValidation{
		Layout: place.Layout, Folder: place.Dir, Errors: []statedir.Problem{}, Warnings: []statedir.Problem{},
		Checked: len(check.Names(place.Contract, v.facts.Entries)),
	}
	if _, here := v.items[record.FileName]; here {
		out.Checked++
	}
	problems := v.problems(ctx, at.Store, v.facts.Entries, v.facts.Record, fault)
	for _, f := range slices.Concat(Of(at).folderFindings(place), v.Caveats(), v.Skewed()) {
		problems = append(problems, asProblem(f))
	}
	for _, problem := range problems {
		if r.Strict {
			problem.Severity = statedir.Wrong
		}
		if problem.Severity == statedir.Wrong {
			out.Errors = append(out.Errors, problem)
		} else {
			out.Warnings = append(out.Warnings, problem)
		}
	}
	out.OK = len(out.Errors) == 0
	return out, ctx.Err()
}

// asProblem converts a finding about the folder or its settings to a problem, like those of its
// files.
func asProblem(f report.Finding) statedir.Problem {
	problem := statedir.Problem{
		File: f.Path, Line: f.Line, Reason: f.Code, Severity: statedir.Doubtful, Allowed: []string{}, Message: f.Text,
	}
	if f.Severity == report.Severe {
		problem.Severity = statedir.Wrong
	}
	return problem
}

// problems checks the given entries of the folder with a record, which may differ from the stored
// one. A file that cannot be read is one problem, and the other files are still checked (SD-5).
func (v *FolderView) problems(ctx context.Context, r store.Reader, entries []statedir.Entry, rec *record.Record,
	fault string,
) []statedir.Problem {
	files := map[string]check.Content{}
	for _, name := range check.Names(v.place.Contract, entries) {
		doc, err := r.Read(ctx, v.place.In(name))
		switch {
		case err != nil:
			files[name] = check.Content{Fault: reasonIn(err, v.place.In(name))}
		case !doc.Exists:
			// The file vanished meanwhile, which is not an error (4.6).
		default:
			files[name] = check.Content{Data: doc.Data}
		}
	}
	facts := declaration.Facts{Now: v.facts.Now, Entries: entries, Record: rec}
	return check.Validate(v.place.Contract, facts, files, fault)
}

// reasonIn returns the reason of an error without the name of the file.
func reasonIn(err error, name string) string {
	return strings.TrimPrefix(report.As(err).Error(), name+" cannot be read: ")
}
