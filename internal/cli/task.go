package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

func (d *door) taskCommands() *cobra.Command {
	return d.group("task", "Create tasks, work on them and hand them on",
		"A task is one Markdown file. It holds what is to be done, what upstream tasks hand over, the criteria, an entry for\n"+
			"each session, and what downstream tasks will receive.",
		d.newCommand(), d.listCommand(), d.readyCommand(), d.showCommand(), d.graphCommand(),
		d.claimCommand(), d.releaseCommand(), d.blockCommand(), d.reopenCommand(),
		d.logCommand(), d.checkCommand(), d.uncheckCommand(),
		d.outputCommand(), d.completeCommand(),
		d.archiveCommand(), d.splitCommand(), d.convertCommand(), d.importCommand())
}

// writing are the kinds of failure that every command which changes a task may end with.
var writing = [...]report.Kind{report.NotFound, report.Conflict, report.Locked, report.Violation, report.Corrupt, report.Refused}

// reading are those of commands that only read.
var reading = [...]report.Kind{report.NotFound, report.Violation, report.Corrupt, report.Refused}

// about builds a command whose first operand is a task's id, which shells complete.
func (d *door) about(s spec) *cobra.Command {
	cmd := d.command(s)
	cmd.ValidArgsFunction = d.completeTask
	return cmd
}

// ref writes an id as headings do: "#101", "PROJ-42".
func ref(id task.ID) string { return id.Ref() }

// refs joins ids for a sentence.
func refs(ids []task.ID) string {
	words := make([]string, 0, len(ids))
	for _, id := range ids {
		words = append(words, ref(id))
	}
	return strings.Join(words, ", ")
}

// plural puts a number before its noun: "1 session", "2 sessions".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// kilobytes writes a size as the warnings of the size policy do: 1 KB = 1,024 bytes, rounded up to a tenth, so that
// two lines never differ about one file and nothing above a limit reads as being at it.
func kilobytes(size int64) string {
	tenths := (size*10 + 1023) / 1024
	return fmt.Sprintf("%d.%d KB", tenths/10, tenths%10)
}

// clock writes a moment for people: only the time when it is today, in the zone of the environment's clock.
func (p *page) clock(stamp string) string {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return stamp
	}
	now := p.env.Now()
	at = at.In(now.Location())
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}

// changes says which inputs are newer than what the task's last session saw (D12).
func changes(list []tasks.InputChange) string {
	words := make([]string, 0, len(list))
	for _, c := range list {
		words = append(words, fmt.Sprintf("input from %s changed since %s", ref(c.Task), since(c)))
	}
	return strings.Join(words, "; ")
}
