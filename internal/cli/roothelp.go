package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/sessions"
)

// topHelp is what `baton help` prints: the commands that people type. allHelp has every command.
// Both are constants because they must appear without the command tree; a test compares them with
// it.
const topHelp = `baton keeps the state of long-running work in plain Markdown files, so that each
session of a coding agent knows what the sessions before it did.

Start
  baton init                     set up a project; --agent NAMES sets up agents
  baton status                   show where the project stands
  baton waiting                  list agents' sessions and who waits for you
  baton context [TASK]           print what a new session needs to know
  baton doctor                   list what is wrong here; --fix repairs it

Tasks
  baton task new TITLE           create a task
  baton task edit ID             change what a task says
  baton task list                list the tasks with their status
  baton task ready               list the tasks that you can start, in order
  baton task show ID             show everything about one task
  baton task graph               show which task waits for which

Work on a task
  baton next                     take up the next task, and see what to know
  baton session start ID         claim a task and see what is open
  baton task check ID CRITERION  check off a criterion; --run verifies it
  baton task log ID              hand off: what you did, what comes next
  baton session end ID           end the session
  baton task output ID           write what dependent tasks receive
  baton task complete ID         finish the task and pass its output on
  baton task COMMAND             claim, release, block, reopen, cancel, split …

Project digest (STATE.md)
  baton state show               show phase, progress and next step
  baton state begin PHASE        start or finish a stage of a phase
  baton state COMMAND            complete, sync, set, pause, resume, next …
  baton decision add TEXT        record a decision; old ones are archived
  baton blocker add TEXT         record a blocker; blocker resolve closes it

Working folder of agents (.devt/state or .baton/work)
  baton dir audit                list the files, and what does not belong there
  baton dir cleanup              move stray files to the archive
  baton dir COMMAND              begin, reset, restore, validate, contract …

Find, undo, recover
  baton search TEXT…             search all documents
  baton log [TASK]               list what baton changed: who, when, which files
  baton undo [N]                 undo baton's last change
  baton lost                     list and restore entries that edits removed
  baton snapshot list [NAME]     list earlier versions of a file
  baton merge install            teach git to merge these files

Settings and help
  baton config list              list the settings with their values
  baton completion SHELL         print a completion script for your shell
  baton help COMMAND             show flags, examples and exit codes
  baton help --all               list every command

Global flags: --json, -C DIR, --as NAME, --layout NAME, --color WHEN
`

// allHelp is what `baton help --all` prints.
const allHelp = `Every command of baton. Details: baton help COMMAND

Start
  baton init                         set up a project
  baton status                       show where the project stands
  baton waiting                      list agents' sessions and who waits for you
  baton context [TASK]               print what a new session needs to know
  baton protocol                     print how a session works on a task
  baton doctor                       list what is wrong here; --fix repairs it

Tasks
  baton task new TITLE               create a task
  baton task edit ID                 change what a task says
  baton task list                    list the tasks with their status
  baton task ready                   list the tasks that you can start, in order
  baton task show ID                 show everything about one task
  baton task graph                   show which task waits for which
  baton task import FILE             import a task file from another folder
  baton task split ID                split a large task into chained parts
  baton task archive ID              move old sessions to the archive
  baton task convert ID              convert a task file to another format

Work on a task
  baton next                         take up the next task, and see what to know
  baton task claim ID|--next         claim a task, so that nobody else takes it
  baton task release ID              give a claimed task back
  baton session start ID             claim a task and see what is open
  baton task log ID                  hand off: what you did, what comes next
  baton task check ID CRITERION      check off a criterion; --run verifies it
  baton task prove ID N -- CMD       check off a criterion if a command succeeds
  baton task uncheck ID CRITERION    reopen a criterion
  baton session end ID|SESSION       end a session
  baton session adopt ENTRY TASK     move work without a task into a task
  baton session unbind               free an agent's session from its task
  baton task output ID               write what dependent tasks receive
  baton task complete ID             finish a task and pass its output on
  baton task block ID                mark a task as blocked
  baton task reopen ID               open a finished or cancelled task again
  baton task cancel ID               give a task up
  baton task delete ID               cancel a task and archive its file

Project digest (STATE.md of GSD, SpecFlow or baton)
  baton state show                   show phase, progress and next step
  baton state begin PHASE            start or finish a stage of a phase
  baton state advance                move on to the next plan of the phase
  baton state complete               complete the active phase
  baton state sync                   update progress and next step
  baton state COMMAND                the other commands: baton help state
  baton phase list                   list the phases of the roadmap
  baton phase show                   show what the roadmap says about a phase
  baton phase analyze                show how far the roadmap is
  baton decision add TEXT            record a decision; old ones are archived
  baton decision list                list the decisions
  baton state rotate                 move old decisions to the archive
  baton blocker add TEXT             record a blocker
  baton blocker list                 list the blockers
  baton blocker resolve TEXT|N       mark a blocker as resolved
  baton history [ID]                 list finished specifications and decisions

Working folder of agents (.devt/state or .baton/work)
  baton dir audit                    list the files, and what does not belong
  baton dir cleanup                  move stray files to the archive
  baton dir begin TYPE TASK          start a workflow in a clean folder
  baton dir validate                 check statuses and JSON sidecars
  baton dir contract [NAME]          list the names that belong there
  baton dir COMMAND                  the other commands: baton help dir

Find, undo, recover
  baton search TEXT…                 search all documents
  baton log [TASK]                   list what baton changed: who, when, files
  baton undo [N]                     undo baton's last change
  baton lost                         list and restore entries that edits removed
  baton blame NAME[#SECTION]         show which change added each entry
  baton snapshot list [NAME]         list earlier versions of a file
  baton snapshot show REV            print an earlier version
  baton snapshot diff REV [REV]      compare two versions, or one with the file
  baton snapshot restore REV         bring an earlier version back
  baton merge install                teach git to merge these files
  baton merge check                  list what a merge left for you to resolve

Settings and help
  baton config list                  list the settings with their values
  baton config get KEY               print one setting, of baton or of GSD
  baton config set KEY VALUE         set a key of GSD's .planning/config.json
  baton trust                        approve settings that came with the project
  baton completion SHELL             print a completion script for your shell
  baton version                      print the version
  baton help COMMAND                 show flags, examples and exit codes

Called by agents, git and packagers
  baton mcp                          serve tools and resources to an agent
  baton hook                         answer one event of an agent
  baton statusline                   print one line for an agent's status bar
  baton merge driver                 merge three versions for git
  baton plugin build                 build the plugin and its marketplace
  baton selftest                     crash-test baton on this disk

Global flags:
  --json, -C DIR, --as NAME, --layout NAME, --tasks-dir DIR, --color WHEN
Exit codes:
  0 done, 2 wrong usage, others by kind of error: baton help exit-codes
`

