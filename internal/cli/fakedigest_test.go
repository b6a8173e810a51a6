package cli

import (
	"context"

	"baton/internal/project"
)

// The digest of the fake: what has no request is asked for by its name.

func (f *fake) State(context.Context) (project.StateResult, error) {
	return reply[project.StateResult](f, "state show")
}

func (f *fake) StateValidate(context.Context) (project.StateValidation, error) {
	return reply[project.StateValidation](f, "state validate")
}

func (f *fake) Doctor(_ context.Context, r project.DoctorRequest) (project.DoctorResult, error) {
	return reply[project.DoctorResult](f, r)
}

func (f *fake) ActiveList(context.Context) (project.ActiveList, error) {
	return reply[project.ActiveList](f, "active list")
}

func (f *fake) QueueList(context.Context) (project.QueueList, error) {
	return reply[project.QueueList](f, "queue list")
}

func (f *fake) QueueNext(context.Context) (project.QueueList, error) {
	return reply[project.QueueList](f, "queue next")
}

func (f *fake) Blockers(context.Context) (project.BlockerList, error) {
	return reply[project.BlockerList](f, "blocker list")
}

func (f *fake) StateSet(_ context.Context, r project.StateSetRequest) (project.StateChange, error) {
	return reply[project.StateChange](f, r)
}

func (f *fake) StateSync(_ context.Context, r project.StateSyncRequest) (project.StateSyncResult, error) {
	return reply[project.StateSyncResult](f, r)
}

func (f *fake) StateRotate(_ context.Context, r project.RotateRequest) (project.RotateResult, error) {
	return reply[project.RotateResult](f, r)
}

func (f *fake) Transition(_ context.Context, r project.TransitionRequest) (project.TransitionResult, error) {
	return reply[project.TransitionResult](f, r)
}

func (f *fake) StateNext(_ context.Context, r project.NextRequest) (project.StateChange, error) {
	return reply[project.StateChange](f, r)
}

func (f *fake) Metric(_ context.Context, r project.MetricRequest) (project.StateChange, error) {
	return reply[project.StateChange](f, r)
}

func (f *fake) EndDigestSession(_ context.Context, r project.DigestSessionRequest) (project.StateChange, error) {
	return reply[project.StateChange](f, r)
}

func (f *fake) ActiveChange(_ context.Context, r project.ActiveRequest) (project.StateChange, error) {
	return reply[project.StateChange](f, r)
}

func (f *fake) QueueChange(_ context.Context, r project.QueueRequest) (project.StateChange, error) {
	return reply[project.StateChange](f, r)
}

func (f *fake) AddDecision(_ context.Context, r project.DecisionRequest) (project.DecisionAdded, error) {
	return reply[project.DecisionAdded](f, r)
}

func (f *fake) Decisions(_ context.Context, r project.DecisionListRequest) (project.DecisionList, error) {
	return reply[project.DecisionList](f, r)
}

func (f *fake) AddBlocker(_ context.Context, r project.BlockerRequest) (project.BlockerChange, error) {
	return reply[project.BlockerChange](f, r)
}

func (f *fake) ResolveBlocker(_ context.Context, r project.ResolveRequest) (project.BlockerChange, error) {
	return reply[project.BlockerChange](f, r)
}

func (f *fake) History(_ context.Context, r project.HistoryRequest) (project.HistoryResult, error) {
	return reply[project.HistoryResult](f, r)
}

func (f *fake) StateGet(_ context.Context, name string) (project.StateValue, error) {
	return reply[project.StateValue](f, "get "+name)
}

func (f *fake) ActiveResolve(_ context.Context, id string) (project.ActiveResolved, error) {
	return reply[project.ActiveResolved](f, "resolve "+id)
}

func (f *fake) Migrate(_ context.Context, apply bool) (project.MigrateResult, error) {
	return reply[project.MigrateResult](f, apply)
}
