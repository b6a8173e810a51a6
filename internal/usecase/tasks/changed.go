package tasks

import (
	"context"
	"path"
	"strconv"

	"baton/internal/textdiff"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/inputs"
	"baton/internal/workspace"
)

// InputChanges returns the chain inputs of a task that differ from those that its sessions worked
// with (D12): the upstream task now has another output, or the block was replaced and no session
// was logged since. s is the task's state, which may be newer than l's. Upstream tasks that cannot
// be read are skipped.
func (p Tasks) InputChanges(
	ctx context.Context, r store.Reader, l *workspace.Loaded, s *task.State,
) ([]InputChange, error) {
	var out []InputChange
	newest := s.NextNumber(nil, 0) - 1
	for _, id := range s.Meta.Dependencies {
		known, ok := s.Meta.Inputs[id]
		if !ok {
			continue
		}
		change, changed, err := p.inputAhead(ctx, r, l, s, id, known)
		if err != nil {
			return nil, err
		}
		if !changed && known.Session >= newest {
			change, changed, err = replacedSince(ctx, r, l, s, id)
			if err != nil {
				return nil, err
			}
		}
		if changed {
			out = append(out, change)
		}
	}
	return out, nil
}

// SinceWords returns the time since which an input differs, in words.
func (c InputChange) SinceWords() string {
	if c.Since == 0 {
		return "it was handed over"
	}
	return "session " + strconv.Itoa(c.Since)
}

// inputAhead compares the present output of an upstream task with the received one. The diff is
// included if the block is as it was received. Otherwise somebody edited the block, and only the
// fact is reported.
func (p Tasks) inputAhead(
	ctx context.Context, r store.Reader, l *workspace.Loaded, s *task.State, id task.ID, known task.InputReceived,
) (InputChange, bool, error) {
	up, err := p.LoadTask(ctx, r, id)
	if err != nil {
		if report.CodeOf(err) == report.CodeTaskUnknown {
			return InputChange{}, false, nil
		}
		return InputChange{}, false, ctx.Err()
	}
	if up.Doc.Outside {
		return InputChange{}, false, nil
	}
	state, name := up.State, up.Name
	if state.Output.State != task.OutputWritten {
		old, at, err := p.olderInside(ctx, r, state)
		if err != nil || old == nil {
			if report.CodeOf(err) == report.CodePathOutside {
				err = nil
			}
			return InputChange{}, false, err
		}
		state, name = old, at
	}
	block := inputs.BuildInput(state, workspace.Relative(path.Dir(l.Name), name))
	if block.Hash == known.Hash {
		return InputChange{}, false, nil
	}
	change := InputChange{Task: id, Since: known.Session}
	for _, in := range s.Inputs {
		if in.Task == id && in.Hash == known.Hash {
			change.Diff = textdiff.Marked(in.Body, block.Body)
		}
	}
	return change, true, nil
}

// replacedSince looks at the end of the archive for a block that was replaced after the newest
// session. A block that was replaced during the first session counts too, although that session has
// logged nothing yet. A block that was replaced earlier does not count, because nobody had read it.
func replacedSince(
	ctx context.Context, r store.Reader, l *workspace.Loaded, s *task.State, id task.ID,
) (InputChange, bool, error) {
	end, err := r.Tail(ctx, l.Archive, archiveTail)
	if err != nil || !end.Exists {
		return InputChange{}, false, err
	}
	body, since, ok := inputs.PreviousInput(end.Data, id)
	newest := s.NextNumber(nil, 0) - 1
	if !ok || since == 0 || since < newest {
		return InputChange{}, false, nil
	}
	change := InputChange{Task: id, Since: min(since, newest)}
	for _, in := range s.Inputs {
		if in.Task == id {
			change.Diff = textdiff.Marked(body, in.Body)
		}
	}
	return change, true, nil
}
