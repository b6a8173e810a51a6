package convert

import (
	"encoding/json"
	"strconv"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/safetext"
	"baton/internal/task"
)

// checklistKey is the metadata key of a v2 file for a checklist that says more than its features.
const checklistKey = "checklist"

// checklistBefore returns the checklist that the file had before it was converted to v2, with the
// criteria as they are now. ok is false if there is none.
func checklistBefore(s *task.State) (text string, ok bool) {
	raw, there := s.MetaRaw(checklistKey)
	root, fault := jsontext.Relaxed(raw)
	if !there || fault != nil {
		return "", false
	}
	list := root // some checklists are only the features
	if root.Kind == '{' {
		member, _ := root.Member("features")
		list = member.Value
	}
	if list.Kind != '[' {
		return "", false
	}
	waiting := map[string][]string{} // features by their descriptions
	for _, item := range list.Items {
		if about, isObject := item.Member("description"); isObject {
			name := safetext.OneLine(about.Value.ValidText(raw))
			waiting[name] = append(waiting[name], string(item.Span.Of(raw)))
		}
	}
	passing, same := 0, len(s.Criteria) == len(list.Items)
	var features []string
	for i, c := range s.Criteria {
		feature, passes := newFeature(s, i), "false"
		name := safetext.OneLine(c.Text)
		if of := waiting[name]; len(of) > 0 {
			feature, waiting[name] = of[0], of[1:]
		}
		if c.Checked {
			passes = "true"
			passing++
		}
		now, set := updated([]byte(feature), c, passes)
		if !set {
			return "", false
		}
		same = same && string(now) == string(list.Items[i].Span.Of(raw))
		features = append(features, string(now))
	}
	if same {
		return string(raw), true
	}
	all := "[\n    " + strings.Join(features, ",\n    ") + "\n  ]"
	if root.Kind == '[' {
		return all, true
	}
	out, set := jsontext.Set(raw, "features", all, "\n")
	if _, shown := root.Member("overall_progress"); shown && set {
		out, set = jsontext.Set(out, "overall_progress", `"`+task.Percent(passing, len(s.Criteria))+`"`, "\n")
	}
	return string(out), set
}

// updated returns a feature with what its criterion says now: whether it passes, and its command. A
// criterion that was reopened is no longer tested.
func updated(feature []byte, c task.Criterion, passes string) (now []byte, ok bool) {
	root, fault := jsontext.Relaxed(feature)
	if fault != nil {
		return nil, false
	}
	now, ok = feature, true
	set := func(key, value string) {
		if ok {
			now, ok = jsontext.Set(now, key, value, "\n")
		}
	}
	was, _ := root.Member("passes")
	if was.Value.Word(feature) == "true" && !c.Checked {
		if _, tested := root.Member("tested_at"); tested {
			set("tested_at", "null")
		}
	}
	if (was.Value.Word(feature) == "true") != c.Checked {
		set("passes", passes)
	}
	verify, there := root.Member("verify")
	switch command := safetext.OneLine(verify.Value.ValidText(feature)); {
	case c.Verify == command:
	case c.Verify != "":
		set("verify", jsontext.Quote(c.Verify))
	case there && verify.Value.Kind == '"' && ok:
		now, ok = jsontext.Delete(now, "verify")
	}
	return now, ok
}

// says reports whether a checklist has what a v2 file has no place for: keys of its own, ids that
// are not made from the title, or values that are not of the usual kind.
func says(raw []byte, slug string) bool {
	var top map[string]json.RawMessage
	var features []map[string]any
	if json.Unmarshal(raw, &features) == nil {
		return true // only the features, without an object around them
	}
	if json.Unmarshal(raw, &top) != nil || json.Unmarshal(top["features"], &features) != nil {
		return false
	}
	delete(top, "features")
	delete(top, "overall_progress")
	more := len(top)
	for i, f := range features {
		if id, there := f["id"]; there && id != slug+"-"+strconv.Itoa(i+1) {
			more++
		}
		for name, value := range f {
			switch _, isText := value.(string); name {
			case "id", "passes":
			case "description", "verify":
				if !isText {
					more++
				}
			case "tested_at":
				if !isText && value != nil {
					more++
				}
			default:
				more++
			}
		}
	}
	return more > 0
}
