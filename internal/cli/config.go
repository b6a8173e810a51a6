package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/cli/digest"
	"baton/internal/project"
	"baton/internal/workspace"
)

func configCommands(d *app.App) *cobra.Command {
	return d.Group("config", "Show the settings, and change those of GSD",
		`Settings are in .baton/config.yaml. The file and everything in it are optional. GSD keeps its own in
.planning/config.json.`,
		configListCommand(d), digest.ConfigGet(d), digest.ConfigSet(d))
}

func configListCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "list", Short: "List every setting with its value and meaning",
		Long: "List every setting: its value here, where the value comes from, its default, and " +
			"what it does.",
		Example: "baton config list\nbaton config list --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (workspace.ConfigList, error) {
				return p.Config(ctx)
			}, pageConfig)
		},
	})
}

// Columns of the meanings: meaningColumns keeps the table within 80 columns if the width is
// unknown; with fewer than leastMeaning, the meanings get lines of their own.
const (
	meaningColumns = 41
	leastMeaning   = 24
)

func pageConfig(p *app.Page, r workspace.ConfigList) {
	columns := []app.Column{{Name: "SETTING"}, {Name: "VALUE"}, {Name: "DEFAULT"}, {Name: "MEANING"}}
	rows := make([][]app.Cell, 0, len(r.Settings))
	for _, s := range r.Settings {
		t := app.Plain
		if s.Source != "default" {
			t = app.Accent
		}
		rows = append(rows, []app.Cell{
			{Text: s.Key},
			{Tone: t, Text: scalar(s.Value)},
			{Tone: app.Faint, Text: scalar(s.Default)},
			{Text: s.Doc},
		})
	}
	room := meaningColumns
	if p.Width > 0 {
		room = p.Width - app.TableWidth(p.Widths(columns[:3], app.FirstCells(rows, 3))) - 2
	}
	if room < leastMeaning {
		p.TableBelow(columns, rows)
	} else {
		var lines [][]app.Cell
		for _, row := range rows {
			for i, text := range app.Wrap(row[3].Text, room) {
				line := make([]app.Cell, len(columns))
				if i == 0 {
					copy(line, row)
				}
				line[3] = app.Cell{Text: text}
				lines = append(lines, line)
			}
		}
		p.Table(columns, lines)
	}
	if r.Path == "" {
		p.Hint("These are the defaults. To change one, set it in .baton/config.yaml")
	} else {
		p.Hint("Read from %s", r.Path)
	}
	p.Remarks = r.Warnings
}

// scalar writes a setting's value as it would be in the file.
func scalar(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return "?"
	}
	return strings.TrimSpace(out.String())
}
