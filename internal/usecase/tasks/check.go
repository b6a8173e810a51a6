package tasks

import (
	"context"
	"fmt"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/pick"
	"baton/internal/workspace"
)

// Check checks or unchecks a criterion. With Run the command decides, and its outcome is kept as
// evidence either way. Without Run the check is a person's statement (Evidence) or a bare claim
// (D6, D19). Checking a checked criterion without anything new changes nothing. It fails with Usage
// evidence_twice, with NotFound criterion_unknown, with Violation criterion_ambiguous, with
// Conflict claim_held, and with NotVerified check_failed if the command failed or took too long.
func (p Tasks) Check(ctx context.Context, r CheckRequest) (CheckResult, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return CheckResult{}, err
	}
	if err := checkFault(r); err != nil {
		return CheckResult{}, err
	}
	pick := func(s *task.State) (task.Criterion, error) { return pick.Criterion(s, r.Selector, r.By) }
	if r.Run != "" {
		return p.checkRun(ctx, id, r, pick)
	}
	rec := EvidenceRecord{
		Kind: EvidenceClaim, Passed: !r.Uncheck, By: p.Holder(), Commit: p.Git.Place.Head(), At: p.Now(),
	}
	if r.Evidence != "" {
		rec.Kind, rec.Text = EvidenceWord, safetext.Clean(r.Evidence)
	}
	out, err := p.mark(ctx, id, rec, pick)
	if c := out.Criterion; err == nil && rec.Passed && c.Verify != "" && !c.Verified {
		out.Warnings = append(out.Warnings, report.CodeVerifyProposed.Finding("", 0,
			fmt.Sprintf("the file proposes a command for criterion %d, and baton did not run it: %s", c.N,
				safetext.Line(c.Verify))))
	}
	return out, err
}

// checkFault refuses requests that contradict themselves.
func checkFault(r CheckRequest) error {
	message := ""
	switch {
	case r.Run != "" && strings.TrimSpace(r.Run) == "":
		return &report.Error{
			Op: "task.check", Kind: report.Usage, Code: report.CodeCommandEmpty, Message: "the command is empty",
			Hint: "give a command with --run, or leave out --run",
		}
	case r.Uncheck && (r.Run != "" || r.Evidence != ""):
		message = "evidence cannot be given when a criterion is unchecked"
	case r.Run != "" && r.Evidence != "":
		message = "a criterion is checked by a command or by a person's statement, not by both"
	default:
		return nil
	}
	return &report.Error{
		Op: "task.check", Kind: report.Usage, Code: report.CodeEvidenceTwice, Message: message,
		Hint: "use --run or --evidence to check it, and neither to uncheck it",
	}
}

// mark sets one box according to the record and stores the record, in one transaction.
func (p Tasks) mark(
	ctx context.Context, id task.ID, rec EvidenceRecord, pick func(*task.State) (task.Criterion, error),
) (CheckResult, error) {
	var out CheckResult
	notes, err := p.Guarded(ctx, id, func(c *workspace.Change) error {
		out = CheckResult{Task: id, Warnings: []report.Finding{}}
		l, err := p.LoadForWrite(ctx, c, id)
		if err != nil {
			return err
		}
		crit, err := pick(l.State)
		if err != nil {
			return workspace.Located(err, l.Name)
		}
		known, err := p.Evidence(ctx, c.Reader, l)
		if err != nil {
			return err
		}
		next := l.State
		if crit.Checked != rec.Passed {
			if next, err = next.SetCriterion(crit.N, rec.Passed, c.Now); err != nil {
				return workspace.Located(err, l.Name)
			}
			if err := p.WriteTask(c, l, next); err != nil {
				return err
			}
			out.Changed = true
		}
		if out.Changed || rec.news(known.Newest(crit.Key)) {
			kept := rec
			if kept.Criterion = crit.Key; kept.Text == "" {
				kept.Text = crit.Text
			}
			if err := p.AddEvidence(ctx, c, l, kept); err != nil {
				return err
			}
			known.Add(kept)
		}
		out.tell(next, crit.N, known)
		out.Warnings = append(append(out.Warnings, l.Doubts()...), p.doneApart(ctx, c, l)...)
		return nil
	})
	if err != nil {
		return CheckResult{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// news reports whether a record adds something to the newest one of its criterion if the box does
// not change. A run always does, a bare claim never, and a person's statement does if it differs.
func (rec EvidenceRecord) news(last *EvidenceRecord) bool {
	switch rec.Kind {
	case EvidenceRun:
		return true
	case EvidenceWord:
		return last == nil || last.Kind != EvidenceWord || last.Text != rec.Text || last.By != rec.By
	}
	return false
}

// tell fills the answer from the task's new state.
func (r *CheckResult) tell(s *task.State, n int, known EvidenceBook) {
	r.Total = len(s.Criteria)
	for _, c := range s.Criteria {
		if c.Checked {
			r.Done++
		}
		if c.N == n {
			r.Criterion = known.CriterionView(c)
		}
	}
}
