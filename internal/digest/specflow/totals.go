package specflow

import (
	"cmp"
	"strings"

	"baton/internal/sorting"
)

// Newest sorts finished specifications by completion, newest first, and then by id. Those without a
// date come last (specflow.md 5.12).
func Newest(specs []SpecSummary) {
	sorting.By(specs, func(a, b SpecSummary) int {
		return cmp.Or(cmp.Compare(b.Completed, a.Completed), cmp.Compare(strings.ToLower(a.ID), strings.ToLower(b.ID)))
	})
}

// Totals sums up finished specifications. The averages cover all of them; the shares cover only
// those that had an audit or a review.
func Totals(specs []Spec) HistoryTotals {
	t := HistoryTotals{Count: len(specs), ByType: map[string]int{}, ByComplexity: map[string]int{}}
	audits, reviews, audited, reviewed, auditPass, reviewPass := 0, 0, 0, 0, 0, 0
	for _, s := range specs {
		audits += s.Audits
		reviews += s.Reviews
		if s.Audits > 0 {
			audited++
		}
		if s.Reviews > 0 {
			reviewed++
		}
		if s.AuditPass {
			auditPass++
		}
		if s.ReviewPass {
			reviewPass++
		}
		if word := s.Fields["type"]; word != "" {
			t.ByType[word]++
		}
		if word := s.Fields["complexity"]; word != "" {
			t.ByComplexity[word]++
		}
	}
	t.AverageAudits, t.AverageReviews = share(audits, len(specs)), share(reviews, len(specs))
	t.FirstAuditShare, t.FirstReviewShare = share(auditPass, audited), share(reviewPass, reviewed)
	return t
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