// printHelp prints the page of a command; that of the program is its list of commands.
func printHelp(d *app.App, cmd *cobra.Command) error {
	if !cmd.HasParent() {
		return d.Print([]byte(topHelp))
	}
	return d.Print([]byte(app.Help(cmd)))
}

// pageAsked returns the list of commands that a command line asks for, "" if it asks for something
// else.
func pageAsked(args []string) string {
	page := topHelp
	if i := slices.Index(args, "--all"); i >= 0 && len(args) == 2 {
		args, page = slices.Delete(slices.Clone(args), i, i+1), allHelp
	}
	if len(args) == 1 && (args[0] == "help" || args[0] == "--help" || args[0] == "-h") {
		return page
	}
	return ""
}

// exitCodesTopic is the one help page that belongs to no command.
const exitCodesTopic = "exit-codes"

func helpCommand(d *app.App) *cobra.Command {
	all := false
	cmd := d.Command(app.Spec{
		Use: "help [COMMAND…]", Short: "Explain a command",
		Long: "Print the list of commands, or the flags, examples and exit codes of one command. The list " +
			"leaves out commands that agents, git and packagers call; --all prints every command. `baton " +
			"help exit-codes` explains the exit codes.",
		Example: "baton help\nbaton help --all\nbaton help task log\nbaton help exit-codes",
		MaxArgs: 8,
		Run: func(cmd *cobra.Command, args []string) error {
			if all {
				return d.Print([]byte(allHelp))
			}
			if len(args) == 1 && args[0] == exitCodesTopic {
				return d.Print([]byte(app.ExitCodes()))
			}
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
	cmd.Flags().BoolVar(&all, "all", false, "list every command, including those that other programs call")
	cmd.ValidArgsFunction = completeHelp
	return cmd
}

// bare answers a command line that names no command: with the status in a project, else with help.
func bare(d *app.App, cmd *cobra.Command) error {
	o := d.Options(cmd)
	o.Command = "status"
	status, err := app.Ask(d, cmd, o, func(ctx context.Context, p *project.Project) (sessions.StatusResult, error) {
		return p.Sessions.Status(ctx)
	})
	switch {
	case err != nil && report.KindOf(err) != report.NotFound:
		return err
	case err != nil, len(status.Layouts) == 0:
		return d.Print([]byte(topHelp))
	}
	return app.Present(d, status, func(p *app.Page, r sessions.StatusResult) { pageStatus(p, r, false) })
}
