package statusline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/digest/standing"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Colours, as numbers in the escape sequence.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
	orange = "38;5;208"
	alarm  = "5;31"
)

// segment is one part of the line.
type segment struct {
	name  string
	text  string
	color string
	marks []segment // what follows the text directly, in colours of its own
}

// Line returns the line without a line end. Its only control characters are the sequences that
// switch colours. It is never empty.
func Line(in Input, f Facts, o Options) string {
	m := marksOf(o.Plain)
	line := make(segments, 0, 8)
	for _, name := range o.segments(f) {
		has := func(s segment) bool { return s.name == name }
		if s := build(name, in, f, o, m); s.text != "" && !slices.ContainsFunc(line, has) {
			line = append(line, s)
		}
	}
	if len(line) == 0 { // agents treat an empty line as a failure
		line = append(line, build("model", in, f, o, m))
	}
	return narrow(line, o.Columns, m).render(!o.Plain && !o.NoColor, m)
}

// build returns one segment. Its text is empty if there is nothing to show.
func build(name string, in Input, f Facts, o Options, m marks) segment {
	s := segment{name: name, color: dim}
	switch name {
	case "model":
		s.text = modelText(in.Model)
	case "directory":
		s.text = f.Dir
	case "branch":
		s.text = f.Branch
	case "git":
		if f.Git != nil {
			s.text, s.marks = f.Git.Branch, f.Git.marks(m)
		}
	case "spec":
		s.text, s.color = specText(f.Spec), cyan
	case "task":
		s.text, s.color = taskText(f.Task, m), bold
	case "waiting":
		s.text, s.color = waitingText(f.Waiting), yellow
	case "lost":
		s.text, s.color = lostText(f.Lost), yellow
	case "agent":
		s.text = agentText(f.Agent, m)
	case "state":
		if s.text = stateText(f, o, m); f.Todo != "" {
			s.text, s.color = f.Todo, bold
		}
	case "update":
		if s.color = yellow; f.Update {
			s.text = m.newer + "/gsd:update"
		}
	case "hooks":
		if s.color = red; f.Hooks == HooksAhead {
			s.color = yellow
		}
		if f.Hooks != "" {
			s.text = m.warning + string(f.Hooks)
		}
	case "last":
		if f.LastCommand != "" {
			s.text = "last: /" + f.LastCommand
		}
	case "context":
		s.text, s.color = meter(in, f, o, m)
		return s // no text in it comes from outside
	}
	s.text = shown(s.text)
	return s
}

func stateText(f Facts, o Options, m marks) string {
	switch {
	case f.State == nil:
		return f.Note
	case o.Format == "compact":
		return cmp.Or(compact(f.State, m), tasksText(f.Standing, true, m))
	}
	return cmp.Or(state(f.State, m), tasksText(f.Standing, false, m))
}

// tasksText returns how many tasks are complete, for a project in which no phase has begun (F-12).
func tasksText(s *standing.Facts, short bool, m marks) string {
	if s == nil || s.Total == 0 {
		return ""
	}
	of := strconv.Itoa(s.Complete) + "/" + strconv.Itoa(s.Total)
	if short {
		return of
	}
	return of + " [" + m.cells(s.Percent) + "] " + strconv.Itoa(s.Percent) + "%"
}

// modelText returns the model's name, in which "(1M context)" at the end becomes "(1M)" (1.10).
func modelText(name string) string {
	if name = strings.TrimSpace(name); name == "" {
		return "Claude"
	}
	open := strings.LastIndexByte(name, '(')
	if open < 0 {
		return name
	}
	lower := strings.ToLower(name[open:])
	for _, word := range [...]string{" context)", " ctx)"} {
		if strings.HasSuffix(lower, word) && len(lower) == len(name[open:]) && len(lower) > len(word)+1 {
			badge := strings.TrimRight(name[open:len(name)-len(word)], " ") + ")"
			return strings.TrimSpace(strings.TrimRight(name[:open], " ") + " " + badge)
		}
	}
	return name
}

