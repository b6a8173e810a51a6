package cli

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
)

func completionCommand(d *app.App) *cobra.Command {
	cmd := d.Command(app.Spec{
		Use: "completion SHELL", Short: "Print a completion script for your shell",
		Long: `Print a script that completes commands, flags, their values, task ids and versions. SHELL is bash,
zsh, fish or powershell. Load the script from your shell's startup file; in bash, for example,
with

  source <(baton completion bash)

The bash script needs the package bash-completion; without it, the script does nothing.`,
		Example: "baton completion bash\nbaton completion zsh",
		MinArgs: 1, MaxArgs: 1,
		Run: func(cmd *cobra.Command, args []string) error {
			var out bytes.Buffer
			if err := completion(cmd.Root(), args[0], &out); err != nil {
				return err
			}
			return d.Print(out.Bytes())
		},
	})
	cmd.ValidArgs = []string{"bash", "zsh", "fish", "powershell"}
	return cmd
}

// bashGuard is the first thing that the bash script does at each press of the completion key.
// Without the functions of bash-completion it would print that a command was not found. They are
// looked for then and not when the script is loaded, because a start file may load them later.
const bashGuard = `    if ! declare -F _init_completion >/dev/null 2>&1 && ! declare -F _get_comp_words_by_ref ` +
	`>/dev/null 2>&1; then
        return 0 # the package bash-completion is not loaded
    fi
`

func completion(root *cobra.Command, shell string, out *bytes.Buffer) error {
	switch shell {
	case "bash":
		var script bytes.Buffer
		if err := root.GenBashCompletionV2(&script, true); err != nil {
			return err
		}
		const start = "__start_baton()\n{\n"
		out.WriteString(strings.Replace(script.String(), start, start+bashGuard, 1))
		return nil
	case "zsh":
		return root.GenZshCompletion(out)
	case "fish":
		return root.GenFishCompletion(out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(out)
	}
	return app.Misuse(fmt.Sprintf("there is no completion for %q", shell), "use bash, zsh, fish or powershell")
}
