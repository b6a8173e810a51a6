package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/cli/digest"
	"baton/internal/cli/folder"
	taskscmd "baton/internal/cli/tasks"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// completing sets what shells offer for every command and flag. They offer file names only where a
// file or a folder is taken. It runs only when the completion key is pressed.
func completing(d *app.App, root *cobra.Command) {
	values := flagValues(d)
	app.EachCommand(root, func(cmd *cobra.Command) {
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 &&
			cmd.Name() != "import" && cmd.Name() != "lint" { // these two take files
			cmd.ValidArgsFunction = app.NoCandidates
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

// flagValues returns the completion of each flag. A flag that is missing here takes a file.
func flagValues(d *app.App) map[string]app.Completer {
	values := map[string]app.Completer{
		"status":  app.InGroup("task", app.OneOf(taskscmd.Statuses[:]...), app.OneOf(workspace.SpecStatuses()...)),
		"format":  app.OneOf("text", "mermaid", "dot", "json"),
		"dialect": app.OneOf("v2", "v1"),
		"to":      app.InGroup("task", app.OneOf("v1", "v2"), app.NoCandidates),
		"color":   app.OneOf("auto", "always", "never"),
		"stage":   app.OneOf(digest.Stages[:]...),
		"by":      app.OneOf("index", "id", "text"),
		"layout":  app.OneOf("baton", "specflux", "gsd", "specflow", "devt"),
		"schema":  d.Completer(folder.CompleteSchema),
		"set":     parts,
		"epic":    d.Completer(completeEpic),
		"after":   app.InGroup("task", d.Completer(completeAfter), d.Completer(digest.CompleteQueue)),
		"dir":     folders, "tasks-dir": folders,
	}
	for _, name := range [...]string{
		"accept", "ad-hoc-stale-days", "agent", "as", "changes", "commit", "date", "did", "duration", "evidence",
		"files", "id", "instance", "issues", "keep",
		"lease", "limit", "name", "next", "phase", "plans", "priority", "rationale", "reason", "repo", "requirements",
		"run", "section",
		"scope", "seed", "show", "spec", "stale-days", "state", "stopped-at", "summary", "tasks", "time", "timeout",
		"title", "writers",
	} {
		values[name] = app.NoCandidates
	}
	return values
}

func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func parts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"summary=", "files=", "api=", "configuration=", "notes="},
		cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// completeHelp completes the name of a command, word by word.
func completeHelp(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	found, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return app.NoCandidates(cmd, args, "")
	}
	var names []string
	for _, child := range found.Commands() {
		if child.IsAvailableCommand() {
			names = append(names, child.Name()+"\t"+child.Short)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeEpic completes the epics that tasks have.
func completeEpic(d *app.App, cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	list, _ := d.TaskRows(cmd)
	var epics []string
	for _, t := range list {
		if t.Epic != "" {
			epics = append(epics, safetext.Visible(t.Epic))
		}
	}
	slices.Sort(epics)
	return slices.Compact(epics), cobra.ShellCompDirectiveNoFileComp
}

// completeAfter completes ids, also after a comma.
func completeAfter(d *app.App, cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	before := word[:strings.LastIndexByte(word, ',')+1]
	list, _ := d.TaskRows(cmd)
	ids := make([]string, 0, len(list))
	for _, t := range list {
		ids = append(ids, before+string(t.ID)+"\t"+safetext.Visible(t.Title))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
