package split

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/safetext"
	"baton/internal/task"
)

// noticeWidth is the number of columns between the sides of the box.
const noticeWidth = 66

// Notice returns a box of text about a task in parts or one that has become large (5.15): its
// sessions and size, the sub-tasks that could be split off, and the three possible answers. The
// caller decides whether the notice is due, and sets large only if the task is. taken reports
// whether an id is in use; nil means that none is. Lines end in LF.
func Notice(s *task.State, sg Suggestion, sessions int, large bool, taken func(task.ID) bool) string {
	id := string(s.ID)
	lines := []string{"Task " + s.ID.Ref() + " has grown large", ""}
	if !large {
		lines[0] = "Task " + s.ID.Ref() + " in parts"
	}
	lines = append(lines,
		fmt.Sprintf("It has had %d %s so far, and its file has %s.", sessions,
			safetext.Noun(sessions, "session", "sessions"), task.Kilobytes(len(s.Bytes()))))
	if large {
		lines = append(lines, "Large tasks are hard to finish.")
	}
	lines = append(lines, "")
	if len(sg.Groups) > 0 {
		lines = append(lines, "You could split it into these sub-tasks:")
		ids := ChildIDs(s, len(sg.Groups), taken)
		for i, g := range sg.Groups {
			lines = append(lines, subTaskLine(ids[i], g, i == len(sg.Groups)-1))
		}
	} else {
		lines = append(lines, "Too few criteria are open to suggest sub-tasks: "+sg.tooFew()+".")
	}
	lines = append(lines, "",
		"split     baton task split "+id+" --apply",
		"continue  nothing to do",
		"dismiss   baton task split "+id+" --dismiss")
	return box(lines)
}

// subTaskLine returns one branch of the tree of sub-tasks. The title is shortened so that the
// estimate fits.
func subTaskLine(id task.ID, g Group, last bool) string {
	branch := "├─ "
	if last {
		branch = "└─ "
	}
	head := branch + string(id) + "  "
	tail := fmt.Sprintf("  (about %d %s)", g.Estimate, safetext.Noun(g.Estimate, "session", "sessions"))
	room := noticeWidth - 4 - displaywidth.String(head) - displaywidth.String(tail)
	return head + safetext.Columns(g.Title, max(room, 8)) + tail
}

// box draws a frame around lines and cuts those that are too long.
func box(lines []string) string {
	var b strings.Builder
	rule := strings.Repeat("─", noticeWidth)
	b.WriteString("┌" + rule + "┐\n")
	for _, line := range lines {
		line = safetext.Columns(line, noticeWidth-4)
		pad := max(0, noticeWidth-4-displaywidth.String(line))
		b.WriteString("│  " + line + strings.Repeat(" ", pad) + "  │\n")
	}
	b.WriteString("└" + rule + "┘\n")
	return b.String()
}
