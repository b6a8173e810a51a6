// Package standing has the few lines with which baton's own digest says how far the tasks are
// (F-12). They stand between two markers, are computed from the tasks, and are rewritten as a
// whole. A digest has them as long as no phase has begun.
package standing

import (
	"fmt"
	"strconv"
	"strings"

	"baton/internal/safetext"
)

// Facts says how far the tasks of a project are.
type Facts struct {
	Total    int    `json:"total"`            // tasks, without those that were cancelled or split
	Complete int    `json:"complete"`         // of them
	Percent  int    `json:"percent"`          // rounded down
	Focus    *Task  `json:"focus,omitempty"`  // the task in progress with the newest entry
	Others   int    `json:"others,omitempty"` // further tasks in progress
	Last     *Entry `json:"last,omitempty"`   // the newest entry of all tasks
}

// Task is a task and its title.
type Task struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Entry is the newest entry in the progress log of a task.
type Entry struct {
	Task string `json:"task"`
	At   string `json:"at"`             // "2006-01-02 15:04", as the entry says it
	N    int    `json:"session"`        // its number
	Next string `json:"next,omitempty"` // its first next step
}

// Counted sets the numbers.
func (f *Facts) Counted(complete, total int) {
	f.Complete, f.Total, f.Percent = complete, total, 0
	if total > 0 {
		f.Percent = complete * 100 / total
	}
}

// Newer reports whether an entry is newer than another, which may be nil.
func (e *Entry) Newer(other *Entry) bool {
	if e == nil || other == nil {
		return e != nil
	}
	return e.At > other.At || e.At == other.At && e.Task == other.Task && e.N > other.N
}

// mostText is the most characters of a title or of a next step.
const mostText = 160

// The labels of the derived lines.
const (
	labelProgress = "Progress"
	labelFocus    = "Focus"
	labelLast     = "Last activity"
	labelNext     = "Stopped at"
)

// Words returns the values by label, in order. Lines for which there is nothing to say are left
// out.
func (f Facts) Words() [][2]string {
	if f.Total == 0 && f.Last == nil {
		return nil
	}
	out := [][2]string{{labelProgress, "[" + safetext.Bar(f.Percent, "█", "░") + "] " + f.Share()}}
	if f.Focus != nil {
		out = append(out, [2]string{labelFocus, f.FocusWords()})
	}
	if e := f.Last; e != nil {
		out = append(out, [2]string{labelLast, e.Words()})
		if words := f.NextWords(); words != "" {
			out = append(out, [2]string{labelNext, words})
		}
	}
	return out
}

// Share returns the progress in words: "50%, 3 of 6 tasks complete".
func (f Facts) Share() string {
	return strconv.Itoa(f.Percent) + "%, " + strconv.Itoa(f.Complete) + " of " +
		safetext.Count(f.Total, "task") + " complete"
}

// FocusWords returns the task at work, and how many others are in progress.
func (f Facts) FocusWords() string {
	if f.Focus == nil {
		return ""
	}
	words := strings.TrimSpace("#" + f.Focus.ID + " " + oneLine(f.Focus.Title))
	if f.Others > 0 {
		words += fmt.Sprintf(" (and %d more in progress)", f.Others)
	}
	return words
}

// NextWords returns where work stopped: the next step of the newest entry, or "".
func (f Facts) NextWords() string {
	if f.Last == nil || oneLine(f.Last.Next) == "" {
		return ""
	}
	return "#" + f.Last.Task + ", next: " + oneLine(f.Last.Next)
}

// Words returns when and where the entry was written.
func (e *Entry) Words() string {
	return e.At + ", session " + strconv.Itoa(e.N) + " of #" + e.Task
}

// oneLine returns a text that cannot end the line or begin a comment.
func oneLine(text string) string {
	text = strings.ReplaceAll(safetext.JoinLines(text), "<!--", "<! --")
	return strings.TrimSpace(safetext.Runes(text, mostText))
}

// read parses the lines of a block. What it cannot read is left out.
func read(lines []string) Facts {
	var f Facts
	for _, line := range lines {
		label, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch label {
		case labelProgress:
			var complete, total int
			if _, share, ok := strings.Cut(value, "%, "); ok {
				n, _ := fmt.Sscanf(share, "%d of %d", &complete, &total)
				if n == 2 && 0 <= complete && complete <= total {
					f.Counted(complete, total)
				}
			}
		case labelFocus:
			f.readFocus(value)
		case labelLast:
			f.readLast(value)
		case labelNext:
			if task, next, ok := strings.Cut(value, ", next: "); ok && f.Last != nil && task == "#"+f.Last.Task {
				f.Last.Next = next
			}
		}
	}
	return f
}

func (f *Facts) readFocus(value string) {
	if words, more, ok := cutLast(value, " (and "); ok {
		if n, _ := fmt.Sscanf(more, "%d more in progress)", &f.Others); n == 1 {
			value = words
		}
	}
	if id, title, _ := strings.Cut(value, " "); strings.HasPrefix(id, "#") && len(id) > 1 {
		f.Focus = &Task{ID: id[1:], Title: title}
	}
}

func (f *Facts) readLast(value string) {
	at, where, ok := strings.Cut(value, ", session ")
	number, id, named := strings.Cut(where, " of #")
	n, err := strconv.Atoi(number)
	if ok && named && err == nil && id != "" {
		f.Last = &Entry{Task: id, At: at, N: n}
	}
}

func cutLast(text, sep string) (before, after string, ok bool) {
	at := strings.LastIndex(text, sep)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(sep):], true
}
