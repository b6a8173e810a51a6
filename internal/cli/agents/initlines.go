package agents

import (
	"slices"
	"strings"

	"baton/internal/cli/app"
	"baton/internal/usecase/setup"
)

// selected returns how many agents are set up.
func selected(r setup.AgentsResult) int {
	n := 0
	for _, a := range r.Agents {
		if a.Selected {
			n++
		}
	}
	return n
}

// pageAgentLines prints one line for each agent, instead of one for each entry.
func pageAgentLines(p *app.Page, r setup.AgentsResult, ask setup.AgentsRequest) {
	names := []string{""}
	for _, a := range r.Agents {
		if a.Selected {
			names = append(names, a.Name)
		}
	}
	kept := false
	for _, name := range names {
		entries, files := 0, []string{}
		for _, f := range r.Files {
			kept = kept || f.Backup != ""
			n := 0
			for _, i := range f.Items {
				if f.Changed && string(i.Client) == name && isWritten(string(i.Status), ask) {
					n++
				}
			}
			if n > 0 {
				entries += n
				files = append(files, f.Path)
			}
		}
		if name == "" {
			name = "all"
		}
		what := "nothing to change"
		if entries > 0 {
			what = app.EntryCount(entries) + " added in " + strings.Join(files, ", ")
		}
		if entries > 0 || name != "all" {
			p.Add(app.Strong, name+strings.Repeat(" ", max(0, 8-len(name))+2)).Add(app.Plain, what).End()
		}
	}
	if kept {
		p.Line(app.Faint, "Originals are kept in .baton/local/backup.")
	}
}

// isWritten reports whether a run adds or updates an entry with this status.
func isWritten(status string, ask setup.AgentsRequest) bool {
	return status == "missing" || status == "outdated" || status == "modified" && ask.Force
}

// unchanged returns the files with the entries that were not changed.
func unchanged(files []setup.AgentFile, ask setup.AgentsRequest) []setup.AgentFile {
	out := slices.Clone(files)
	for n, f := range out {
		kept := f.Items[:0:0]
		for _, i := range f.Items {
			if !f.Changed || !isWritten(string(i.Status), ask) {
				kept = append(kept, i)
			}
		}
		out[n].Items, out[n].Changed, out[n].Created, out[n].Backup = kept, false, false, ""
	}
	return out
}
