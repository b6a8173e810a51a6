package digest

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/digests"
)

// ConfigGet builds the command "config get".
func ConfigGet(d *app.App) *cobra.Command {
	otherwise := ""
	cmd := d.Command(app.Spec{
		Use: "get KEY", Short: "Print one setting, of baton or of GSD",
		Long: `Print one setting. KEY is a setting of baton (baton config list), or else a key of GSD's
.planning/config.json with dots between its parts: workflow.research, or agents[0] for an item of a
list. GSD's defaults are not in that file, so they are unknown here; --default says what to print
instead.`,
		Example: "baton config get mode\nbaton config get workflow.research --default true\n" +
			"baton config get tasks.lease",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.ReadingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			var fallback *string
			if cmd.Flags().Changed("default") {
				fallback = &otherwise
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.ConfigValue, error) {
				return p.Digests.ConfigGet(ctx, args[0], fallback)
			}, func(p *app.Page, v digests.ConfigValue) { p.Block("", configText(v.Value), 0) })
		},
	})
	cmd.Flags().StringVar(&otherwise, "default", "", "print `VALUE` if no file has the key")
	return cmd
}

// ConfigSet builds the command "config set".
func ConfigSet(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "set KEY VALUE", Short: "Set a key of GSD's .planning/config.json",
		Long: `Set a key of GSD's .planning/config.json; everything else in the file stays as it is. VALUE is JSON
(true, 3, ["a"]), or else a text; a key that is there keeps its type, and null takes it out. A slip in
the name of one of GSD's settings is refused. With a workstream that has a file of its own, that one
is written. baton's own settings are in .baton/config.yaml, which you write with an editor.`,
		Example: "baton config set workflow.research false\nbaton config set git.branching_strategy phase",
		MinArgs: 2, MaxArgs: 2,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			r := digests.ConfigSetRequest{Key: args[0], Value: args[1]}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.ConfigChange, error) {
				return p.Digests.ConfigSet(ctx, r)
			}, pageConfigChange)
		},
	})
}

func pageConfigChange(p *app.Page, r digests.ConfigChange) {
	p.Remarks = r.Warnings
	raw, _ := r.Value.(json.RawMessage)
	taken := string(raw) == "null" // not the text "null"
	if !r.Changed {
		if taken {
			p.Line(app.Plain, "Nothing to do: %s is not in %s.", r.Key, r.Path)
			return
		}
		p.Line(app.Plain, "Nothing to do: %s is %s in %s.", r.Key, lineText(r.Value), r.Path)
		return
	}
	if taken {
		p.Line(app.Good, "Took %s out of %s", r.Key, r.Path)
		p.Line(app.Faint, "  before  %s", lineText(r.Previous))
		return
	}
	p.Line(app.Good, "Set %s in %s", r.Key, r.Path)
	if r.Previous != nil {
		p.Line(app.Faint, "  before  %s", lineText(r.Previous))
	}
	p.Line(app.Plain, "  now     %s", lineText(r.Value))
}

// lineText is configText on one line.
func lineText(value any) string {
	text := configText(value)
	if strings.Contains(text, "\n") {
		return strings.Join(strings.Fields(text), " ")
	}
	return text
}

// configText returns a value as a line of a script needs it: a text without its quotes.
func configText(value any) string {
	raw, written := value.(json.RawMessage)
	switch text, isText := value.(string); {
	case isText:
		return text
	case value == nil:
		return "null"
	case !written:
		data, err := report.EncodeJSON(value, "")
		if err != nil {
			return "?"
		}
		return strings.TrimSpace(string(data))
	}
	text := ""
	if json.Unmarshal(raw, &text) == nil && string(raw) != "null" {
		return text
	}
	return string(raw)
}
