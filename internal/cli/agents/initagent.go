package agents

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/setup"
)

// initAsk is what init is asked about agents.
type initAsk struct {
	agents []string
	scope  string
	modes  [5]bool // as initModes
	r      setup.AgentsRequest
}

// initModes returns the flags that say what to do instead of writing.
func initModes() [5]string {
	return [5]string{
		setup.AgentsCheck, setup.AgentsPrint, setup.AgentsDryRun, setup.AgentsRemove, setup.AgentsList,
	}
}

// agentFlags returns the flags with which init sets up agents. --dry-run is not one of them: alone,
// it shows what init alone would do.
func agentFlags() []string {
	modes := initModes()
	return append(
		slices.Delete(modes[:], 2, 3), "agent", "allow", "scope", "force", "statusline", "import", "trust-codex",
		"verification", "specflow-commands",
	)
}

func (a *initAsk) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(
		&a.agents,
		"agent",
		nil,
		"set up these coding agents: `NAMES` separated by commas, or auto for all that are "+
			"found",
	)
	f.Lookup("agent").NoOptDefVal = autoAgents
	f.StringVar(&a.r.Allow, "allow", "", "also let the agents run baton's commands and tools without a question: "+
		"those that record work or, if `WHAT` is read, only those that change nothing")
	f.Lookup("allow").NoOptDefVal = setup.AllowWork
	f.StringVar(&a.scope, "scope", "", "whose settings to write: `SCOPE` is project, user, or (claude only) local")
	f.BoolVar(&a.modes[0], "check", false, "write nothing; exit code 6 unless everything is current")
	f.BoolVar(&a.modes[1], "print", false, "write nothing; print the entries, so that you can add them yourself")
	f.BoolVar(&a.modes[2], "dry-run", false, "write nothing; print the changes as a diff")
	f.BoolVar(&a.modes[3], "remove", false, "remove baton's entries")
	f.BoolVar(&a.modes[4], "list", false, "list the agents that baton supports, and which of them are installed")
	f.BoolVar(&a.r.Force, "force", false, "also replace baton's entries that somebody edited")
	f.BoolVar(&a.r.StatusLine, "statusline", false,
		"also set the status line of Claude Code or Qwen Code, in your user settings")
	f.BoolVar(&a.r.Import, "import", false, "also import AGENTS.md in CLAUDE.md")
	f.BoolVar(&a.r.TrustCodex, "trust-codex", false, "also trust the hooks, through Codex's own program")
	f.BoolVar(&a.r.Verification, "verification", false, "also add servers that help to verify work to .mcp.json")
	f.BoolVar(&a.r.SpecflowCommands, "specflow-commands", false, "also add calls of baton to SpecFlow's commands")
	_ = cmd.RegisterFlagCompletionFunc("agent", completeAgents) // fails for a second one only
	_ = cmd.RegisterFlagCompletionFunc("allow", app.OneOf(setup.AllowWork, setup.AllowReading))
	_ = cmd.RegisterFlagCompletionFunc("scope", app.OneOf("project", "user", "local"))
}

// autoAgents is the word for all agents that are found.
const autoAgents = "auto"

