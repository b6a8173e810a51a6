package protocol

import (
	"fmt"
	"slices"
	"strings"

	"baton/internal/safetext"
)

// These are the short texts. Each keeps its limit for any facts, because every piece of it has a
// limit and the last pieces are left out first.

// Limits of the short texts, in UTF-16 units (agents.md 2.3).
const (
	mostPointer = 300
	mostNote    = 1500
	mostSubTask = 600
	mostReason  = 1000
)

// joined joins texts with the separator as long as they fit. It skips empty texts and stops before
// the first one that does not fit.
func joined(most int, separator string, texts ...string) string {
	var b strings.Builder
	used := 0
	for _, text := range texts {
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			text = separator + text
		}
		if used += units(text); used > most {
			break
		}
		b.WriteString(text)
	}
	return b.String()
}

// named returns the task's id and title, or "" if there is no task.
func (w wording) named(most int) string {
	t := w.Task
	if t == nil {
		return ""
	}
	return strings.TrimRight(fmt.Sprintf("task %s: %s", short(t.ID, 64), said(short(t.Title, most))), ": ")
}

// tally returns the number of checked criteria, or "" if there are none.
func (w wording) tally() string {
	if w.Task == nil || w.Task.Total == 0 {
		return ""
	}
	t := w.Task
	all := safetext.CountOf(t.Total, word(w.words(), false), word(w.words(), true))
	return fmt.Sprintf("%d of %s checked", t.Done, all)
}

// firstOpen returns the first unchecked criterion.
func (w wording) firstOpen() (Criterion, bool) {
	if w.Task != nil {
		for _, c := range w.Task.Criteria {
			if !c.Checked {
				return c, true
			}
		}
	}
	return Criterion{}, false
}

// nextOpen returns a sentence about the first unchecked criterion, or "" if there is none. With
// verify set, it also names the command that verifies it.
func (w wording) nextOpen(most int, verify bool) string {
	c, ok := w.firstOpen()
	if !ok {
		return ""
	}
	text := fmt.Sprintf("The next open %s is %d: %s", word(w.words(), false), c.N, stopped(said(short(c.Text, most))))
	if verify && c.Verify != "" {
		text += " Verify it with " + code(c.Verify) + "."
	}
	return text
}

// stopped adds a full stop to a text that has no mark at its end.
func stopped(text string) string {
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:") || strings.HasSuffix(text, more) {
		return text
	}
	return text + "."
}

