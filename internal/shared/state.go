package shared

import (
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// ClaimState says what a task's claim means for the caller.
type ClaimState struct {
	Claim *View  // anybody's live claim, or nil
	By    string // its holder; "" if there is none
	Mine  bool   // the caller has the live claim or had the last one
	Fence int64  // of that claim
	From  string // from whom the live claim was taken; "" for nobody
	Why   string // the reason that was given
	Newer string // who claimed the task after the caller's own claim, which ended; "" for nobody
}

// Foreign reports whether the caller is a stranger to the task: somebody else holds it now, or has
// claimed it since the caller's own claim.
func (s ClaimState) Foreign() bool { return s.Claim != nil && !s.Mine || s.Newer != "" }

// Words says whose task it is for a stranger.
func (s ClaimState) Words(now time.Time) string {
	if s.Claim == nil {
		return "was claimed by " + safetext.Line(s.Newer) + " after your claim expired"
	}
	return "is claimed by " + safetext.Line(s.By) + " until " + Moment(s.Claim.Until, now)
}

// ClaimExpired returns the error for a caller whose claim expired and who was followed by somebody
// else.
func ClaimExpired(id task.ID, by string) error {
	return &report.Error{
		Op: "task.claim", Kind: report.Conflict, Code: report.CodeClaimExpired,
		Message: "your claim on task " + id.Ref() + " expired, and " + safetext.Clean(by) +
			" claimed the task after you",
		Hint: "read what changed with `baton task show " + string(id) + "`, then claim it again: `baton task claim " +
			string(id) + "`",
		Details: map[string]any{"task": string(id), "by": by},
	}
}

// ClaimsUnavailable returns the warning that baton cannot read or write claims here.
func ClaimsUnavailable(err error) report.Finding {
	text := "baton cannot store claims here, so nothing stops somebody else from taking this task"
	switch {
	case report.KindOf(err) == report.Refused:
		text = report.As(err).Error() + "; nothing stops somebody else from taking this task"
	case err != nil:
		text = "baton cannot read the claims and what other worktrees completed, so it assumes that there " +
			"are none: " + report.As(err).Error()
	}
	return report.CodeClaimsUnavailable.Finding("", 0, text)
}

// BookUnavailable returns the warning that a change was made without the shared book, unless a
// finding says so already.
func BookUnavailable(findings []report.Finding, cause error) []report.Finding {
	if slices.ContainsFunc(findings, func(f report.Finding) bool { return f.Code == report.CodeBookUnavailable }) {
		return nil
	}
	text := "baton cannot write the shared book of claims, so nothing stops somebody else from taking this task"
	if cause != nil {
		text += ": " + report.As(cause).Error()
	}
	return []report.Finding{report.CodeBookUnavailable.Finding("", 0, text)}
}

// mostFences is the most tasks whose fences are remembered for a holder.
const mostFences = 32

// Remember adds the fence of a task to those that a holder remembers, and drops the oldest beyond
// the limit.
func Remember(fences map[task.ID]int64, id task.ID, fence int64) map[task.ID]int64 {
	if fence == 0 {
		return fences
	}
	if fences == nil {
		fences = map[task.ID]int64{}
	}
	fences[id] = fence
	for len(fences) > mostFences {
		oldest := id
		for other, f := range fences {
			if f < fences[oldest] {
				oldest = other
			}
		}
		delete(fences, oldest)
	}
	return fences
}
