package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/workspace"
)

func (d *door) configCommands() *cobra.Command {
	return d.group("config", "Show the settings",
		"Settings are in .baton/config.yaml. The file is optional, and so is everything in it.",
		d.configListCommand())
}

func (d *door) configListCommand() *cobra.Command {
	return d.command(spec{
		use: "list", short: "List every setting with its value and meaning",
		long:    "List every setting: its value here, where that comes from, its default and what it does.",
		example: "baton config list\nbaton config list --json",
		exits:   []report.Kind{report.NotFound, report.Violation, report.Corrupt, report.Refused},
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (workspace.ConfigList, error) {
				return p.Config(ctx)
			}, pageConfig)
		},
	})
}

// Columns of the meanings: what keeps the table within 80 columns beside the longest key and the longest default where nobody knows the
// width, and below how many they stand on lines of their own.
const (
	meaningColumns = 41
	leastMeaning   = 24
)

func pageConfig(p *page, r workspace.ConfigList) {
	columns := []column{{name: "SETTING"}, {name: "VALUE"}, {name: "DEFAULT"}, {name: "MEANING"}}
	rows := make([][]cell, 0, len(r.Settings))
	for _, s := range r.Settings {
		t := plain
		if s.Source != "default" {
			t = accent
		}
		rows = append(rows, []cell{{plain, s.Key}, {t, scalar(s.Value)}, {faint, scalar(s.Default)}, {plain, s.Doc}})
	}
	room := meaningColumns
	if p.width > 0 {
		room = p.width - tableWidth(p.widths(columns[:3], within(rows, 3))) - 2
	}
	if room < leastMeaning {
		p.tableBelow(columns, rows)
	} else {
		var lines [][]cell
		for _, row := range rows {
			for i, text := range wrap(row[3].text, room) {
				line := make([]cell, len(columns))
				if i == 0 {
					copy(line, row)
				}
				line[3] = cell{plain, text}
				lines = append(lines, line)
			}
		}
		p.table(columns, lines)
	}
	if r.Path == "" {
		p.hint("No configuration file: these are the defaults. It would be .baton/config.yaml")
	} else {
		p.hint("From %s", r.Path)
	}
	p.remarks = r.Warnings
}

// scalar writes a setting's value as it would stand in the file.
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
