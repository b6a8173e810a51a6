package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"baton/internal/frontmatter"
	"baton/internal/report"
	"baton/internal/statedir"
)

// stamp applies rules 1 to 4 of 5.6.4 to the new values.
func (u *update) stamp() {
	switch {
	case !u.active():
	case u.absent("created_at"), !u.old.Active() && !u.started():
		u.activate()
	case u.switches():
		u.put("created_at", MomentText(u.s.Now))
		u.put("workflow_id", u.s.NewID())
	}
	u.heal()
}

// started reports whether the start of the workflow is a valid moment. When a workflow is
// activated, an invalid or future start counts as missing (4.2). The start of a running workflow is
// not changed, because with a new start its files would count as those of an earlier workflow
// (SD-K24).
func (u *update) started() bool {
	start, ok := parseMoment(u.text("created_at"))
	if ok && start.After(u.s.Now.Add(statedir.Skew)) {
		u.note(report.CodeClockSkew,
			"created_at was more than five minutes in the future, so it was set to the current time")
		return false
	}
	return ok
}

// activate starts a workflow: it sets start and id, and the anchors of the session if they are
// missing (rule 1). Anchors are created only here. A missing anchor next to an existing start is
// never invented (rule 4, SD-D11).
func (u *update) activate() {
	now := MomentText(u.s.Now)
	u.put("created_at", now)
	if u.absent("workflow_id") {
		u.put("workflow_id", u.s.NewID())
	}
	if u.absent("first_created_at") {
		u.put("first_created_at", now)
	}
	if u.absent("original_workflow_id") {
		id, _ := u.get("workflow_id")
		u.set("original_workflow_id", id)
	}
}

// switches reports whether the update changes a known type to another one (rule 2).
func (u *update) switches() bool {
	before, after := u.old.Text("workflow_type"), u.text("workflow_type")
	return before != "" && after != "" && before != after
}

// heal completes the history of ids (rule 3, SD-D12): the original id first, ids that only the
// trace has before the current one, the current one last. The id that this update replaces is added
// in the same way. Existing items are never removed or moved.
func (u *update) heal() {
	items, list := u.history()
	known := map[string]bool{}
	for _, item := range items {
		known[itemText(item)] = true
	}
	fresh := func(id string) bool {
		is := id != "" && !known[id]
		known[id] = true
		return is
	}
	before := len(items)
	original, current := inJSON(u.text("original_workflow_id")), inJSON(u.text("workflow_id"))
	if fresh(original) {
		items = slices.Insert(items, 0, jsonBytes(original))
	}
	var middle [][]byte
	has := slices.ContainsFunc(items, func(item []byte) bool { return itemText(item) == current })
	known[current] = true
	for _, id := range append([]string{inJSON(u.prior)}, traceIDs(u.s.Trace, u)...) {
		if fresh(id) {
			middle = append(middle, jsonBytes(id))
		}
	}
	items = slices.Insert(items, middlePlace(items, original, current), middle...)
	if !has && current != "" {
		items = append(items, jsonBytes(current))
	}
	if len(items) > before || !list && len(items) > 0 {
		u.set(historyKey, recordValue{json: slices.Concat([]byte("["), bytes.Join(items, []byte(",")), []byte("]"))})
	}
}

// inJSON returns a text as JSON decodes it, with U+FFFD for each invalid byte. Otherwise an id with
// invalid bytes would be added to the history again by every update.
func inJSON(text string) string { return string([]rune(text)) }

// middlePlace returns the position at which ids from the trace are inserted: before the current id,
// or at the end if that is missing. If the current id is the original, the position is also the
// end, because nothing comes before the original.
func middlePlace(items [][]byte, original, current string) int {
	for i := len(items) - 1; i >= 0; i-- {
		if itemText(items[i]) == current && (i > 0 || current != original) {
			return i
		}
	}
	return len(items)
}

