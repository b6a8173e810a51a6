package folder

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/folder"
)

func dirCommands(d *app.App) *cobra.Command {
	return d.Group(
		"dir",
		"Keep the agents' working folder clean",
		"Agents leave plans, reviews, summaries and logs in one folder: .devt/state or "+
			".baton/work. A list, the contract, says which file names belong there, who writes them, which "+
			"statuses they have, and what happens to them when a workflow starts or ends. Everything else "+
			"moves to .archive in the same folder; nothing is deleted.",
		dirAuditCommand(d),
		dirCleanupCommand(d),
		dirResetCommand(d),
		dirEvictCommand(d),
		dirBeginCommand(d),
		dirReadCommand(d),
		dirUpdateCommand(d),
		dirValidateCommand(d),
		dirContractCommand(d),
		dirLintCommand(d),
		dirHistoryCommand(d),
		dirRestoreCommand(d),
		dirLockCommand(d),
		dirUnlockCommand(d),
		dirSlugCommand(d),
	)
}

// inFolder adds the flag that names the folder to a command, and returns the command. An empty id,
// as of a variable that is not set, never means the project's own folder.
func inFolder(cmd *cobra.Command, r *folder.DirRequest) *cobra.Command {
	cmd.Flags().StringVar(
		&r.Instance, "instance", "", "use the folder of the instance `ID` (default: DEVT_WORKFLOW_ID)",
	)
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if r.Instance == "" && cmd.Flags().Changed("instance") {
			return &report.Error{
				Kind: report.Usage, Code: report.CodeInstanceInvalid, Message: "--instance is empty",
				Hint: "name an instance, or leave out the flag to use the project's own folder",
			}
		}
		return nil
	}
	return cmd
}

// hintFor returns a command of this group for a hint, about the folder of this run.
func hintFor(d *app.App, r folder.DirRequest, words ...string) string {
	return hintLine(r, d.Layout, d.Dir, words...)
}

func pageHint(p *app.Page, r folder.DirRequest, words ...string) string {
	return hintLine(r, p.Layout, p.Dir, words...)
}

func hintLine(r folder.DirRequest, layout, dir string, words ...string) string {
	line := "baton dir " + strings.Join(words, " ")
	if r.Instance != "" {
		line += " --instance " + r.Instance
	}
	if layout != "" {
		line += " --layout " + layout
	}
	return app.In(dir, line)
}

// withWords fills in the words that a command line leaves open with %s. It replaces only the first
// one: a folder in the line may contain another.
func withWords(line, words string) string { return strings.Replace(line, "%s", words, 1) }

// filename makes a name harmless without hiding that it has a line feed or a tab in it (SD-16).
func filename(name string) string {
	return safetext.Visible(strings.ReplaceAll(strings.ReplaceAll(name, "\n", "␊"), "\t", "␉"))
}

// wordy is the number of columns that a name may have in a sentence on a terminal.
const wordy = 48

// shortFilename returns the name in a sentence, shortened where the terminal has no room for it.
func shortFilename(p *app.Page, name string) string {
	if p.Width == 0 {
		return filename(name)
	}
	return safetext.Columns(filename(name), wordy)
}

// shortFilenames joins names for a sentence and counts the rest if there are more than most.
func shortFilenames(p *app.Page, names []string, most int) string {
	words := make([]string, 0, len(names))
	for i, name := range names {
		if i == most && len(names) > most+1 {
			return fmt.Sprintf("%s and %d more", strings.Join(words, ", "), len(names)-most)
		}
		words = append(words, shortFilename(p, name))
	}
	return strings.Join(words, ", ")
}

// age returns seconds for people; a time in the future is "in" so much.
func age(seconds float64) string {
	if seconds < 0 {
		return "in " + age(-seconds)
	}
	const minute, hour, day = 60, 60 * 60, 24 * 60 * 60
	switch {
	case seconds < minute:
		return fmt.Sprintf("%d s", int(seconds))
	case seconds < hour:
		return fmt.Sprintf("%d min", int(seconds/minute))
	case seconds < day:
		return fmt.Sprintf("%d h", int(seconds/hour))
	}
	return fmt.Sprintf("%.0f d", float64(int64(seconds/day)))
}

// sized returns a number of entries with their total size, if they have one: folders have none.
func sized(n int, size int64) string {
	if size == 0 {
		return app.EntryCount(n)
	}
	return app.EntryCount(n) + ", " + app.Kilobytes(size)
}
