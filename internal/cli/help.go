package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"baton/internal/report"
)

// rootHelp is the command map. It is a constant because it must appear without the command tree; a test compares
// the two.
const rootHelp = `baton keeps the state of long-running work in plain Markdown files: one file
per task, which each session reads first and leaves in order for the next one.

Start
  baton init                         make the files and folders of a project
  baton status                       where the project stands, who holds what
  baton statusline                   one line for an agent's status bar
  baton context [TASK]               what a fresh session needs to know
  baton protocol                     how a session works on a task

Tasks
  baton task new TITLE               create a task
  baton task list                    all tasks with their status
  baton task ready                   what can be started now, in order
  baton task show ID                 everything about one task
  baton task graph                   which task waits for which

Work
  baton task claim ID|--next         hold a task, so that no other takes it
  baton task release ID              let go of a task
  baton session start ID             begin a session: what is open, what came in
  baton task log ID                  hand over: what was done, what is next
  baton task check ID CRITERION      check a criterion, by a command at best
  baton task uncheck ID CRITERION    open a criterion again
  baton session end ID|SESSION       end a session

Finish
  baton task output ID               read or write what downstream tasks receive
  baton task complete ID             finish a task and hand its output on
  baton task block ID                say that a task cannot go on
  baton task reopen ID               take a finished or blocked task up again

Digest (STATE.md of GSD, SpecFlow or baton)
  baton state show                   where the project stands, on one screen
  baton state begin PHASE            begin to discuss, plan, execute or verify
  baton state complete               complete the active phase
  baton state sync                   bring progress and next step up to date
  baton state COMMAND                all others: baton help state
  baton decision add TEXT            record a decision; old ones are archived
  baton decision list                the decisions, and with --all older ones
  baton decision rotate              move old decisions to the archive
  baton blocker add TEXT             record what is in the way
  baton blocker list                 what is in the way
  baton blocker resolve TEXT|N       it is no longer
  baton history [ID]                 what was finished and decided

Working folder of agents (.devt/state or .baton/work)
  baton dir audit                    what is in it, and what should not be
  baton dir cleanup                  move left-overs to its archive
  baton dir begin TYPE TASK          begin a workflow: sweep, stamp the record
  baton dir validate                 check statuses and JSON sidecars
  baton dir contract [NAME]          which names are allowed, or why one is not
  baton dir COMMAND                  all others: baton help dir

Coding agents
  baton init --agent NAMES           set up agents: hooks, server, skill
  baton init --check                 whether their settings are current
  baton plugin build                 the plugin and its marketplace
  baton hook                         answer one event of an agent
  baton mcp                          serve tools and resources to an agent

Find again
  baton search TEXT…                 where words stand in all documents

Keep in shape
  baton doctor                       what is wrong here, and what mends it
  baton task archive ID              move old sessions to the archive
  baton task split ID                cut a large task into chained parts
  baton task convert ID              change a file to another dialect
  baton task import FILE             take in a task file that stands elsewhere
  baton snapshot list [NAME]         kept versions of a file, newest first
  baton snapshot show REV            a file as it was
  baton snapshot diff REV [REV]      what changed since, or between two
  baton snapshot restore REV         bring a file back to what it was
  baton log [TASK]                   what baton did: who, when, which files
  baton undo [N]                     take back the last change of baton's
  baton lost                         what an edit wiped; --restore puts it back
  baton blame NAME[#SECTION]         with which change each entry came
  baton merge install                let git merge branches by meaning
  baton merge driver                 merge three versions, as git asks
  baton merge check                  what a merge left to be mended

More
  baton config list                  every setting with its value and meaning
  baton completion SHELL             completion of commands, flags and ids
  baton selftest                     let processes die, and look at the files
  baton version                      the version
  baton help COMMAND                 flags, examples, exit status of a command

Flags everywhere:
  --json, -C DIR, --as NAME, --layout NAME, --tasks-dir DIR, --no-color
Exit status:
  0 done, 2 wrong usage, others by kind of failure: baton help task complete
`

// help is the page of one command.
func help(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return rootHelp
	}
	var b strings.Builder
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	b.WriteString(paragraphs(text) + "\n\nUsage:\n  " + cmd.UseLine() + flagsMark(cmd) + "\n")
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, child := range cmd.Commands() {
			hang(&b, fmt.Sprintf("  %-10s ", child.Name()), child.Short)
		}
		b.WriteString("\nMore: baton help " + called(cmd) + " COMMAND\n")
		return b.String()
	}
	if cmd.Example != "" {
		b.WriteString("\nExamples:\n")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			b.WriteString("  " + line + "\n")
		}
	}
	writeFlags(&b, "Flags", cmd.LocalNonPersistentFlags())
	writeFlags(&b, "Flags of every command", cmd.InheritedFlags())
	b.WriteString("\nExit status:\n")
	for _, row := range exitTable(cmd) {
		hang(&b, "  "+row[:5], row[5:])
	}
	return b.String()
}

