// Package work takes up a task in one step: the claim, the session, and the text with what a
// session needs to know.
package work

import (
	"context"
	"slices"
	"time"

	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// Work has the use cases of this package for one open workspace. It has no state of its own.
type Work struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Work { return Work{w} }

// What a result says was done.
const (
	Claimed   = "claimed"   // the task was claimed
	Continued = "continued" // the caller is working on the task already
	Started   = "started"   // the session began without a claim, because claims cannot be stored here
	Project   = "project"   // there is no task to claim, so the text is about the project
)

// BeginRequest names a task to take up. Without ID, it is the first ready one.
type BeginRequest struct {
	ID    string   `json:"id" doc:"default: the next ready task"`
	Scope []string `json:"scope" doc:"files you will work on, like src/auth/**"`

	Lease  time.Duration // 0 = the configured one
	Steal  bool          // take it from the holder From; Reason required
	From   string
	Reason string
}

// NextRequest asks what to do now.
type NextRequest struct {
	Lease time.Duration // 0 = the configured one
}

// Result says what to work on now.
type Result struct {
	What    string           `json:"what"` // claimed, continued, started or project
	Task    task.ID          `json:"task,omitempty"`
	Title   string           `json:"title,omitempty"`
	Path    string           `json:"path,omitempty"`
	Session string           `json:"session,omitempty"` // its name, for session end
	Number  int              `json:"number,omitempty"`  // number of the next entry
	Claim   *workspace.Claim `json:"claim,omitempty"`
	Stolen  string           `json:"stolen_from,omitempty"`
	// what the project's digest recommends, if there is no task
	Step     *phases.Next     `json:"next_step,omitempty"`
	Text     string           `json:"text"` // what a session needs to know
	Warnings []report.Finding `json:"warnings"`
}

// Begin claims a task, begins a session on it, so that the commits of the session are recorded, and
// returns the text for the session (D18). Claiming a task again that the caller holds continues the
// session. It fails as tasks.Tasks.Claim does; NotFound nothing_ready says what each open task
// waits for.
func (p Work) Begin(ctx context.Context, r BeginRequest) (Result, error) {
	out, err := p.begin(ctx, r)
	if report.CodeOf(err) == report.CodeNothingReady {
		if _, why := p.whyNothing(ctx, err); why != nil {
			err = why
		}
	}
	return out, err
}

// begin is Begin without the reasons why nothing is ready.
func (p Work) begin(ctx context.Context, r BeginRequest) (Result, error) {
	claimed, err := tasks.Of(p.Workspace).Claim(ctx, tasks.ClaimRequest{
		ID: r.ID, Next: r.ID == "", Scope: r.Scope, Lease: r.Lease, Steal: r.Steal, From: r.From, Reason: r.Reason,
	})
	if err != nil {
		return Result{}, err
	}
	out := Result{
		What: Claimed, Task: claimed.Task, Title: claimed.Title, Path: claimed.Path, Claim: &claimed.Claim,
		Stolen: claimed.Stolen, Warnings: claimed.Warnings,
	}
	return out, p.orient(ctx, &out, r.Lease)
}

// orient begins the session on a claimed task and adds the text for it. If the session cannot
// begin, the claim stays, and a warning says why.
func (p Work) orient(ctx context.Context, out *Result, lease time.Duration) error {
	of := sessions.Of(p.Workspace)
	resumed := p.Session(out.Task, p.Holder()) != nil
	started, err := of.StartSession(ctx, sessions.SessionStartRequest{ID: string(out.Task), Lease: lease})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		out.Warnings = append(out.Warnings, report.CodeOf(err).Finding(report.As(err).Path, report.As(err).Line,
			"the session could not begin, so its entry will not list its commits: "+report.As(err).Error()).
			As(report.Severe))
	} else {
		out.Title, out.Path, out.Session, out.Number = started.Title, started.Path, started.Session, started.Number
		if started.Claim != nil {
			out.Claim = started.Claim
		}
		if resumed {
			out.What = Continued
		}
		out.add(started.Warnings)
	}
	pack, err := of.Context(ctx, sessions.ContextRequest{Task: string(out.Task)})
	if err != nil {
		return err
	}
	out.Text = pack.Text
	out.add(pack.Warnings)
	return nil
}

// add adds warnings that the result does not have yet: a claim and a session look at the same
// files.
func (r *Result) add(list []report.Finding) {
	for _, f := range list {
		if !slices.ContainsFunc(r.Warnings, func(said report.Finding) bool {
			return said.Code == f.Code && said.Path == f.Path && said.Text == f.Text
		}) {
			r.Warnings = append(r.Warnings, f)
		}
	}
}
