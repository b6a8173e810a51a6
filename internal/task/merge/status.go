package merge

import (
	"strings"

	"baton/internal/jsontext"
	"baton/internal/task"
	"baton/internal/threeway"
)

// place returns how far a status is, or 0 if it has no place in the order: a task can be blocked,
// cancelled or split from everywhere, and an unknown status can mean anything.
func place(s task.Status) int {
	switch s {
	case task.StatusBacklog:
		return 1
	case task.StatusReady:
		return 2
	case task.StatusInProgress:
		return 3
	case task.StatusInReview:
		return 4
	case task.StatusComplete:
		return 5
	}
	return 0
}

// verdict is the status of a merged task: that of one side.
type verdict struct {
	side  *task.State
	other task.Status // the status of the other side if both sides changed it
}

// judge decides between the statuses of two sides (D44). A side that did not change the status has
// no say, even if the other side moved it back. If both changed it, the one that is further along
// counts. If one of them has no place in the order, the side that was active last counts, or else
// ours. ok is false if both sides agree, or one of them has no status.
func judge(base, ours, theirs *task.State) (v verdict, ok bool) {
	if ours.Meta.Status == "" || theirs.Meta.Status == "" {
		return v, false
	}
	was, x, y := task.Status(""), ours.Status(), theirs.Status()
	if base.Meta.Status != "" {
		was = base.Status()
	}
	switch a, b := place(x), place(y); {
	case x == y:
		return v, false
	case y == was:
		return verdict{side: ours}, true
	case x == was:
		return verdict{side: theirs}, true
	case a > 0 && b > 0 && a > b:
		return verdict{ours, y}, true
	case a > 0 && b > 0:
		return verdict{theirs, x}, true
	case active(theirs).After(active(ours)):
		return verdict{theirs, x}, true
	}
	return verdict{ours, y}, true
}

// apply gives a merged task the status of the verdict. If both sides changed the status, the
// metadata names the other one until the status changes again, and what the metadata says about the
// completion comes from the same side as the status.
func (v verdict) apply(s *task.State) (*task.State, []threeway.Aside) {
	set := []task.KeyValue{}
	if s.Meta.Status != v.side.Meta.Status {
		set = append(set, task.KeyValue{Key: "status", JSON: jsontext.Quote(v.side.Meta.Status)})
	}
	var asides []threeway.Aside
	if v.other != "" {
		kept := v.side.Status()
		asides = append(asides, threeway.Aside{Label: "status", Text: string(v.other), Over: string(kept)})
		note := jsontext.Quote(task.MergedStatus(kept, v.other))
		set = append(set, task.KeyValue{Key: task.StatusMergedKey, JSON: note})
		if v.side.Meta.Has("completed_at") {
			at := "null"
			if text := v.side.MetaText("completed_at"); text != "" {
				at = jsontext.Quote(text)
			}
			set = append(set, task.KeyValue{Key: "completed_at", JSON: at})
		}
		if s.Meta.Forced && !v.side.Meta.Forced {
			s, _ = s.DeleteMeta("completed_forced")
		}
	}
	next, ok := s.SetMeta(set...)
	if ok && v.side.Status() != task.StatusCancelled {
		next, ok = next.DeleteMeta(task.CancelledKey) // only the other side cancelled it
	}
	if !ok {
		return s, nil
	}
	return next, asides
}

// isStatus reports whether the verdict decides about a key of the metadata.
func isStatus(key string) bool {
	return strings.EqualFold(key, "status") || key == task.StatusMergedKey
}
