package cli

import (
	"context"

	"baton/internal/project"
)

// The working folder of the fake: what has no request of a kind of its own is asked for by its name.

func (f *fake) DirAudit(_ context.Context, r project.DirRequest) (project.DirAudit, error) {
	return reply[project.DirAudit](f, "DirAudit "+r.Instance)
}

func (f *fake) DirCleanup(_ context.Context, r project.CleanupRequest) (project.DirSweep, error) {
	return reply[project.DirSweep](f, r)
}

func (f *fake) DirReset(_ context.Context, r project.SweepRequest) (project.DirSweep, error) {
	return reply[project.DirSweep](f, []any{"DirReset", r})
}

func (f *fake) DirEvict(_ context.Context, r project.SweepRequest) (project.DirSweep, error) {
	return reply[project.DirSweep](f, []any{"DirEvict", r})
}

func (f *fake) DirBegin(_ context.Context, r project.BeginRequest) (project.BeginResult, error) {
	return reply[project.BeginResult](f, r)
}

func (f *fake) DirRead(_ context.Context, r project.DirRequest) (project.RecordResult, error) {
	got, err := reply[project.RecordResult](f, "DirRead "+r.Instance)
	if got.Record == nil {
		got.Record = []byte(`{"active":false}`) // a project always has one
	}
	return got, err
}

func (f *fake) DirUpdate(_ context.Context, r project.RecordRequest) (project.RecordChange, error) {
	return reply[project.RecordChange](f, r)
}

func (f *fake) DirValidate(_ context.Context, r project.DirValidateRequest) (project.DirValidation, error) {
	return reply[project.DirValidation](f, r)
}

func (f *fake) DirContract(_ context.Context, r project.ContractRequest) (project.ContractResult, error) {
	return reply[project.ContractResult](f, r)
}

func (f *fake) DirLint(_ context.Context, r project.LintRequest) (project.LintResult, error) {
	return reply[project.LintResult](f, r)
}

func (f *fake) DirHistory(_ context.Context, r project.DirHistoryRequest) (project.DirHistory, error) {
	return reply[project.DirHistory](f, r)
}

func (f *fake) DirRestore(_ context.Context, r project.RestoreRequest) (project.RestoreResult, error) {
	return reply[project.RestoreResult](f, r)
}

func (f *fake) DirLock(_ context.Context, r project.DirRequest) (project.DirLock, error) {
	return reply[project.DirLock](f, "DirLock "+r.Instance)
}

func (f *fake) DirUnlock(_ context.Context, r project.UnlockRequest) (project.DirLock, error) {
	return reply[project.DirLock](f, r)
}

func (f *fake) DirSlugs(_ context.Context, titles []string, r project.DirRequest) (project.SlugResult, error) {
	return reply[project.SlugResult](f, append([]string{"slugs of " + r.Instance}, titles...))
}
