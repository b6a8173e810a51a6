package cli

import (
	"cmp"
	"fmt"
	"strings"

	"baton/internal/usecase/folder"
)

// statusFolder puts the working folder of agents in brief: what is running, and how much lies there in which bucket.
func (p *page) statusFolder(f *folder.FolderStatus) {
	if f == nil || !f.Exists {
		return
	}
	p.heading("%s", f.Path)
	if f.Active {
		p.item("  ", accent, "running ", inPhase(cmp.Or(headline(f.WorkflowType, f.Task), nameless), f.Phase))
	}
	var parts []string
	for _, bucket := range buckets {
		if n := f.Counts[bucket[0]]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", thousands(n), bucket[0]))
		}
	}
	if len(parts) == 0 {
		p.line(faint, "  empty")
		return
	}
	if f.Bytes > 0 {
		parts[len(parts)-1] += "; " + kilobytes(f.Bytes)
	}
	p.item("  ", faint, "holds   ", strings.Join(parts, ", "))
	if f.Counts["ad_hoc"]+f.Counts["ephemeral"] > 0 {
		p.hint("  what should not be there: baton dir audit")
	}
}