// upper capitalises the first letter of a sentence.
func upper(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Pointer returns a note of at most 300 characters that the state has changed since the session
// last saw it (agents.md 2.3).
func Pointer(f Facts) string {
	w := wording{Facts: f}
	about := "No task is active."
	if w.Task != nil {
		about = upper(w.named(80))
		if tally := w.tally(); tally != "" {
			about += ", " + tally
		}
		about += "."
	}
	return joined(mostPointer, " ",
		w.speak("The state of the work has changed since it was last reported here; `baton context` prints it."), about,
		upper(w.nextOpen(80, false)))
}

// CompactNote returns what the summary of a compaction must keep word for word, in at most 1,500
// characters that do not begin with "{". It names the files that the session wrote, or else the
// uncommitted ones.
func CompactNote(f Facts) string {
	w := wording{Facts: f}
	texts := []string{"Facts that the summary must keep word for word, because the work continues from them:"}
	if w.Task != nil {
		line := "- " + w.named(160)
		if w.Task.Path != "" {
			line += " (" + short(w.Task.Path, 160) + ")"
		}
		texts = append(texts, line)
		if c, ok := w.firstOpen(); ok {
			text := said(short(c.Text, 240))
			texts = append(texts, fmt.Sprintf("- open %s %d: %s", word(w.words(), false), c.N, text))
		}
		if len(w.Task.Next) > 0 {
			texts = append(texts, "- next step: "+said(short(w.Task.Next[0], 240)))
		}
	}
	switch {
	case len(w.Touched) > 0:
		newest := slices.Clone(w.Touched)
		slices.Reverse(newest)
		texts = append(texts, "- files being edited: "+names(newest, 0))
	case len(w.Git.Dirty) > 0:
		texts = append(texts, "- files being edited: "+names(w.Git.Dirty, w.Git.More))
	}
	if w.Task == nil && w.Project.Next != "" {
		texts = append(texts, "- next step of the project: "+said(short(w.Project.Next, 200)))
	}
	for _, line := range w.moved() {
		texts = append(texts, "- "+line)
	}
	if len(texts) == 1 {
		return ""
	}
	return joined(mostNote, "\n",
		append(texts, w.speak("Add what was tried without success. `baton context` prints the state again."))...)
}

// subLogs leaves the log to the main session: an entry of a sub-agent would not free it (F-41).
const subLogs = "Report to the session that started you: it writes the task's log."

// SubTask returns what a sub-agent needs to know about the active task and its criteria, in at most
// 600 characters, or "" if the session has no task (agents.md 2.3).
func SubTask(f Facts) string {
	w := wording{Facts: f}
	if w.Task == nil || w.Proposed || w.Task.Holder != "" {
		return ""
	}
	head := "This work belongs to " + w.named(120)
	if tally := w.tally(); tally != "" {
		head += " (" + tally + ")"
	}
	// leaves room for the last two lines
	room := mostSubTask - 120 - units(subLogs) - 1
	texts := []string{head + "."}
	used, left := units(texts[0]), 0
	for _, c := range w.Task.Criteria {
		if c.Checked {
			continue
		}
		line := fmt.Sprintf("- %d. %s", c.N, said(short(c.Text, 120)))
		if used += units(line) + 1; used > room {
			left++
			continue
		}
		texts = append(texts, line)
	}
	if len(texts) > 1 {
		texts[0] += " Open:"
	}
	if left > 0 {
		texts = append(texts, w.speak(fmt.Sprintf("- %s: `%s`", safetext.CountOf(left, "more", "more"), w.show())))
	}
	texts = append(texts, subLogs)
	return joined(mostSubTask, "\n", texts...)
}

// seen names what an entry should be about, so that it becomes concrete (F-36).
func (w wording) seen() string {
	var facts []string
	for _, fact := range w.Seen {
		facts = append(facts, short(fact, 160))
	}
	if len(facts) == 0 {
		return ""
	}
	return "It is about what baton saw: " + strings.Join(facts, "; ") + "."
}

// StopReason returns, in at most 1,000 characters, why a session should not end yet and which
// command it should run first. It gives the number of open criteria and the next of them
// (agents.md 2.3).
func StopReason(f Facts) string {
	w := wording{Facts: f}
	if w.Task == nil {
		return w.speak("This session changed files but logged nothing. `baton task log ID --did TEXT --next TEXT` " +
			"records the work for its task.")
	}
	open := len(w.Task.Criteria)
	for _, c := range w.Task.Criteria {
		if c.Checked {
			open--
		}
	}
	state, check := "Every "+word(w.words(), false)+" is checked; `baton task complete "+w.id()+
		"` ends the task (if a task waits for it, write its output first).", ""
	switch {
	case w.Task.Total == 0 && open == 0, w.Task.Lacks && open == 0:
		state = ""
	case open > 0:
		state = fmt.Sprintf("%s still open.",
			upper(safetext.CountOf(open, word(w.words(), false)+" is", word(w.words(), true)+" are")))
		check = w.speak(fmt.Sprintf("Check off what you have verified, with what you saw: `baton task check %s N "+
			"--evidence TEXT`.", w.id()))
	}
	log := fmt.Sprintf("`baton task log %s --did \"…\" --issues \"…\" --next \"…\"`", w.id())
	if w.Tools {
		log = w.speak(log) + ", or " + log + " in a shell"
	}
	return joined(
		mostReason, " ",
		"This session worked on "+w.named(120)+", but the task's log has no entry of it yet. The next session "+
			"knows only what is in the log.",
		"To finish: "+log+".",
		w.seen(), short(w.Lost, mostLost), w.speak(state), w.nextOpen(160, true), check,
	)
}