// completeAgents completes the last of the names that commas separate.
func completeAgents(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	before := word[:strings.LastIndex(word, ",")+1]
	names := append(setup.AgentNames(), autoAgents)
	for i, name := range names {
		names[i] = before + name
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeOperand completes the names of agents after --agent, which needs no value, and nothing
// else.
func completeOperand(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if !cmd.Flags().Changed("agent") {
		return app.NoCandidates(cmd, args, word)
	}
	return completeAgents(cmd, args, word)
}

// request puts the flags together. The names of --agent may also be operands, because the flag
// needs no value.
func (a *initAsk) request(cmd *cobra.Command, args []string) (setup.AgentsRequest, error) {
	modes := initModes()
	one := modes[:] // of these
	if a.modes[2] && a.modes[3] {
		one = []string{modes[0], modes[1], modes[3], modes[4]} // a removal may be a dry run
	}
	if err := app.Exclusive(cmd, one...); err != nil {
		return a.r, err
	}
	r := a.r
	if cmd.Flags().Changed("allow") && r.Allow != setup.AllowWork && r.Allow != setup.AllowReading {
		return r, app.Misuse("--allow does not take "+safetext.Quote(r.Allow), "use --allow or --allow=read")
	}
	if cmd.Flags().Changed("allow") && slices.Contains(args, setup.AllowReading) {
		return r, app.Misuse("the value of --allow comes after an equals sign", "use --allow="+setup.AllowReading)
	}
	if err := app.Exclusive(cmd, "allow", "remove"); err != nil {
		return r, err
	}
	r.DryRun, r.Scope = a.modes[2], a.scope
	for i, on := range a.modes {
		if on {
			r.Mode = modes[i]
		}
	}
	if len(args) > 0 && !cmd.Flags().Changed("agent") {
		return r, app.Unwanted(cmd, args[0])
	}
	named := a.agents
	if len(args) > 0 {
		named = without(named, autoAgents)
	}
	for _, word := range args {
		named = append(named, strings.Split(word, ",")...)
	}
	for _, name := range named {
		if name = strings.TrimSpace(name); name != "" {
			r.Agents = append(r.Agents, name)
		}
	}
	return r, nil
}

func initAgents(d *app.App, cmd *cobra.Command, ask initAsk, args []string) error {
	r, err := ask.request(cmd, args)
	if err != nil {
		return err
	}
	r.Layout, r.Version = d.Layout, app.VersionOf("baton", false).Version
	o := d.Options(cmd)
	o.Layout = ""
	return app.AnswerDespite(d, cmd, o, report.CodeAgentsNotCurrent,
		func(ctx context.Context, p *project.Project) (setup.AgentsResult, error) {
			return p.Setup.SetUpAgents(ctx, r)
		},
		func(p *app.Page, a setup.AgentsResult) { pageAgents(p, a, r) },
	)
}

func pageAgents(p *app.Page, r setup.AgentsResult, ask setup.AgentsRequest) {
	switch r.Mode {
	case setup.AgentsList:
		pageAgentList(p, r)
	case setup.AgentsPrint:
		for _, s := range r.Snippets {
			p.Heading("%s", s.Name)
			p.Verbatim("", s.Text)
		}
	case setup.AgentsDryRun:
		pageDryRun(p, r, ask)
	default:
		pageAgentFiles(p, r, ask)
	}
	if len(r.Notices) > 0 {
		p.Heading("What is left for you to do")
		for _, notice := range r.Notices {
			p.Item("  ", app.Plain, "-", notice)
		}
	}
	p.Remarks = append(p.Remarks, r.Warnings...)
	switch r.Mode {
	case "write":
		p.Hint("Next: start the agent; to check the settings: baton init --check")
	case setup.AgentsList:
		p.Hint("Next: baton init --agent NAME")
	case setup.AgentsDryRun:
		if slices.ContainsFunc(r.Files, func(f setup.AgentFile) bool { return f.Diff != "" }) {
			p.Hint("Next: run the same command without --dry-run")
		}
	case setup.AgentsRemove:
		if slices.ContainsFunc(r.Files, func(f setup.AgentFile) bool { return f.Changed }) {
			p.Hint("The project's state is kept.")
		}
	}
}

func pageAgentList(p *app.Page, r setup.AgentsResult) {
	rows := make([][]app.Cell, 0, len(r.Agents))
	for _, a := range r.Agents {
		rows = append(rows, []app.Cell{
			{Tone: app.Strong, Text: a.Name},
			{Text: a.Title},
			yes(a.SetUp),
			yes(a.Installed),
			yes(a.InProject),
		})
	}
	p.Table(
		[]app.Column{{Name: "AGENT"}, {Name: "PROGRAM"}, {Name: "SET UP"}, {Name: "ON PATH"}, {Name: "IN PROJECT"}},
		rows,
	)
}

func yes(is bool) app.Cell {
	if is {
		return app.Cell{Tone: app.Good, Text: "yes"}
	}
	return app.Cell{Tone: app.Faint, Text: "no"}
}

func pageDryRun(p *app.Page, r setup.AgentsResult, ask setup.AgentsRequest) {
	changed := 0
	for _, f := range r.Files {
		if f.Diff != "" {
			changed++
			p.Diff("", f.Diff)
		}
	}
	if changed == 0 {
		p.Line(app.Plain, "Nothing to do: %s.", nothingOf(r, ask))
	}
}

// pageAgentFiles prints a line for each entry, below the name of its file.
func pageAgentFiles(p *app.Page, r setup.AgentsResult, ask setup.AgentsRequest) {
	if len(r.Created) > 0 {
		p.Line(app.Good, "Set up the layout %s in %s", r.Layout, r.Root)
		for _, path := range r.Created {
			p.Line(app.Plain, "  + %s", path)
		}
	}
	changed := slices.ContainsFunc(r.Files, func(f setup.AgentFile) bool { return f.Changed })
	calm := r.Mode == "write" && !changed
	switch {
	case r.Mode == setup.AgentsCheck && r.OK:
		p.Line(app.Good, "%s", correctOf(r))
	case r.Mode == setup.AgentsCheck:
	case calm && allFine(r):
		p.Line(app.Good, "Everything is set up correctly: %s.", fineOf(r))
	case !changed:
		p.Line(app.Plain, "Nothing to do: %s.", nothingOf(r, ask))
	}
	if !calm && r.Mode == "write" && selected(r) > 1 {
		pageAgentLines(p, r, ask)
		calm = true
		r.Files = unchanged(r.Files, ask)
	}
	if calm {
		r.Files = notPlainlyFine(r.Files)
	}
	widest := widestItem(r)
	for _, f := range r.Files {
		if len(f.Items) == 0 {
			continue
		}
		p.Add(app.Strong, f.Path)
		p.Add(app.Faint, fateOf(f)).End()
		for _, i := range f.Items {
			agentItem(
				p, fateOfItem(r.Mode, f.Changed, string(i.Status), ask.Force), i.Name, string(i.Status), i.Text, i.Line,
				widest,
			)
		}
	}
	for n, i := range r.Checks {
		if n == 0 {
			p.Line(app.Strong, "Also checked")
		}
		agentItem(p, string(i.Status), i.Name, string(i.Status), i.Text, i.Line, widest)
	}
	for _, s := range r.Snippets {
		p.Heading("Add this to %s yourself", s.Name)
		p.Verbatim("  ", s.Text)
	}
}

// Statuses of an item: it is there as it should be; or baton cannot see whether it is.
const (
	agentFine    = "ok"
	agentPending = "pending"
)

// fateOf says what became of a file.
func fateOf(f setup.AgentFile) string {
	switch {
	case f.Removed:
		return "  removed"
	case f.Created:
		return "  new"
	case f.Changed && f.Backup != "":
		return "  changed, original kept as " + f.Backup
	case f.Changed:
		return "  changed"
	}
	return ""
}

// fateOfItem returns the word for an item: what became of it, else how it was found.
func fateOfItem(mode string, changed bool, status string, force bool) string {
	switch {
	case mode == setup.AgentsRemove && changed:
		return "removed"
	case mode != "write" || !changed:
		return status
	case status == "missing":
		return "added"
	case status == "outdated":
		return "updated"
	case status == "modified" && force:
		return "replaced"
	}
	return status
}

// agentItem is one line: what, what became of it or how it was found, and why.
func agentItem(p *app.Page, word, name, status, text string, line, widest int) {
	how := app.Plain
	switch word {
	case agentFine, "removed", "added", "updated", "replaced":
		how = app.Good
	case agentPending, "missing", "outdated", "modified", "conflict", "foreign":
		how = app.Warn
	}
	p.Add(app.Plain, "  "+name+strings.Repeat(" ", widest-displaywidth.String(name)+2)).Add(how, word)
	if line > 0 && status != agentFine {
		text = strings.TrimSpace(fmt.Sprintf("line %d  %s", line, text))
	}
	if text != "" {
		p.Add(app.Faint, strings.Repeat(" ", max(0, 8-len(word))+2)+text)
	}
	p.End()
}
