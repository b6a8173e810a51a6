package cli

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"baton/internal/project"
)

func (d *door) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	cmd := d.command(spec{
		use: "completion SHELL", short: "Print completion for a shell",
		long: "Print a script that completes commands, flags and task ids. SHELL is bash, zsh, fish or powershell.\n" +
			"Load it from your shell's start file, for example in bash: source <(baton completion bash)",
		example: "baton completion bash\nbaton completion zsh",
		least:   1, most: 1,
		run: func(cmd *cobra.Command, args []string) error {
			var out bytes.Buffer
			if err := completion(cmd.Root(), args[0], &out); err != nil {
				return err
			}
			return d.print(out.Bytes())
		},
	})
	cmd.ValidArgs = shells
	return cmd
}

func completion(root *cobra.Command, shell string, out *bytes.Buffer) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(out, true)
	case "zsh":
		return root.GenZshCompletion(out)
	case "fish":
		return root.GenFishCompletion(out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(out)
	}
	return misuse(fmt.Sprintf("there is no completion for %q", shell), "use bash, zsh, fish or powershell")
}

// completeTask completes a task's id. What cannot be read completes to nothing: a key press must not fail.
func (d *door) completeTask(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := ask(cmd.Context(), d.open, d.options(cmd), func(ctx context.Context, b backend) (project.TaskList, error) {
		return b.List(ctx, project.ListRequest{})
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ids := make([]string, 0, len(list.Tasks))
	for _, row := range list.Tasks {
		ids = append(ids, string(row.ID)+"\t"+harmless(row.Title))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
