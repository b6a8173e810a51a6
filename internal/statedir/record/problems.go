package record

import (
	"fmt"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/statedir"
)

// Problems returns the problems of the record itself (5.17). Errors are an unknown phase or type,
// and an unresolved merge. Warnings are lines that cannot be read, and fields with values of the
// wrong kind. Of many unreadable lines, only the first are listed.
func (r *Record) Problems(w *Words) []statedir.Problem {
	if r == nil {
		return nil
	}
	var problems []statedir.Problem
	if r.merged >= 0 {
		line := r.line(r.merged)
		problems = append(problems, statedir.Problem{
			File: FileName, Line: line, Reason: report.CodeConflictMarkers, Severity: statedir.Wrong,
			Message: FileName + ": " + conflictText(line),
		})
	}
	for _, offset := range r.odd {
		problems = append(problems, r.problem(report.CodeLineUnreadable, "", offset,
			"the line cannot be read and is ignored"))
	}
	if more := r.odds - len(r.odd); more > 0 {
		problems = append(problems, statedir.Problem{
			File: FileName, Reason: report.CodeLineUnreadable, Severity: statedir.Doubtful,
			Message: fmt.Sprintf("%s: %d more lines cannot be read and are ignored", FileName, more),
		})
	}
	for _, field := range FieldsWith(w) {
		if p, ok := r.fieldProblem(w, field); ok {
			problems = append(problems, p)
		}
	}
	return append(problems, r.laneProblems()...)
}

// problem returns a warning about a line.
func (r *Record) problem(reason report.Code, field string, offset int, what string) statedir.Problem {
	line := r.line(offset)
	p := statedir.Problem{File: FileName, Line: line, Reason: reason, Severity: statedir.Doubtful}
	p.Message = fmt.Sprintf("%s:%d: %s", FileName, line, what)
	if field != "" {
		p.Pointer = statedir.Pointer(field)
	}
	return p
}

// fieldProblem checks the value of a known field. null is allowed for every field.
func (r *Record) fieldProblem(w *Words, field Field) (statedir.Problem, bool) {
	held, ok := r.held(field.Name)
	if !ok || held.json == nil && held.plain == nil {
		return statedir.Problem{}, false
	}
	offset := r.spots[r.keys[r.index[field.Name]].spot].start
	actual := held.shown()
	if field.Allowed != nil {
		text, _ := held.plain.(string)
		if slices.Contains(field.Allowed, text) {
			return statedir.Problem{}, false
		}
		p := r.problem(report.CodeInvalidValue, field.Name, offset, fmt.Sprintf("%s is %s, which is not known",
			field.Name, statedir.QuoteText(actual)))
		if meant := w.meant(field.Name, actual); meant != "" {
			p.Message += fmt.Sprintf("; did you mean %s?", meant)
		}
		if field.Name == "phase" || field.Name == "workflow_type" {
			p.Severity = statedir.Wrong
		}
		p.Actual, p.Allowed = statedir.Quotable(actual), field.Allowed
		return p, true
	}
	if held.fits(field.Kind) {
		return statedir.Problem{}, false
	}
	p := r.problem(report.CodeWrongKind, field.Name, offset, fmt.Sprintf("%s is %s, which is %s", field.Name,
		statedir.QuoteText(actual), kindName(field.Kind)))
	p.Actual = statedir.Quotable(actual)
	return p, true
}

// fits reports whether a value other than null is of a kind. Texts and ids may be anything.
func (v recordValue) fits(kind string) bool {
	switch baseKind(kind) {
	case "boolean":
		_, ok := v.plain.(bool)
		return ok
	case "number":
		_, ok := v.plain.(int64)
		return ok
	case "time":
		text, _ := v.plain.(string)
		_, ok := parseMoment(text)
		return ok
	case "list of text":
		return len(v.json) > 0 && v.json[0] == '['
	case "JSON":
		return v.json != nil
	}
	return true
}

// shown returns a value for a message.
func (v recordValue) shown() string {
	if v.json != nil {
		return string(v.json)
	}
	return fmt.Sprint(v.plain)
}

// baseKind returns the kind of a field without null.
func baseKind(kind string) string { return strings.TrimSuffix(kind, "|null") }

// kindName returns the words for a value that is not of a kind.
func kindName(kind string) string {
	switch kind = baseKind(kind); kind {
	case "boolean":
		return "neither true nor false"
	case "number":
		return "not a whole number"
	case "time":
		return "not a time"
	}
	return "no " + kind
}

// laneProblems checks the statuses of the lanes.
func (r *Record) laneProblems() []statedir.Problem {
	var problems []statedir.Problem
	for i, lane := range r.Lanes() {
		status, ok := lane.Fields["status"]
		if !ok || slices.Contains(LaneStatuses(), status) || len(problems) == mostOdd {
			continue
		}
		problems = append(problems, statedir.Problem{
			File: FileName, Pointer: fmt.Sprintf("/%s/%d/status", lanesKey, i), Reason: report.CodeInvalidValue,
			Severity: statedir.Doubtful,
			Actual:   statedir.Quotable(status), Allowed: LaneStatuses(),
			Message: fmt.Sprintf("%s: the lane %s has the status %s, which is not known", FileName,
				statedir.QuoteText(lane.ID), statedir.QuoteText(status)),
		})
	}
	return problems
}
