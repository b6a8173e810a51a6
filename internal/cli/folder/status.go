package folder

import (
	"cmp"
	"fmt"
	"strings"

	"baton/internal/cli/app"
	"baton/internal/usecase/folder"
)

// StatusFolder puts the working folder of agents in brief: what is running, and how much lies there
// in which bucket.
func StatusFolder(p *app.Page, f *folder.FolderStatus) {
	if f == nil || !f.Exists {
		return
	}
	p.Heading("%s", f.Path)
	if f.Active {
		p.Item("  ", app.Accent, "running ", inPhase(cmp.Or(headline(f.WorkflowType, f.Task), nameless), f.Phase))
	}
	var parts []string
	for _, bucket := range buckets {
		if n := f.Counts[bucket[0]]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", app.Thousands(n), bucket[0]))
		}
	}
	if len(parts) == 0 {
		p.Line(app.Faint, "  empty")
		return
	}
	if f.Bytes > 0 {
		parts[len(parts)-1] += "; " + app.Kilobytes(f.Bytes)
	}
	p.Item("  ", app.Faint, "holds   ", strings.Join(parts, ", "))
	if f.Counts["ad_hoc"]+f.Counts["ephemeral"] > 0 {
		p.Hint("  To see what does not belong there: baton dir audit")
	}
}
