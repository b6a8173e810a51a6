package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"baton/internal/report"
	"baton/internal/usecase/folder"
)

func (d *door) dirCommands() *cobra.Command {
	return d.group("dir", "Keep the working folder of agents clean",
		"Agents leave plans, reviews, summaries and logs in one folder: .devt/state, or .baton/work. A contract says which names may\n"+
			"be there, who writes them, which statuses they carry, and what happens to them when a workflow ends or begins. What\n"+
			"has no place there moves to .archive in the same folder; nothing is removed.",
		d.dirAuditCommand(), d.dirCleanupCommand(), d.dirResetCommand(), d.dirEvictCommand(), d.dirBeginCommand(),
		d.dirReadCommand(), d.dirUpdateCommand(), d.dirValidateCommand(), d.dirContractCommand(), d.dirLintCommand(),
		d.dirHistoryCommand(), d.dirRestoreCommand(), d.dirLockCommand(), d.dirUnlockCommand(), d.dirSlugCommand())
}

// inFolder gives a command the flag that says which folder is meant. An id that is given and empty, as of a variable that is
// not set, never means the project's own folder.
func inFolder(cmd *cobra.Command, r *folder.DirRequest) *cobra.Command {
	cmd.Flags().StringVar(&r.Instance, "instance", "", "in the folder of the instance `ID`; else DEVT_WORKFLOW_ID")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if r.Instance == "" && cmd.Flags().Changed("instance") {
			return &report.Error{
				Kind: report.Usage, Code: "instance_invalid", Message: "--instance is empty",
				Hint: "name an instance, or leave the flag out for the project's own folder",
			}
		}
		return nil
	}
	return cmd
}

// again is a command of this group as a hint names it, in the folder that this run was about.
func (d *door) again(r folder.DirRequest, words ...string) string {
	return again(r, d.layout, d.dir, words...)
}

func (p *page) again(r folder.DirRequest, words ...string) string {
	return again(r, p.layout, p.dir, words...)
}

func again(r folder.DirRequest, layout, dir string, words ...string) string {
	line := "baton dir " + strings.Join(words, " ")
	if r.Instance != "" {
		line += " --instance " + r.Instance
	}
	if layout != "" {
		line += " --layout " + layout
	}
	if dir != "" {
		word, ok := shellWord(dir)
		if !ok {
			word = "DIR" // to be filled in: without it the command would be about another folder
		}
		line += " -C " + word
	}
	return line
}

// withWords puts the words in that a command line of again leaves open with %s. A folder after it may hold one too.
func withWords(line, words string) string { return strings.Replace(line, "%s", words, 1) }

// inShell writes a command line with its operands as a shell takes them; "" where a page could not show one as it is.
func inShell(command string, operands []string) string {
	line := command
	if slices.ContainsFunc(operands, func(word string) bool { return len(word) > 1 && word[0] == '-' }) {
		line += " --"
	}
	for _, word := range operands {
		word, ok := shellWord(word)
		if !ok {
			return ""
		}
		line += " " + word
	}
	return line
}

// shellWord writes one word as a shell takes it; ok is false for one that a page cannot show as it is.
func shellWord(word string) (quoted string, ok bool) {
	if harmless(word) != word || !utf8.ValidString(word) {
		return "", false
	}
	if word == "" || strings.ContainsFunc(word, func(r rune) bool { return !plainInShell(r) }) {
		word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word, true
}

// plainInShell says whether a character means nothing to a shell.
func plainInShell(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:@%+", r)
}

// doIt says how to do what a dry run has shown.
func (p *page) doIt(nothing, line string) {
	if line == "" {
		line = "the same command without --dry-run"
	}
	p.hint("%s Do it: %s", nothing, line)
}

// filename makes a name harmless without hiding that it has a line feed or a tab in it (SD-16).
func filename(name string) string {
	return harmless(strings.ReplaceAll(strings.ReplaceAll(name, "\n", "␊"), "\t", "␉"))
}

// wordy is the number of columns that a name may have in a sentence on a terminal.
const wordy = 48

// filename is the name in a sentence, shortened where the terminal has no room for it.
func (p *page) filename(name string) string {
	if p.width == 0 {
		return filename(name)
	}
	return cut(filename(name), wordy)
}

// filenames joins names for a sentence, most of them at most.
func (p *page) filenames(names []string, most int) string {
	words := make([]string, 0, len(names))
	for i, name := range names {
		if i == most && len(names) > most+1 {
			return fmt.Sprintf("%s and %d more", strings.Join(words, ", "), len(names)-most)
		}
		words = append(words, p.filename(name))
	}
	return strings.Join(words, ", ")
}

// age writes seconds for people; what lies ahead is "in" so much.
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

// many counts entries of a folder.
func many(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return thousands(n) + " entries"
}

// sized is a number of entries with their size together, where they have one: of folders it is not counted.
func sized(n int, size int64) string {
	if size == 0 {
		return many(n)
	}
	return many(n) + ", " + kilobytes(size)
}

// problems counts them for a sentence.
func problems(errs, warnings int) string {
	switch {
	case errs == 0:
		return plural(warnings, "warning")
	case warnings == 0:
		return plural(errs, "error")
	}
	return plural(errs, "error") + " and " + plural(warnings, "warning")
}

// findings is the error that gives a command its exit code whose answer names what is wrong.
func findings(path, message string, errs, warnings int) error {
	return &report.Error{
		Kind: report.Violation, Code: "findings", Path: path, Message: message,
		Hint: "the findings above say what and where", Details: map[string]any{"errors": errs, "warnings": warnings},
	}
}

// meaningInFolder is what an exit code says of a command of this group, where it is more exact than of all commands; "" else.
func meaningInFolder(called string, kind report.Kind) string {
	name, inGroup := strings.CutPrefix(called, "dir ")
	switch {
	case !inGroup:
	case kind == report.NotFound:
		return notFoundInFolder(name)
	case kind == report.Conflict && name == "restore":
		return "conflict: a name is taken in the folder, or its files changed meanwhile"
	case kind == report.Conflict && name == "unlock":
		return "conflict: a living process holds the lock"
	case kind == report.Conflict && name == "slug":
		return "conflict: two titles have one slug, or another lane has it"
	case kind == report.Conflict:
		return "conflict: the files changed meanwhile"
	case kind == report.Violation && name == "validate":
		return "errors were found, with --strict also warnings; or refused by a rule: the message says which"
	case kind == report.Violation && name == "lint":
		return "references were found that the contract does not allow; or refused by a rule: the message says which"
	case kind == report.Refused && (name == "cleanup" || name == "reset" || name == "evict" || name == "begin" || name == "restore"):
		return "refused by the system: an entry could not be moved, permission, read-only, no space"
	}
	return ""
}

func notFoundInFolder(name string) string {
	switch name {
	case "restore":
		return "not found: no such snapshot, no such entry in it, or no project here"
	case "contract":
		return "not found: no schema of that name, or no project here"
	case "lint":
		return "not found: no such file or folder, or no project here"
	}
	return "not found: no project here"
}
