package digests

import (
	"context"
	"strings"
	"time"

	"baton/internal/digest/gsd"
	"baton/internal/report"
)

// Metric adds the cost of one plan to Performance Metrics, and recomputes totals and trend if the
// section has the template's shape (D39). It fails with Usage metric_incomplete without phase, plan
// or duration, and with not_supported in a SpecFlow project.
func (p Digests) Metric(ctx context.Context, r MetricRequest) (StateChange, error) {
	const op = "state.metric"
	for _, part := range [...]NameValue{{"phase", r.Phase}, {"plan", r.Plan}, {"duration", r.Duration}} {
		if strings.TrimSpace(part.Value) == "" {
			return StateChange{}, &report.Error{
				Op: op, Kind: report.Usage, Code: report.CodeMetricIncomplete,
				Message: "the metric has no " + part.Name,
				Hint:    "give all three: baton state metric PHASE PLAN --duration 12m",
			}
		}
	}
	return p.changeGSD(ctx, op, func(doc *gsd.Doc, now time.Time) (gsd.Edited, error) {
		return doc.Metric(r.Phase, r.Plan, r.Duration, r.Tasks, r.Files, now)
	})
}

// EvolutionRequest is a change of the roadmap.
type EvolutionRequest = gsd.Evolution

// Evolve records a change of the roadmap in the digest (F-61). It fails with Usage text_empty and
// phase_missing, and with not_supported in a SpecFlow project.
func (p Digests) Evolve(ctx context.Context, r EvolutionRequest) (StateChange, error) {
	return p.changeGSD(ctx, "state.evolution", func(doc *gsd.Doc, now time.Time) (gsd.Edited, error) {
		return doc.Evolve(r, now)
	})
}
