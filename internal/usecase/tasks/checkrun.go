package tasks

import (
	"context"
	"fmt"
	"os"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/workspace"
)

// checkRun runs a criterion's command and lets its outcome decide. It holds no lock while the
// command runs. It looks up the criterion before, and again by its key afterwards.
func (p Tasks) checkRun(
	ctx context.Context, id task.ID, r CheckRequest, pick func(*task.State) (task.Criterion, error),
) (CheckResult, error) {
	if err := p.Settings().Fault(); err != nil {
		return CheckResult{}, err
	}
	if err := p.Mine(ctx, id); err != nil {
		return CheckResult{}, err
	}
	l, err := p.LoadTask(ctx, p.Store, id)
	if err != nil {
		return CheckResult{}, err
	}
	if err := workspace.UnsafeError(l.Name, l.Doc.Data); err != nil {
		return CheckResult{}, err
	}
	crit, err := pick(l.State)
	if err != nil {
		return CheckResult{}, workspace.Located(err, l.Name)
	}
	dir, shown, err := p.workDir(l.State.Context.Repository)
	if err != nil {
		return CheckResult{}, err
	}
	rec := EvidenceRecord{Kind: EvidenceRun, Command: r.Run, Dir: shown, By: p.Holder()}
	// These describe the tree that the command sees. If git does not answer in time, they stay
	// empty.
	rec.Commit, _ = p.Git.Head(ctx)
	rec.Dirty, _ = p.Git.Dirty(ctx, p.OwnFolders()...)
	ran, err := Execute(ctx, Command{
		Line: r.Run, Dir: dir, Environ: p.Env.Environ, Timeout: r.Timeout, Stream: r.Stream, Now: p.Env.Now,
	})
	if err != nil {
		if ctx.Err() != nil {
			return CheckResult{}, err
		}
		return CheckResult{}, &report.Error{
			Op: "task.check", Kind: report.Refused, Code: report.CodeCommandNotStarted, Err: err,
			Message: "the command could not be started: " + err.Error(), Hint: "baton needs a shell: sh, or cmd on " +
				"Windows",
		}
	}
	rec.Passed, rec.Exit, rec.Tail, rec.At = ran.Passed(), &ran.Exit, ran.Tail, p.Now()
	rec.DurationMS = ran.Took.Milliseconds()
	out, err := p.mark(ctx, id, rec, sameCriterion(crit))
	if err != nil || ran.Passed() {
		return out, err
	}
	return out, notVerified(l, crit, rec, ran, out.Changed, r.Timeout)
}

// sameCriterion finds a criterion again after its command ran, because its number may have changed
// meanwhile.
func sameCriterion(before task.Criterion) func(*task.State) (task.Criterion, error) {
	return func(s *task.State) (task.Criterion, error) {
		for _, c := range s.Criteria {
			if c.Key == before.Key {
				return c, nil
			}
		}
		return task.Criterion{}, &report.Error{
			Op: "task.check", Kind: report.Conflict, Code: report.CodeChangedUnderUs,
			Message: "the criterion " + safetext.Quote(before.Text) + " was changed or removed while its command ran",
			Hint:    "look at the task, then run the check again",
		}
	}
}

// notVerified returns the answer for a command that failed. The evidence is already stored.
func notVerified(
	l *workspace.Loaded, crit task.Criterion, rec EvidenceRecord, ran Execution, unchecked bool, limit time.Duration,
) error {
	what := fmt.Sprintf("ended with exit code %d", ran.Exit)
	switch {
	case ran.TimedOut:
		if limit <= 0 {
			limit = commandTime
		}
		what = "did not end within " + limit.String() + " and was stopped"
	case ran.Exit < 0:
		what = "was stopped by a signal"
	}
	state := "stays unchecked"
	if unchecked {
		state = "is open again"
	}
	return &report.Error{
		Op: "task.check", Kind: report.NotVerified, Code: report.CodeCheckFailed, Path: l.Name,
		Message: fmt.Sprintf("the command of criterion %d %s, so the criterion %s", crit.N, what, state),
		Hint:    "the evidence is kept in " + l.Evidence + "; fix what fails, then run the check again",
		Details: map[string]any{
			"task": string(l.ID), "criterion": crit.N, "key": crit.Key, "command": rec.Command, "dir": rec.Dir,
			"exit": ran.Exit, "timed_out": ran.TimedOut, "duration_ms": rec.DurationMS, "tail": rec.Tail,
			"unchecked": unchecked,
		},
	}
}

// workDir returns the folder in which a task's commands run: the configured folder of its
// repository, or else the project's root (D19). shown is the folder as written in evidence,
// relative to the root if it is below it.
func (p Tasks) workDir(repository string) (dir, shown string, err error) {
	named, dir, err := p.Repository("task.check", repository)
	if err != nil {
		return "", "", err
	}
	if named == "" {
		return dir, ".", nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", "", &report.Error{
			Op: "task.check", Kind: report.NotFound, Code: report.CodeRepositoryMissing,
			Message: "the folder of repository " + safetext.Quote(repository) + " does not exist: " + named,
			Hint:    "correct repositories in .baton/config.yaml",
		}
	}
	return dir, named, nil
}
