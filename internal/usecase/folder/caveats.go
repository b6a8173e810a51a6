package folder

import (
	"context"
	"strings"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/record"
	"baton/internal/workspace"
)

// Caveats returns findings that every answer about a state folder includes: interrupted operations,
// and anything that would make writing commands fail.
func (v *FolderView) Caveats() []report.Finding {
	out := v.interrupted()
	if v.outside {
		out = append(out, v.doubt(report.CodeOutside, "",
			v.place.Dir+" leads outside the project through a link; "+workspace.WrittenIfApproved))
	}
	if v.foreign {
		out = append(out, v.doubt(report.CodeOutside, record.FileName,
			v.recordName()+" is a link that leads outside the project; "+workspace.WrittenIfApproved))
	}
	if item, here := v.items[statedir.LockName]; here && !item.Mode.IsRegular() {
		what := map[statedir.Kind]string{statedir.Dir: "a folder", statedir.Link: "a link"}[kindOf(item.Mode)]
		if what == "" {
			what = "a pipe, a socket or a device"
		}
		out = append(out, v.doubt(report.CodeLockInvalid, statedir.LockName,
			v.place.In(statedir.LockName)+" is "+what+", but a lock must be a file; every command that writes is "+
				"refused until you move it away"))
	}
	return out
}

// IgnoredLines reports unreadable lines of the record, because a person may believe that they
// count.
func (v *FolderView) IgnoredLines() []report.Finding {
	var found []statedir.Problem
	for _, problem := range v.facts.Record.Problems(v.place.Contract.Words()) {
		if problem.Reason == report.CodeLineUnreadable {
			found = append(found, problem)
		}
	}
	if len(found) == 0 {
		return nil
	}
	text := found[0].Message
	if rest, ok := strings.CutPrefix(text, record.FileName); ok {
		text = v.recordName() + rest
	}
	if len(found) > 1 {
		text += ", and there are more: `baton dir validate` lists them"
	}
	return []report.Finding{
		report.CodeRecordLines.Finding(v.recordName(), found[0].Line, text),
	}
}

// running returns the workflow that the record calls active, or nil.
func (v *FolderView) running() *RunningWorkflow {
	r := v.facts.Record
	if r == nil || !r.Active() {
		return nil
	}
	return &RunningWorkflow{WorkflowType: r.Text("workflow_type"), Task: r.Text("task"), Phase: r.Text("phase")}
}

// siblings returns the places of the other state folders in the same root. Reads show them too
// (D16).
func (p Folder) siblings(ctx context.Context, op string, r DirRequest,
	place workspace.FolderPlace,
) ([]workspace.FolderPlace, error) {
	var out []workspace.FolderPlace
	for _, layout := range place.Others {
		other := p.Placed(ctx, workspace.FolderIn(layout))
		if err := p.intoInstance(op, r, &other); err != nil {
			return nil, err
		}
		out = append(out, other)
	}
	return out, ctx.Err()
}