// history returns the items of the history, each as JSON, and whether it is a list. A value that is
// not a list counts as one item, except a list in YAML syntax.
func (u *update) history() (items [][]byte, list bool) {
	v, _ := u.get(historyKey)
	if v.json != nil {
		var raw []json.RawMessage
		if json.Unmarshal(v.json, &raw) != nil {
			return [][]byte{v.json}, false
		}
		for _, item := range raw {
			items = append(items, item)
		}
		return items, true
	}
	text, _ := v.plain.(string)
	if strings.TrimFunc(text, statedir.IsBlank) == "" {
		return nil, false
	}
	below := "x:\n  " + strings.ReplaceAll(text, "\n", "\n  ")
	if m, err := frontmatter.ParseYAML([]byte(below)); err == nil && len(m) == 1 {
		if values, ok := m[0].Value.([]any); ok {
			for _, value := range values {
				if _, ok := value.(string); !ok {
					return [][]byte{jsonBytes(text)}, false
				}
				items = append(items, jsonBytes(value))
			}
			return items, false
		}
	}
	return [][]byte{jsonBytes(text)}, false
}

// itemText returns the text of an item of the history, or "" if it is not a text.
func itemText(item []byte) string {
	var text string
	if json.Unmarshal(item, &text) != nil {
		return ""
	}
	return text
}

// mostTrace is the number of lines at the end of the trace that count.
const mostTrace = 5000

// traceIDs returns the ids of the session in the trace, in order and with repetitions. Without a
// valid anchor there are none.
func traceIDs(trace []byte, u *update) []string {
	start, ok := parseMoment(u.text("first_created_at"))
	if !ok || len(trace) == 0 || start.After(u.s.Now.Add(statedir.Skew)) {
		return nil
	}
	trace = bytes.TrimSuffix(trace, []byte("\n"))
	from := len(trace)
	for range mostTrace {
		if from = bytes.LastIndexByte(trace[:from], '\n'); from < 0 {
			break
		}
	}
	var ids []string
	for line := range bytes.SplitSeq(trace[from+1:], []byte("\n")) {
		var call struct {
			ID *string `json:"workflow_id"`
			TS *string `json:"ts"`
		}
		if json.Unmarshal(line, &call) != nil || call.ID == nil || call.TS == nil {
			continue
		}
		if at, ok := parseMoment(*call.TS); ok && !at.Before(start) {
			ids = append(ids, *call.ID)
		}
	}
	return ids
}

// deactivate looks for raw dispatches when a workflow ends (rule 5). It uses the start before the
// update, so that a new start in the same update does not hide them. Without a start or a log there
// is nothing to check.
func (u *update) deactivate() error {
	if !u.old.Active() || u.active() || len(u.s.Raw) == 0 {
		return nil
	}
	start, ok := u.old.Time("created_at", u.s.Now)
	if !ok {
		return nil
	}
	var count int
	var agents []string
	for line := range bytes.SplitSeq(u.s.Raw, []byte("\n")) {
		var found struct {
			Source *string         `json:"source"`
			TS     *string         `json:"ts"`
			Agent  json.RawMessage `json:"agent"`
		}
		if json.Unmarshal(line, &found) != nil || found.Source == nil || found.TS == nil ||
			*found.Source != "raw_dispatch" {
			continue
		}
		if at, ok := parseMoment(*found.TS); !ok || at.Before(start) {
			continue
		}
		count++
		if agent := itemText(found.Agent); agent != "" && len(agents) < mostOdd && !slices.Contains(agents, agent) {
			agents = append(agents, agent)
		}
	}
	if count == 0 {
		return nil
	}
	return u.dispatched(count, agents)
}

// dispatched refuses a deactivation, or only adds a note if the project's settings say so.
func (u *update) dispatched(count int, agents []string) error {
	what := "1 raw dispatch"
	if count > 1 {
		what = fmt.Sprintf("%d raw dispatches", count)
	}
	if names := agentNames(agents); names != "" {
		what += " (" + names + ")"
	}
	if u.s.Raws == "warn" || u.s.Raws == "off" {
		u.note(report.CodeRawDispatches,
			fmt.Sprintf("the workflow ends with %s since its start; dispatch_hygiene_mode is %s",
				what, u.s.Raws))
		return nil
	}
	return &report.Error{
		Op: "dir.update", Kind: report.Violation, Code: report.CodeRawDispatches,
		Message: "the workflow cannot end: dispatch-warnings.jsonl contains " + what + " since its start",
		Hint: "look at what these agents did; the setting dispatch_hygiene_mode: warn lets the workflow " +
			"end anyway",
		Details: map[string]any{"count": count, "agents": agents},
	}
}

// agentNames joins the names of agents for a sentence.
func agentNames(agents []string) string {
	var names []string
	for _, agent := range agents {
		names = append(names, statedir.PlainName(statedir.CutText(agent)))
	}
	return strings.Join(names, ", ")
}
