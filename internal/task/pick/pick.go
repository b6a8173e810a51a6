// Package pick finds the criterion that a person names.
package pick

import (
	"slices"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Criterion finds a criterion of a task by its 1-based number, its key or feature id, or its exact
// trimmed text (TS-D3). by is "index", "id" or "text", or "" to try all three. Errors: Violation
// criterion_ambiguous if several criteria match; NotFound criterion_unknown if none does; Usage
// by_invalid for another value of by.
func Criterion(s *task.State, selector, by string) (task.Criterion, error) {
	switch by {
	case "", "index", "id", "text":
	default:
		return task.Criterion{}, &report.Error{
			Op: "task.check", Kind: report.Usage, Code: report.CodeByInvalid,
			Message: "--by " + strconv.Quote(safetext.Runes(by, 40)) + " is not known",
			Hint:    "use --by index, --by id or --by text",
		}
	}
	text := strings.TrimSpace(selector)
	var hits []int // positions, in ascending order
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(s.Criteria) && (by == "" || by == "index") {
		hits = append(hits, n-1)
	}
	for i, criterion := range s.Criteria {
		id := criterion.Key == text || criterion.FeatureID != "" && criterion.FeatureID == text
		same := text != "" && criterion.Text == text
		if id && (by == "" || by == "id") || same && (by == "" || by == "text") {
			hits = append(hits, i)
		}
	}
	slices.Sort(hits)
	distinct := hits[:0]
	for i, hit := range hits {
		if i == 0 || hit != hits[i-1] {
			distinct = append(distinct, hit)
		}
	}
	switch len(distinct) {
	case 0:
		return task.Criterion{}, unknown(s, selector)
	case 1:
		return s.Criteria[distinct[0]], nil
	}
	return task.Criterion{}, ambiguous(s, selector, distinct)
}

func ambiguous(s *task.State, selector string, hits []int) error {
	numbers := make([]string, len(hits))
	for i, hit := range hits {
		numbers[i] = strconv.Itoa(hit + 1)
	}
	return &report.Error{
		Op: "task.check", Kind: report.Violation, Code: report.CodeCriterionAmbiguous, Path: task.StateName(s.ID),
		Message: strconv.Quote(safetext.Runes(selector, 80)) + " matches criteria " + strings.Join(numbers, " and ") +
			" of task " + s.ID.Ref(),
		Hint: "say which one you mean with --by index, --by id or --by text, for example: " +
			numbers[0] + " --by index",
		Details: map[string]any{"criteria": numbers},
	}
}

func unknown(s *task.State, selector string) error {
	failure := &report.Error{
		Op: "task.check", Kind: report.NotFound, Code: report.CodeCriterionUnknown, Path: task.StateName(s.ID),
		Message: "task " + s.ID.Ref() + " has no criterion " + strconv.Quote(safetext.Runes(selector, 80)),
	}
	switch {
	case s.External:
		failure.Hint = "the criteria are kept outside this file"
	case len(s.Criteria) == 0:
		failure.Hint = "the task has no criteria; add \"- [ ] …\" lines under \"### Acceptance Criteria\""
	default:
		failure.Hint = "name one by number, key or exact text: " + listOf(s, selector)
	}
	return failure
}

// mostListed is how many criteria a hint lists.
const mostListed = 12

// listOf lists the criteria for a hint, with their numbers. Of many it lists the first ones
// and the one that may have been meant.
func listOf(s *task.State, selector string) string {
	var list []string
	near, found := nearest(s, selector)
	for _, c := range s.Criteria {
		if c.N <= mostListed || found && c.N == near.N {
			list = append(list, strconv.Itoa(c.N)+" "+safetext.Quote(safetext.Runes(safetext.Line(c.Text), 60)))
		}
	}
	if more := len(s.Criteria) - len(list); more > 0 {
		list = append(list, "and "+strconv.Itoa(more)+" more")
	}
	if found {
		list = append(list, "the closest is "+strconv.Itoa(near.N))
	}
	return strings.Join(list, "; ")
}

// nearest finds a criterion whose text contains the selector, ignoring case, for a hint.
func nearest(s *task.State, selector string) (task.Criterion, bool) {
	folded := strings.ToLower(strings.TrimSpace(selector))
	if len(folded) < 3 {
		return task.Criterion{}, false
	}
	for _, criterion := range s.Criteria {
		if strings.Contains(strings.ToLower(criterion.Text), folded) {
			return criterion, true
		}
	}
	return task.Criterion{}, false
}