// helpColumns is the width of help, whatever the terminal's: it is read in documents too.
const helpColumns = 80

// paragraphs breaks a text to the width of help. Lines that are indented stay as they are.
func paragraphs(text string) string {
	var out []string
	var open []string // lines of a paragraph that goes on
	end := func() {
		if len(open) > 0 {
			out = append(out, wrap(strings.Join(open, " "), helpColumns)...)
			open = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || strings.HasPrefix(line, " ") {
			end()
			out = append(out, line)
			continue
		}
		open = append(open, line)
	}
	end()
	return strings.Join(out, "\n")
}

// hang puts a text behind a lead, its further lines standing under the first.
func hang(b *strings.Builder, lead, text string) {
	columns := utf8.RuneCountInString(lead)
	for i, line := range wrap(text, helpColumns-columns) {
		if i > 0 {
			lead = strings.Repeat(" ", columns)
		}
		b.WriteString(lead + line + "\n")
	}
}

func flagsMark(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return " COMMAND"
	}
	return " [flags]"
}

// writeFlags lists flags with what they take; help itself is not worth a line.
func writeFlags(b *strings.Builder, title string, set *pflag.FlagSet) {
	var rows [][2]string
	widest := 0
	set.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden || flag.Name == "help" {
			return
		}
		value, text := pflag.UnquoteUsage(flag)
		name := "    --" + flag.Name
		if flag.Shorthand != "" {
			name = "-" + flag.Shorthand + ", --" + flag.Name
		}
		if value != "" {
			name += " " + value
		}
		widest = max(widest, len(name))
		rows = append(rows, [2]string{name, text})
	})
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n" + title + ":\n")
	for _, row := range rows {
		hang(b, fmt.Sprintf("  %-*s   ", widest, row[0]), row[1])
	}
}

// exitTable gives the lines of "Exit status" from the one table of kinds.
func exitTable(cmd *cobra.Command) []string {
	if cmd.Annotations[exitsKey] == neverFails {
		return []string{
			"  0  always, also with a word that is wrong",
			fmt.Sprintf("%3d  %s", report.Interrupted.Row().Exit, meaning(report.Interrupted)),
		}
	}
	if cmd.Annotations[exitsKey] == hookExits {
		return []string{"  0  always, with one exception", " 42  a tool call is refused, with --agent kiro only"}
	}
	kinds := slices.Clone(always[:])
	for word := range strings.FieldsSeq(cmd.Annotations[exitsKey]) {
		kinds = append(kinds, report.Kind(word))
	}
	kinds = append(kinds, report.Interrupted)
	slices.SortStableFunc(kinds, func(a, b report.Kind) int { return a.Row().Exit - b.Row().Exit })
	rows := []string{"  0  done, or nothing to do"}
	for _, kind := range slices.Compact(kinds) {
		text := cmp.Or(meaningInFolder(called(cmd), kind), meaningForDoctor(called(cmd), kind), meaning(kind))
		rows = append(rows, fmt.Sprintf("%3d  %s", kind.Row().Exit, text))
	}
	return rows
}

// meaning is a kind of failure in a few words, for help and documentation.
func meaning(kind report.Kind) string {
	switch kind {
	case report.Usage:
		return "wrong usage: a flag, a value or an id that is not allowed"
	case report.NotFound:
		return "not found: no such task or entry, no project or digest here, or nothing ready"
	case report.Conflict:
		return "conflict: another one holds the task, another phase is active, the id is taken, or the file changed meanwhile"
	case report.Locked:
		return "locked: another baton was writing for too long"
	case report.Violation:
		return "refused by a rule: the message says which"
	case report.Corrupt:
		return "a file cannot be understood or must not be changed: the message says where"
	case report.Unavailable:
		return "a part of baton is not there"
	case report.Refused:
		return "refused by the system: permission, read-only, no space, input or output"
	case report.NotVerified:
		return "not verified: the command failed or took too long"
	case report.Interrupted:
		return "interrupted by a signal"
	default:
		return "a defect of baton"
	}
}

func (d *door) helpCommand() *cobra.Command {
	cmd := d.command(spec{
		use: "help [COMMAND…]", short: "Explain a command",
		long:    "Print the command map, or the flags, examples and exit status of one command.",
		example: "baton help\nbaton help task log",
		most:    8,
		run: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				return unknownCommand(found, rest)
			}
			if err != nil {
				return unknownCommand(cmd.Root(), args)
			}
			return d.print([]byte(help(found)))
		},
	})
	cmd.ValidArgsFunction = completeHelp
	return cmd
}
