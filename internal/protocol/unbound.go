package protocol

import "strings"

// UnboundReason returns why the stop of a session without a task is held, in at most 1,000
// characters: what was seen, and where it can be handed over (D54).
func UnboundReason(f Facts) string {
	w := wording{Facts: f}
	seen := short(strings.Join(f.Seen, "; "), 400)
	if seen != "" {
		seen = " (" + seen + ")"
	}
	begin := "This session did work" + seen + " that no task has on record."
	last := "Or say in your last message what is done and what comes next: baton keeps it for the next session."
	switch {
	case f.NoTasks && f.Project.Path == "":
		return joined(mostReason, " ", begin, upper(strings.TrimPrefix(last, "Or ")), f.Lost)
	case f.NoTasks:
		stop := "`baton session end --stopped-at TEXT` records where it stopped."
		return joined(mostReason, " ", begin, stop, last, f.Lost)
	}
	log := "If it belongs to a task, `baton task log ID --did TEXT --next TEXT` leaves the hand-off there"
	if w.Task != nil && f.Proposed {
		log += "; the next one that is ready is " + w.named(80)
	}
	log += "."
	more := w.speak("`baton task new TITLE` makes a new one.")
	return joined(mostReason, " ", begin, w.speak(log), more, last, f.Lost)
}
