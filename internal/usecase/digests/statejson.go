package digests

import (
	"context"
	"encoding/json"
	"strings"

	"baton/internal/digest/gsd"
	"baton/internal/jsontext"
	"baton/internal/report"
)

// StateJSON is the answer of "state json": the front matter as a sync would leave it, in the names
// of the schema. It is there also for a digest without front matter.
type StateJSON struct {
	Version          string        `json:"gsd_state_version,omitempty"`
	Milestone        string        `json:"milestone,omitempty"`
	MilestoneName    string        `json:"milestone_name,omitempty"`
	CurrentPhase     string        `json:"current_phase,omitempty"`
	CurrentPhaseName string        `json:"current_phase_name,omitempty"`
	CurrentPlan      string        `json:"current_plan,omitempty"`
	Status           string        `json:"status"` // canonical word, or else the text as written
	ActivePhase      string        `json:"active_phase,omitempty"`
	NextAction       string        `json:"next_action,omitempty"`
	NextPhases       []string      `json:"next_phases,omitempty"`
	StoppedAt        string        `json:"stopped_at,omitempty"`
	PausedAt         string        `json:"paused_at,omitempty"`
	LastUpdated      string        `json:"last_updated,omitempty"`
	LastActivity     string        `json:"last_activity,omitempty"`
	LastActivityDesc string        `json:"last_activity_desc,omitempty"`
	Progress         StateProgress `json:"progress"`
}

// StateProgress is the progress in a StateJSON, without unknown numbers.
type StateProgress struct {
	TotalPhases     *int `json:"total_phases,omitempty"`
	CompletedPhases *int `json:"completed_phases,omitempty"`
	TotalPlans      *int `json:"total_plans,omitempty"`
	CompletedPlans  *int `json:"completed_plans,omitempty"`
	Percent         *int `json:"percent,omitempty"`
}

// StateJSON returns the values of the digest as GSD's "state json" does. Counts and percentage are
// those of roadmap and folders. It writes nothing, and fails with the errors of StateSync.
func (p Digests) StateJSON(ctx context.Context) (StateJSON, error) {
	d, err := p.readDigest(ctx, "state.json", gsdLayouts()...)
	if err != nil {
		return StateJSON{}, err
	}
	doc := gsd.Parse(d.Data)
	m := doc.Model()
	step, err := Of(d.At).SyncStep(ctx, d.Place, d.Data, gsd.SyncOptions{Now: d.At.Now()})
	switch {
	case err == nil:
		m = gsd.Parse(step.Edited.Text).Model()
		m.Derive(step.facts)
		if m.ActivePhase == "" { // the next step is there even if the file does not have it
			m.NextAction, m.NextPhases = step.next.Action, step.next.Phases
		}
	case ctx.Err() != nil || report.KindOf(err) != report.Corrupt:
		return StateJSON{}, err // otherwise the block cannot be written, but it can be read
	}
	out := StateJSON{
		Version: m.Version, Milestone: m.Milestone, MilestoneName: m.MilestoneName, CurrentPhase: m.CurrentPhase,
		CurrentPhaseName: m.CurrentPhaseName, CurrentPlan: m.CurrentPlan, Status: m.StatusText(),
		ActivePhase: m.ActivePhase,
		NextAction:  m.NextAction, NextPhases: m.NextPhases, StoppedAt: m.StoppedAt, PausedAt: m.PausedAt,
		LastUpdated: m.LastUpdated, LastActivity: m.LastActivity, LastActivityDesc: m.LastActivityDesc,
		Progress: StateProgress(doc.WithBody(m.Progress)),
	}
	return out, nil
}

// StatePick is the answer of "state json --pick".
type StatePick struct {
	Pick  string `json:"pick"`
	Value any    `json:"value"` // null if there is none
}

// StatePick returns one value of StateJSON by its path, such as progress.percent or next_phases[0].
func (p Digests) StatePick(ctx context.Context, path string) (StatePick, error) {
	all, err := p.StateJSON(ctx)
	if err != nil {
		return StatePick{}, err
	}
	text, err := report.EncodeJSON(all, "")
	if err != nil {
		return StatePick{}, err
	}
	root, fault := jsontext.Relaxed(text)
	if fault != nil {
		return StatePick{Pick: path}, nil
	}
	if node, ok := root.At(strings.TrimSpace(path)); ok {
		return StatePick{Pick: path, Value: json.RawMessage(node.Span.Of(text))}, nil
	}
	return StatePick{Pick: path}, nil
}

// Text returns the value as a script needs it: a text without quotes, the items of a list with
// commas between them, "" for none.
func (s StatePick) Text() string {
	raw, ok := s.Value.(json.RawMessage)
	if !ok {
		return ""
	}
	var texts []string
	if json.Unmarshal(raw, &texts) == nil {
		return strings.Join(texts, ",")
	}
	text := ""
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}
