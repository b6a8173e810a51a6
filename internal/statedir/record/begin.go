package record

import "fmt"

// Resumes reports whether begin with this type and task continues the running workflow (SD-D14). A
// task that the original tool stored as a number or boolean is compared by its text. A record in
// the middle of a merge continues nothing, because it is unclear which task it names.
func (r *Record) Resumes(workflowType, task string) bool {
	if !r.Active() || r.merged >= 0 || r.Text("workflow_type") != workflowType {
		return false
	}
	held, ok := r.held("task")
	if !ok || held.plain == nil {
		return task == ""
	}
	return fmt.Sprint(held.plain) == task
}

// Begin returns the record of a new workflow (5.8.4 step 6). workflowType must be a known type.
// newSession ends the session and removes its anchors and history. Errors: Usage value_invalid for
// a task that is not UTF-8; Corrupt conflict_markers for a record in the middle of a merge.
func Begin(r *Record, workflowType, task string, newSession bool, s Stamping, mark func(*Record) int) (Updated, error) {
	if err := r.unmerged("dir.begin"); err != nil {
		return Updated{}, err
	}
	v, err := Pair{"task", task}.value(s.Words, false)
	if err != nil {
		return Updated{}, err
	}
	if task == "null" {
		v.plain = task // a task is always a text, whatever it looks like
	}
	u := newUpdate(r, s)
	u.drop("created_at", "workflow_id", lanesKey, "released_at", "validation_status", "validation_warnings")
	if newSession {
		u.prior = ""
		u.drop("first_created_at", "original_workflow_id", historyKey)
	}
	u.put("active", true)
	u.put("workflow_type", workflowType)
	u.set("task", v)
	if first := s.Words.first(); first != "" {
		u.put("phase", first)
	} else {
		u.put("phase", nil)
	}
	u.put("status", statusRunning)
	u.put("iteration", int64(0))
	u.put("verify_iteration", int64(0))
	for _, key := range []string{
		"verdict", "repair", "stopped_at", "stopped_phase", "resume_context", "memory_signal_json", "scope_hint_json",
		"scope_trust_json",
	} {
		u.put(key, nil)
	}
	u.stamp()
	return u.finish(mark), nil
}
