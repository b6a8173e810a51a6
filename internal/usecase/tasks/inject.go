package tasks

import (
	"context"
	"path"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/task/inputs"
	"baton/internal/workspace"
)

// handover is the result of adding the outputs of upstream tasks to a task (5.11).
type handover struct {
	State    *task.State
	Receipts []InputReceipt   // one for each upstream task with an output
	Archive  []byte           // replaced inputs, to be appended to the task's archive (D12)
	Findings []report.Finding // edited blocks that were kept, and unreadable upstream files

	sources []string // the files of the inputs

	atWork bool // a running session has read the inputs that are replaced now
}

// Inject adds the outputs of all complete dependencies to a task. name is the slash name of its
// state file. It writes nothing: the caller writes State and appends Archive in one transaction.
// Injecting again changes nothing (5.11.3). The task need not exist yet, so that a new one has its
// inputs from the start. atWork says that a running session has read the inputs that are replaced.
func (p Tasks) Inject(
	ctx context.Context, from store.Reader, into *task.State, name string, atWork, force bool,
) (handover, error) {
	h := handover{State: into, atWork: atWork}
	for _, id := range into.Meta.Dependencies {
		up, err := p.LoadTask(ctx, from, id)
		if report.KindOf(err) == report.NotFound { // the project may begin with this task
			up = &workspace.Loaded{ID: id, State: task.Parse(id, nil)}
		} else if err != nil {
			if ctx.Err() != nil {
				return h, err
			}
			h.Findings = append(h.Findings, unreadable(id, err))
			continue
		}
		if up.Doc.Outside { // or the next pack would hand it to an agent
			h.Findings = append(h.Findings, unreadable(id, leadsOutside(up.Name)))
			continue
		}
		if err := p.hand(ctx, from, up, &h, name, force); err != nil {
			return h, workspace.Located(err, name)
		}
	}
	return h, nil
}

// hand adds the output of one upstream task to h.State. A task that is not complete, or has no
// output, passes nothing on. Files without metadata have no dependencies, so the hash can always be
// stored in the file itself.
func (p Tasks) hand(
	ctx context.Context, from store.Reader, up *workspace.Loaded, h *handover, name string, force bool,
) error {
	state, source := up.State, up.Name
	complete := up.Name != "" && state.Status() == task.StatusComplete
	if up.Name == "" || complete && state.Output.State == task.OutputEmpty {
		old, at, err := p.olderInside(ctx, from, state)
		if report.CodeOf(err) == report.CodePathOutside {
			h.Findings = append(h.Findings, unreadable(state.ID, err))
			return nil
		}
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
	block := inputs.BuildInput(state, workspace.Relative(path.Dir(name), source))
	newest := h.State.NextNumber(nil, 0) - 1
	next, got, err := inputs.Inject(h.State, block, newest, force, nil)
	if err != nil {
		return err
	}
	h.State = next
	h.sources = append(h.sources, source)
	if len(got.Batch) > 0 && h.atWork && newest == 0 {
		// The first session is running and knows the old text. It is informed about the new one as
		// a later session would be.
		got.Batch = inputs.ReplacedInput(state.ID, 1, got.Previous)
	}
	h.Archive = append(h.Archive, got.Batch...)
	h.Receipts = append(h.Receipts, InputReceipt{Task: state.ID, Title: state.Title, Change: got.Change})
	for _, f := range got.Findings {
		f.Path = name
		f.Text += "; `baton session start " + string(h.State.ID) + " --refresh-inputs` replaces it"
		h.Findings = append(h.Findings, f)
	}
	return nil
}

// Begun returns the receipts with the first line of each input, for the start of a session.
func (h handover) Begun() []InputReceipt {
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

// Reconcile runs before every commit. It updates the metadata of every task that the change writes,
// to match its file and its status (5.6.4).
func Reconcile(p *workspace.Workspace, c *workspace.Change) error {
	for _, w := range slices.Clone(c.Tasks) {
		was, is := w.State.Status(), w.Next.Status()
		next := w.Next.Reconcile(task.Reconciliation{
			Now:       c.Now,
			Started:   is != was && is == task.StatusInProgress,
			Completed: is != was && is == task.StatusComplete,
			Reopened:  is != was && was == task.StatusComplete,
			Converted: w.Next.Dialect != w.State.Dialect,
		})
		if err := p.WriteTask(c, w.Loaded, next); err != nil {
			return err
		}
	}
	return nil
}

// KeepInputs writes a task with its new inputs, and appends the replaced ones to its archive.
func (p Tasks) KeepInputs(c *workspace.Change, l *workspace.Loaded, h handover) error {
	if err := p.WriteTask(c, l, h.State); err != nil {
		return err
	}
	if len(h.Archive) == 0 {
		return nil
	}
	known, err := c.Tx.Tail(l.Archive, store.TailLength)
	if err != nil {
		return err
	}
	batch := h.Archive
	if !known.Exists || known.Size == 0 {
		batch = append([]byte(archive.Title(l.ID)+"\n"), batch...)
	} else if known.Data[len(known.Data)-1] != '\n' {
		batch = append([]byte("\n"), batch...)
	}
	c.Tx.Append(l.Archive, batch)
	return nil
}

// olderInside is OlderOutput, but refuses a hand-off file to which a link leads out of the project.
func (p Tasks) olderInside(ctx context.Context, r store.Reader, s *task.State) (*task.State, string, error) {
	old, at, err := p.OlderOutput(ctx, r, s)
	if err != nil || old == nil {
		return nil, "", err
	}
	doc, err := r.Read(ctx, at)
	if err == nil && doc.Outside {
		err = leadsOutside(at)
	}
	return old, at, err
}

// leadsOutside returns why nothing is read or written through a link out of the project.
func leadsOutside(name string) error {
	return &report.Error{
		Kind: report.Violation, Code: report.CodePathOutside, Path: name,
		Message: name + " is a link that leads outside the project",
	}
}

// unreadable reports an upstream task that could not be read. The other inputs are not affected.
func unreadable(id task.ID, err error) report.Finding {
	e := report.As(err)
	return report.CodeOf(err).Finding(e.Path, e.Line,
		"the output of task "+id.Ref()+" could not be read: "+e.Error()).As(report.Severe)
}
