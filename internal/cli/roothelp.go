package cli

import (
	"github.com/spf13/cobra"

	"baton/internal/cli/app"
)

// rootHelp is the command map. It is a constant because it must appear without the command tree; a
// test compares the two.
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

// printHelp prints the page of a command; that of the program is the command map.
func printHelp(d *app.App, cmd *cobra.Command) error {
	if !cmd.HasParent() {
		return d.Print([]byte(rootHelp))
	}
	return d.Print([]byte(app.Help(cmd)))
}

func helpCommand(d *app.App) *cobra.Command {
	cmd := d.Command(app.Spec{
		Use: "help [COMMAND…]", Short: "Explain a command",
		Long:    "Print the command map, or the flags, examples and exit status of one command.",
		Example: "baton help\nbaton help task log",
		MaxArgs: 8,
		Run: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				return d.UnknownCommand(found, rest)
			}
			if err != nil {
				return d.UnknownCommand(cmd.Root(), args)
			}
			return printHelp(d, found)
		},
	})
	cmd.ValidArgsFunction = completeHelp
	return cmd
}
