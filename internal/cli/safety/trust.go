package safety

import (
	"bufio"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
)

// trustFlags are the flags of `baton trust`.
type trustFlags struct{ list, remove, yes, dry bool }

func trustCommand(d *app.App) *cobra.Command {
	var f trustFlags
	cmd := d.Command(app.Spec{
		Use: "trust", Short: "Approve settings of the project on this machine",
		Long: `Some settings in a project's files widen what baton may do: they let it write outside the project,
run commands, or give commands to your agents. Such files come with a clone, so
baton follows these settings only if you approve them on this machine.

For each setting, baton shows its value and what it allows, and asks you. Without a terminal, it
asks nothing: --yes approves everything that --list shows. An approval is for one setting of this
repository, with this value, in this place: if the project changes the value, or a link leads to
another place, baton asks again. All worktrees of a repository share its approvals.

What you write into your own configuration needs no approval. It is config.yaml in the folder
baton of your user configuration, which on Linux is ~/.config/baton. Approvals are in the file
trust next to it. If a coding agent started this command, it refuses. baton knows an agent by the
variables that its client sets, and by the record that baton's hooks keep.`,
		Example: "baton trust --list\nbaton trust\nbaton trust --yes\nbaton trust --remove --yes",
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			if err := app.Exclusive(cmd, "list", "remove"); err != nil {
				return err
			}
			if err := app.Exclusive(cmd, "list", "yes"); err != nil {
				return err
			}
			f.list = f.list || f.dry
			return runTrust(d, cmd, f)
		},
	})
	cmd.Flags().BoolVar(&f.list, "list", false, "list the settings and their hashes, and change nothing")
	cmd.Flags().BoolVar(&f.remove, "remove", false, "take back every approval of this repository")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&f.dry, "dry-run", false, "the same as --list")
	return cmd
}

func runTrust(d *app.App, cmd *cobra.Command, f trustFlags) error {
	ask := func(r setup.TrustRequest) (setup.TrustResult, error) {
		use := func(ctx context.Context, p *project.Project) (setup.TrustResult, error) { return p.Setup.Trust(ctx, r) }
		return app.Ask(d, cmd, d.Options(cmd), use)
	}
	now, err := ask(setup.TrustRequest{})
	open := now.Open()
	switch {
	case err != nil:
		return err
	case f.list, !f.remove && len(open) == 0:
		return app.Present(d, now, pageTrust)
	case !f.yes && (!d.Env.Prompt || !d.Env.Terminal || d.JSON):
		return &report.Error{
			Op: "trust", Kind: report.Usage, Code: report.CodeTrustRefused,
			Message: "baton cannot ask here, because there is no terminal",
			Hint:    "`baton trust --list` shows the settings, and --yes answers yes to every question",
		}
	}
	r := setup.TrustRequest{Remove: f.remove}
	answers := bufio.NewReader(d.Env.Stdin)
	if f.remove {
		if !f.yes && !agreed(d, answers, "Take back every approval of "+now.Repository+"?") {
			return nil
		}
	} else {
		for _, s := range open {
			if f.yes || d.Print(settingPage(d, s)) == nil && agreed(d, answers, "Approve this?") {
				r.Approve = append(r.Approve, s.Hash)
			}
		}
		if len(r.Approve) == 0 {
			return nil
		}
	}
	done, err := ask(r)
	if err != nil {
		return err
	}
	return app.Present(d, done, pageTrust)
}

// agreed asks a question at the terminal. Only a yes is a yes.
func agreed(d *app.App, answers *bufio.Reader, question string) bool {
	if d.Print([]byte(safetext.Line(question)+" [y/N] ")) != nil {
		return false
	}
	line, _ := answers.ReadString('\n')
	line = strings.ToLower(strings.TrimSpace(line))
	return line == "y" || line == "yes"
}

func settingPage(d *app.App, s workspace.WideSetting) []byte {
	p := d.Page()
	putSetting(p, s)
	return p.Bytes()
}

// putSetting prints one setting: where it leads, and what it allows.
func putSetting(p *app.Page, s workspace.WideSetting) {
	word, tone := "not approved", app.Warn
	if s.Approved {
		word, tone = "approved", app.Good
	}
	p.Add(app.Strong, safetext.Visible(s.Key+": "+s.Value)).Add(tone, "  "+word).End()
	p.Item("  ", app.Plain, "allows:", s.Allows)
	p.Item("  ", app.Faint, "hash:  ", s.Hash)
}

func pageTrust(p *app.Page, r setup.TrustResult) {
	for _, s := range r.Settings {
		putSetting(p, s)
	}
	open := len(r.Open())
	switch {
	case len(r.Removed) > 0:
		p.Line(app.Good, "Took back %s of %s.", safetext.Count(len(r.Removed), "approval"), r.Repository)
	case r.Approved > 0:
		p.Line(app.Good, "Approved %s for %s.", safetext.Count(r.Approved, "setting"), r.Repository)
	case len(r.Settings) == 0:
		p.Line(app.Good, "No setting of this project needs approval.")
	case open == 0:
		p.Line(app.Good, "Everything is approved for %s.", r.Repository)
	}
	if open > 0 {
		p.Hint("baton does not follow what is not approved: %s", p.Here("baton trust"))
	}
	p.Remarks = r.Warnings
}
