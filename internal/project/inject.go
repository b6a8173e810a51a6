package project

import (
	"context"
	"path"
	"strings"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
)

// handover is what bringing outputs of upstream tasks into one task came to (5.11).
type handover struct {
	State    *task.State
	Receipts []InputReceipt   // one for each upstream task that hands something on
	Archive  []byte           // replaced inputs, for the end of the task's archive (D12)
	Findings []report.Finding // edited blocks that were kept, upstream files that could not be read

	atWork bool // a session is running that has read what is replaced now
}

// inject brings the outputs of all complete dependencies into a task whose state file has the slash name. It writes
// nothing: the caller writes State and appends Archive in one transaction. Injecting twice is injecting once (5.11.3).
// The task need not exist yet, so that a new one has its inputs from the start. atWork says that a session is running
// that has read what a new input replaces.
func (p *Project) inject(ctx context.Context, from store.Reader, into *task.State, name string, atWork, force bool) (handover, error) {
	h := handover{State: into, atWork: atWork}
	for _, id := range into.Meta.Dependencies {
		up, err := p.loadTask(ctx, from, id)
		if report.KindOf(err) == report.NotFound { // not there; in a project that begins now, neither is anything else
			up = &loaded{ID: id, State: task.Parse(id, nil)}
		} else if err != nil {
			if ctx.Err() != nil {
				return h, err
			}
			h.Findings = append(h.Findings, unreadable(id, err))
			continue
		}
		if err := p.hand(ctx, from, up, &h, name, force); err != nil {
			return h, located(err, name)
		}
	}
	return h, nil
}

// hand brings the output of one upstream task into h.State. A task that is not complete, or wrote no output, hands
// nothing on. Files without metadata name no dependencies, so that the hash is always kept in the file itself.
func (p *Project) hand(ctx context.Context, from store.Reader, up *loaded, h *handover, name string, force bool) error {
	state, source := up.State, up.Name
	complete := up.Name != "" && state.Status() == task.StatusComplete
	if up.Name == "" || complete && state.Output.State == task.OutputEmpty {
		old, at, err := p.olderOutput(ctx, from, state)
		if err != nil {
			return err
		}
		if old != nil {
			state, source, complete = old, at, true
		}
	}
	if !complete || state.Output.State != task.OutputWritten {
		return nil
	}
	block := task.BuildInput(state, relative(path.Dir(name), source))
	newest := h.State.NextNumber(nil) - 1
	next, got, err := h.State.Inject(block, newest, force, nil)
	if err != nil {
		return err
	}
	h.State = next
	if len(got.Batch) > 0 && h.atWork && newest == 0 {
		// The first session is running and has the old text, so it is told of the new one as a later session would be.
		got.Batch = task.ReplacedInput(state.ID, 1, got.Previous)
	}
	h.Archive = append(h.Archive, got.Batch...)
	h.Receipts = append(h.Receipts, InputReceipt{Task: state.ID, Title: state.Title, Change: got.Change})
	for _, f := range got.Findings {
		f.Path = name
		f.Text += "; `baton session start " + string(h.State.ID) + " --force` replaces it"
		h.Findings = append(h.Findings, f)
	}
	return nil
}

// begun gives the receipts with the beginning of each input, so that whoever starts a session sees what it has.
func (h handover) begun() []InputReceipt {
	out := append([]InputReceipt{}, h.Receipts...)
	for i := range out {
		for _, in := range h.State.Inputs {
			if in.Task == out[i].Task {
				first, _, _ := strings.Cut(strings.TrimSpace(in.Text), "\n")
				out[i].Begins = strings.TrimSpace(first)
			}
		}
	}
	return out
}

// keepInputs writes a task with its new inputs, and what they replaced to its archive.
func (p *Project) keepInputs(c *change, l *loaded, h handover) error {
	if err := p.writeTask(c, l, h.State); err != nil {
		return err
	}
	if len(h.Archive) == 0 {
		return nil
	}
	known, err := c.tx.Tail(l.Archive, store.TailLength)
	if err != nil {
		return err
	}
	batch := h.Archive
	if !known.Exists || known.Size == 0 {
		batch = append([]byte(task.ArchiveTitle(l.ID)+"\n"), batch...)
	} else if known.Data[len(known.Data)-1] != '\n' {
		batch = append([]byte("\n"), batch...)
	}
	c.tx.Append(l.Archive, batch)
	return nil
}

// relative gives the link from a folder to a file, both slash paths below the root (5.11.2).
func relative(dir, file string) string {
	from, to := strings.Split(dir, "/"), strings.Split(file, "/")
	if dir == "." {
		from = nil
	}
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(to, "/")
}

// unreadable reports an upstream task that could not be read; the others go on.
func unreadable(id task.ID, err error) report.Finding {
	e := report.As(err)
	return report.Finding{
		Code: report.CodeOf(err), Severity: report.Severe, Path: e.Path, Line: e.Line,
		Text: "the output of task " + id.Ref() + " could not be read: " + e.Error(),
	}
}
