package tasks

import (
	"context"
	"path"
	"strconv"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/inputs"
	"baton/internal/workspace"
)

// InputChanges tells which chain inputs of a task are not those that its sessions worked with
// (D12): the upstream task hands on something else now, or the block was replaced and no session
// was logged since. s is the task's state, which may be newer than l's. Upstream tasks that cannot
// be read say nothing here.
func (p Tasks) InputChanges(
	ctx context.Context, r store.Reader, l *workspace.Loaded, s *task.State,
) ([]InputChange, error) {
	var out []InputChange
	newest := s.NextNumber(nil) - 1
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

// SinceWords says since when an input is another one.
func (c InputChange) SinceWords() string {
	if c.Since == 0 {
		return "it was handed over"
	}
	return "session " + strconv.Itoa(c.Since)
}

// inputAhead compares what an upstream task hands on now with what was received. The difference is
// shown when the block stands as it was received; otherwise somebody edited it, and only the fact
// is told.
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
	state, name := up.State, up.Name
	if state.Output.State != task.OutputWritten {
		old, at, err := p.OlderOutput(ctx, r, state)
		if err != nil || old == nil {
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
			change.Diff = task.Diff(in.Body, block.Body)
		}
	}
	return change, true, nil
}

// replacedSince finds the block that was replaced after the newest session, in the end of the
// archive. One that was replaced while the first session was running names it, though it had not
// logged anything yet; one that was replaced before that was read by nobody.
func replacedSince(
	ctx context.Context, r store.Reader, l *workspace.Loaded, s *task.State, id task.ID,
) (InputChange, bool, error) {
	end, err := r.Tail(ctx, l.Archive, workspace.ArchiveTail)
	if err != nil || !end.Exists {
		return InputChange{}, false, err
	}
	body, since, ok := inputs.PreviousInput(end.Data, id)
	newest := s.NextNumber(nil) - 1
	if !ok || since == 0 || since < newest {
		return InputChange{}, false, nil
	}
	change := InputChange{Task: id, Since: min(since, newest)}
	for _, in := range s.Inputs {
		if in.Task == id {
			change.Diff = task.Diff(body, in.Body)
		}
	}
	return change, true, nil
}
