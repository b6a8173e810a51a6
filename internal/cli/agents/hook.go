package agents

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"baton/internal/cli/app"
)

// hookCommand is the hook in the command tree, for its help; nearly all calls are handed on before
// that is built.
func hookCommand(d *app.App) *cobra.Command {
	var agent, event string
	hand := func(cmd *cobra.Command) error {
		if d.Hook == nil {
			return nil
		}
		args := []string{"--agent", agent, "--event", event}
		if d.Dir != "" {
			args = append(args, "-C", d.Dir)
		}
		d.Hook(cmd.Context(), d.Env, args) // its exit code is for the call that settings hold
		return nil
	}
	cmd := d.Command(app.Spec{
		Use: "hook", Short: "Answer one event of a coding agent",
		Long: "Answer one event of a coding agent: its start, a tool that it is about to use or has " +
			"used, the compaction of its context, its stop. The agent calls this command; `baton init " +
			"--agent` writes the call into its settings.\n\n" +
			"The event is JSON on standard input. The answer has the form that the sending agent expects; " +
			"baton recognises the agent by what it sent, because several agents read the same settings " +
			"file. The project is the nearest one around the event's folder. Outside a project, nothing " +
			"happens.\n\n" +
			"The hook fails open: if anything goes wrong, the agent continues as if there were no hook. " +
			"Standard error is then empty, the exit code is 0, and .baton/local/hook.log gets a line, as it " +
			"does for every refusal. An event that arrives twice is answered once. The answer takes at most " +
			"two seconds, and baton waits at most 300 ms for a lock.",
		Example: "baton hook --agent claude\nbaton hook --agent copilot --event sessionStart",
		Run:     func(cmd *cobra.Command, _ []string) error { return hand(cmd) },
	})
	cmd.Annotations[app.ExitsKey] = app.HookExits
	flags := cmd.Flags()
	flags.StringVar(&agent, "agent", "", "answer for the agent `NAME` whose settings contain the call, or auto")
	flags.StringVar(&event, "event", "", "treat it as `EVENT` if the agent does not name the event")
	_ = cmd.RegisterFlagCompletionFunc(
		"agent",
		app.OneOf("auto", "claude", "codex", "copilot", "cursor", "gemini", "kiro", "opencode", "qwen", "vscode"),
	) // fails for a second one only
	// A word from another version must not cost the agent its session.
	cmd.Args = cobra.ArbitraryArgs
	cmd.FParseErrWhitelist.UnknownFlags = true
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if errors.Is(err, pflag.ErrHelp) {
			return err
		}
		return hand(cmd)
	})
	return cmd
}
