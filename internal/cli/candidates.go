package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// completer gives the candidates for one word of a command line.
type completer = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// completing says for every command and flag what shells offer. Only what takes a file or a folder gets names of
// files. It is called for a press of the completion key alone: other runs need none of it.
func (d *door) completing(root *cobra.Command) {
	values := d.flagValues()
	each(root, func(cmd *cobra.Command) {
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 && !takesFiles(cmd) {
			cmd.ValidArgsFunction = nothing
		}
		flags := cmd.LocalNonPersistentFlags()
		if cmd == root {
			flags = cmd.PersistentFlags()
		}
		for name, complete := range values {
			if flags.Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name, complete) // fails for a second registration only
			}
		}
	})
}

// takesFiles says whether the operands of a command are files.
func takesFiles(cmd *cobra.Command) bool { return cmd.Name() == "import" || cmd.Name() == "lint" }

// flagValues is what each flag takes; of a flag that is missing here, a file.
func (d *door) flagValues() map[string]completer {
	values := map[string]completer{
		"status":  inGroup("task", oneOf(statuses[:]...), oneOf(workspace.SpecStatuses()...)),
		"format":  oneOf("text", "mermaid", "dot", "json"),
		"dialect": oneOf("v2", "v1"),
		"to":      inGroup("task", oneOf("v1", "v2"), nothing),
		"stage":   oneOf(stages[:]...),
		"by":      oneOf("index", "id", "text"),
		"layout":  oneOf("baton", "specflux", "gsd", "specflow", "devt"),
		"schema":  d.completeSchema,
		"set":     parts,
		"epic":    d.completeEpic,
		"after":   inGroup("task", d.completeAfter, d.completeQueue),
		"dir":     folders, "tasks-dir": folders,
	}
	for _, name := range [...]string{
		"accept", "ad-hoc-stale-days", "agent", "as", "changes", "commit", "date", "did", "duration", "evidence", "files", "id", "instance", "issues", "keep",
		"lease", "limit", "name", "next", "phase", "plans", "priority", "rationale", "reason", "repo", "requirements", "run", "section",
		"scope", "seed", "show", "spec", "stale-days", "state", "stopped-at", "summary", "tasks", "time", "timeout", "title", "writers",
	} {
		values[name] = nothing
	}
	return values
}

// inGroup completes a flag that means one thing in a group and another elsewhere.
func inGroup(group string, here, elsewhere completer) completer {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if cmd.HasParent() && cmd.Parent().Name() == group {
			return here(cmd, args, word)
		}
		return elsewhere(cmd, args, word)
	}
}

func nothing(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func parts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"summary=", "files=", "api=", "configuration=", "notes="},
		cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// oneOf completes to fixed words.
func oneOf(list ...string) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// completeHelp completes the name of a command, word by word.
func completeHelp(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	found, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return nothing(cmd, args, "")
	}
	var names []string
	for _, child := range found.Commands() {
		if child.IsAvailableCommand() {
			names = append(names, child.Name()+"\t"+child.Short)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// tasks lists the tasks for a completion, and who asks. What cannot be read completes to nothing: a key press must
// not fail.
func (d *door) tasks(cmd *cobra.Command) (list []tasks.TaskRow, holder string) {
	_, _ = ask(d, cmd, d.options(cmd), func(ctx context.Context, p *project.Project) (struct{}, error) {
		all, err := p.Tasks.List(ctx, tasks.ListRequest{})
		list = all.Tasks
		if err == nil && slices.ContainsFunc(list, func(t tasks.TaskRow) bool { return t.Claim != nil }) {
			if status, err := p.Sessions.Status(ctx); err == nil {
				holder = status.Holder
			}
		}
		return struct{}{}, err
	})
	return list, holder
}

// completeTask completes the id of a task that the command has a use for.
func (d *door) completeTask(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, holder := d.tasks(cmd)
	ids := make([]string, 0, len(list))
	for _, t := range list {
		if suits(cmd, t, holder) {
			ids = append(ids, string(t.ID)+"\t"+harmless(t.Title))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// suits says whether a command can do something with a task as it stands.
func suits(cmd *cobra.Command, t tasks.TaskRow, holder string) bool {
	mine := t.Claim != nil && t.Claim.By == holder
	status, _ := standing(t)
	switch called(cmd) {
	case "task claim":
		if steal := cmd.Flags().Lookup("steal"); steal != nil && steal.Changed {
			return t.Claim != nil && !mine
		}
		return t.Ready || mine
	case "session start":
		return t.Ready || mine
	case "session end": // a session may outlast its claim
		return mine || t.Claim == nil && status == "in_progress"
	case "task release":
		return mine
	case "task complete":
		return !slices.Contains([]string{"complete", "cancelled", "backlog", "waiting", "blocked"}, status)
	case "task reopen":
		return status == "complete" || status == "blocked"
	case "task block":
		return !slices.Contains([]string{"complete", "cancelled", "decomposed", "blocked"}, status)
	}
	return true
}

// completeCriterion completes a task's id, and then the number of one of its criteria that is not yet as the command
// would make it.
func (d *door) completeCriterion(checked bool) completer {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) != 1 {
			return d.completeTask(cmd, args, word)
		}
		t, err := ask(d, cmd, d.options(cmd), func(ctx context.Context, p *project.Project) (tasks.TaskDetail, error) {
			return p.Tasks.Show(ctx, tasks.ShowRequest{ID: args[0]})
		})
		if err != nil {
			return nothing(cmd, args, word)
		}
		var numbers []string
		for _, c := range t.Criteria {
			if c.Checked == checked {
				numbers = append(numbers, strconv.Itoa(c.N)+"\t"+harmless(c.Text))
			}
		}
		return numbers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// completeEpic completes the epics that tasks have.
func (d *door) completeEpic(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	list, _ := d.tasks(cmd)
	var epics []string
	for _, t := range list {
		if t.Epic != "" {
			epics = append(epics, harmless(t.Epic))
		}
	}
	slices.Sort(epics)
	return slices.Compact(epics), cobra.ShellCompDirectiveNoFileComp
}

// completeAfter completes ids, also behind others and a comma.
func (d *door) completeAfter(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	before := word[:strings.LastIndexByte(word, ',')+1]
	list, _ := d.tasks(cmd)
	ids := make([]string, 0, len(list))
	for _, t := range list {
		ids = append(ids, before+string(t.ID)+"\t"+harmless(t.Title))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