// specText returns SpecFlow's bracket (specflow.md 5.14).
func specText(s *Spec) string {
	if s == nil || s.ID == "" {
		return ""
	}
	text := "[SF: " + s.ID
	if s.More > 0 {
		text += fmt.Sprintf("+%d", s.More)
	}
	if s.Status != "" {
		text += " " + s.Status
	}
	return text + "]"
}

// taskText returns "#101 JWT service · 2/4 · s3" (D24). Parts with zero are left out. Once the
// task is complete, it returns "✓ #101 JWT service · next #102 Endpoints" (F-13).
func taskText(t *Task, m marks) string {
	if t == nil {
		return ""
	}
	text := named(t.ID, t.Title, m)
	if t.finished() {
		if t.Status == task.StatusComplete {
			text = m.done + text
		} else {
			text += m.dot + string(t.Status)
		}
		if t.Next != nil {
			text += m.dot + "next " + named(t.Next.ID, t.Next.Title, m)
		}
		return text
	}
	if t.Criteria > 0 {
		text += fmt.Sprintf("%s%d/%d", m.dot, t.Checked, t.Criteria)
	}
	if t.Sessions > 0 {
		text += fmt.Sprintf("%ss%d", m.dot, t.Sessions)
	}
	return text
}

// named returns a task's number and its title, shortened.
func named(id task.ID, title string, m marks) string {
	text := id.Ref()
	if title = safetext.ColumnsWith(shown(strings.TrimSpace(title)), titleColumns, m.tail); title != "" {
		text += " " + title
	}
	return text
}

// lostText returns "lost 3", the number of entries that disappeared from documents and were neither
// restored nor accepted. It returns "" for none.
func lostText(n int) string {
	if n <= 0 {
		return ""
	}
	return "lost " + strconv.Itoa(n)
}

// waitingText returns "2 waiting", the number of agents' sessions that wait for a person (D49).
func waitingText(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n) + " waiting"
}

// agentText returns "↑1.2k", the estimated number of tokens that baton put into the session's
// context. It returns "" for none.
func agentText(a *Agent, m marks) string {
	switch {
	case a == nil || a.Tokens <= 0:
		return ""
	case a.Tokens < 1000:
		return m.up + strconv.Itoa(a.Tokens)
	case a.Tokens < 999_950:
		return fmt.Sprintf("%s%.1fk", m.up, float64(a.Tokens)/1e3)
	}
	return fmt.Sprintf("%s%.1fM", m.up, float64(a.Tokens)/1e6)
}

// segments are the segments of the line in order.
type segments []segment

// narrow removes whole segments until the line fits: first the injected tokens, then git's
// status, the branch, the directory, the model and the context. It never removes the state, the
// numbers of lost entries and of waiting sessions, or the last segment (D23).
func narrow(line segments, columns int, m marks) segments {
	for _, name := range [...]string{"agent", "git", "branch", "directory", "model", "context"} {
		if columns <= 0 || line.width(m) <= columns {
			return line
		}
		rest := slices.DeleteFunc(slices.Clone(line), func(s segment) bool { return s.name == name })
		if len(rest) > 0 {
			line = rest
		}
	}
	return line
}

// width returns the width in terminal columns.
func (line segments) width(m marks) int { return displaywidth.String(line.render(false, m)) }

// render joins the segments. Only a blank separates the context from the segment before it, because
// the two belong together.
func (line segments) render(color bool, m marks) string {
	var b strings.Builder
	b.Grow(256)
	for i, s := range line {
		switch {
		case i == 0:
		case s.name == "context":
			b.WriteByte(' ')
		default:
			b.WriteString(m.bar)
		}
		s.write(&b, color)
		for _, mark := range s.marks {
			mark.write(&b, color)
		}
	}
	return b.String()
}

func (s segment) write(b *strings.Builder, color bool) {
	if color {
		b.WriteString("\x1b[" + s.color + "m" + s.text + "\x1b[0m")
	} else {
		b.WriteString(s.text)
	}
}
