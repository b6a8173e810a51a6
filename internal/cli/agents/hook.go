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
		Long: `Answer one event of a coding agent: its start, a tool that it is about to use or has
used, the compaction of its context, its stop. The agent calls this; baton init
--agent writes the call into its settings.

The event is read as JSON from standard input, and the answer is in the form of the
agent that sent it, which is found by what it sent: one settings file is read by
several agents. The project is the nearest one around the event's folder. Outside a
project nothing is done.

It fails open: whatever goes wrong, the agent goes on as without a hook. Then
standard error is empty, the exit code is 0, and .baton/local/hook.log has a line,
as it has for every refusal. An event that arrives twice is answered once. The
answer is there within two seconds, and no lock is waited for longer than 300 ms.`,
		Example: "baton hook --agent claude\nbaton hook --agent copilot --event sessionStart",
		Run:     func(cmd *cobra.Command, _ []string) error { return hand(cmd) },
	})
	cmd.Annotations[app.ExitsKey] = app.HookExits
	flags := cmd.Flags()
	flags.StringVar(&agent, "agent", "", "answer for the agent `NAME`, whose settings hold the call, or auto")
	flags.StringVar(&event, "event", "", "take it for `EVENT`, where the agent does not name it")
	_ = cmd.RegisterFlagCompletionFunc(
		"agent",
		app.OneOf("auto", "claude", "codex", "copilot", "cursor", "gemini", "kiro", "opencode", "qwen", "vscode"),
	) // fails for a second one only
	// A word of another version must not take the agent its session away.
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
