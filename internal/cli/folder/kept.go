package folder

import (
	"cmp"
	"slices"

	"baton/internal/cli/app"
	"baton/internal/usecase/folder"
)

// keptNames is how many names that stay are listed for each reason.
const keptNames = 6

// stayed lists what a sweep left where it was, by the reason.
func stayed(p *app.Page, r folder.DirSweep) {
	var reasons []string
	names := map[string][]string{}
	for _, s := range r.Kept {
		if s.Name == ".archive" || s.Name == ".lock" {
			continue // of the sweep itself
		}
		if !slices.Contains(reasons, s.Reason) {
			reasons = append(reasons, s.Reason)
		}
		names[s.Reason] = append(names[s.Reason], s.Name)
	}
	for _, reason := range reasons {
		p.Item("  ", app.Faint, "stays:", shortFilenames(p, names[reason], keptNames)+" ("+keptWords(reason)+")")
	}
}

// ring lists the snapshots that left the ring, or would leave it.
func ring(p *app.Page, r folder.DirSweep) {
	if len(r.Dropped) > 0 {
		p.Item("  ", app.Faint, "removed:", "older snapshots, whose files `baton snapshot` has: "+
			shortFilenames(p, r.Dropped, keptNames))
	}
	if !r.Applied && len(r.Due) > 0 {
		p.Item("  ", app.Faint, "would remove:", "older snapshots: "+shortFilenames(p, r.Due, keptNames))
	}
}

// ends names the running workflow that a sweep ends, if there is one.
func ends(p *app.Page, r folder.DirSweep) {
	if r.Running == nil {
		return
	}
	said := inPhase(cmp.Or(headline(r.Running.WorkflowType, r.Running.Task), nameless), r.Running.Phase)
	mark, what := "ends:", "; it is still running"
	if r.Applied {
		mark, what = "ended:", "; it was still running"
	}
	p.Item("  ", app.Warn, mark, said+what)
}
