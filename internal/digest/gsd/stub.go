package gsd

import (
	"time"

	"baton/internal/digest/phases"
	"baton/internal/report"
)

func New(form Form, now time.Time, project string) []byte      { return nil }
func (d *Doc) Recommend(f phases.Facts) phases.Next            { return phases.Next{} }
func (d *Doc) Findings(facts ...phases.Facts) []report.Finding { return nil }
func (d *Doc) Set(name, value string, force bool, now time.Time) (Edited, error) {
	return Edited{Text: d.src}, nil
}
func (d *Doc) Sync(f phases.Facts, next phases.Next, todos *int, o SyncOptions) (Edited, error) {
	return Edited{Text: d.src}, nil
}
func (d *Doc) Transition(s Step, f phases.Facts, now time.Time) (Edited, error) {
	return Edited{Text: d.src}, nil
}
func (d *Doc) Next(action string, ids []string, now time.Time) (Edited, error) {
	return Edited{Text: d.src}, nil
}
func (d *Doc) Metric(phase, plan, duration string, tasks, files int, now time.Time) (Edited, error) {
	return Edited{Text: d.src}, nil
}
func (d *Doc) EndSession(stoppedAt, resumeFile string, now time.Time) (Edited, error) {
	return Edited{Text: d.src}, nil
}
func (d *Doc) AddBlocker(text, phase string, now time.Time) (Edited, error) {
	return Edited{Text: d.src}, nil
}
func (d *Doc) ResolveBlocker(which string, all bool, now time.Time) (Edited, []Removed, error) {
	return Edited{Text: d.src}, nil, nil
}
