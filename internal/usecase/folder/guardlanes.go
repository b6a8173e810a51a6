package folder

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir/record"
	"baton/internal/workspace"
)

// The original tool's list of its agents, and how long it believes that one of them is running.
const (
	agentsFile  = "status.json"
	agentsFresh = 30 * time.Minute
)

// lanesAtWork refuses to end a workflow while agents of the original tool work on its lanes, as
// that tool does itself: Conflict workflow_live. Without lanes, its agents do something else. A dry
// run, and lane_state_guard: warn, only say so.
func (v *FolderView) lanesAtWork(ctx context.Context, c *workspace.Change, way string, apply bool) error {
	mode := Of(v.at).FolderSettings(v.place).Lanes
	if v.place.Layout != workspace.LayoutDevt || mode == "off" || len(v.facts.Record.Lanes()) == 0 {
		return nil
	}
	names := v.agents(ctx, c)
	if len(names) == 0 {
		return nil
	}
	shown := make([]string, 0, len(names))
	for _, name := range names[:min(len(names), 4)] {
		shown = append(shown, safetext.Line(name))
	}
	e := &report.Error{
		Kind: report.Conflict, Code: report.CodeWorkflowLive, Path: v.recordName(),
		Message: safetext.Count(len(names), "agent") + " of devt " + safetext.Noun(len(names), "works", "work") +
			" on the lanes of the workflow in " + v.place.Dir + ": " + strings.Join(shown, ", "),
		Hint: "wait until the lanes are done, or " + way + " to end the workflow now; baton believes " +
			v.place.In(agentsFile) + " for 30 minutes",
		Details: map[string]any{"agents": names},
	}
	if apply && mode == "block" {
		return e
	}
	c.Note(report.CodeWorkflowLive.Finding(e.Path, 0, e.Message+"; "+way+" to end it").As(report.Warning))
	return nil
}

// lanesOutlive is lanesAtWork for an update that starts another workflow in the record, which gives
// it another id or start.
func (v *FolderView) lanesOutlive(ctx context.Context, c *workspace.Change, after *record.Record) error {
	before := v.facts.Record
	unchanged := func(key string) bool { return before.Text(key) == after.Text(key) }
	if before == nil || unchanged("workflow_id") && unchanged("created_at") {
		return nil
	}
	return v.lanesAtWork(ctx, c, "use `baton dir begin TYPE TASK --steal`", true)
}

// agents returns the agents of the original tool that are running now, sorted. A list that cannot
// be read names none.
func (v *FolderView) agents(ctx context.Context, c *workspace.Change) []string {
	item, here := v.items[agentsFile]
	if !here || item.Mode.IsDir() {
		return nil
	}
	type agent struct {
		Status    string `json:"status"`
		Timestamp string `json:"timestamp"`
	}
	var list struct {
		Agents map[string]agent `json:"agents"`
	}
	doc, err := c.Reader.Read(ctx, v.place.In(agentsFile))
	if err != nil || json.Unmarshal(doc.Data, &list) != nil {
		return nil
	}
	maps.DeleteFunc(list.Agents, func(_ string, a agent) bool {
		at, err := time.Parse(time.RFC3339, a.Timestamp)
		return a.Status != "running" || err == nil && c.Now.Sub(at) > agentsFresh
	})
	return slices.Sorted(maps.Keys(list.Agents))
}
