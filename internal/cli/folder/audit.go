package folder

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/statedir"
	"baton/internal/usecase/folder"
)

func dirAuditCommand(d *app.App) *cobra.Command {
	var r folder.DirRequest
	var g gate
	all, check, strict := false, false, false
	cmd := d.Command(app.Spec{
		Use: "audit", Short: "List what is in the folder, and what should not be",
		Long: `Sort every entry of the folder into one of four buckets: canonical (a name in the contract),
pattern_allowed (a name that matches a pattern in the contract), ephemeral (left over by a
program) and ad_hoc (everything else). For each entry, you see its size and age, and which
commands would move it. For an ad hoc name, you also see the nearest allowed one. Nothing is
written. With --check, the exit code is 6 if a name is ad hoc or something else is an error; with
--strict, also for left-overs and other warnings. --format github and sarif are for CI.`,
		Example: "baton dir audit\nbaton dir audit --all\nbaton dir audit --check --format github",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			use := func(ctx context.Context, p *project.Project) (folder.DirAudit, error) {
				return p.Folder.DirAudit(ctx, r)
			}
			judge := func(got folder.DirAudit) error {
				if check || strict {
					errs, warnings := counted(auditFlaws(got))
					return app.Judge(got.Folder, got.Folder, errs, warnings, strict)
				}
				return broken(got.Findings)
			}
			return gated(d, cmd, &g, use, func(p *app.Page, got folder.DirAudit) {
				audit(p, got, inLayout(pageHint(p, r, "%s"), got.Layout, len(got.Others)), all)
				for _, other := range got.Others {
					p.End()
					audit(p, other, inLayout(pageHint(p, r, "%s"), other.Layout, 1), all)
				}
			}, auditFlaws, judge)
		},
	})
	cmd.Flags().BoolVar(&check, "check", false, "exit with 6 if something in the folder is an error")
	cmd.Flags().BoolVar(&strict, "strict", false, "as --check, but warnings count as errors")
	g.flag(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "list every entry instead of at most 40 per bucket")
	return inFolder(cmd, &r)
}

// auditLines is how many entries of a bucket are listed.
const auditLines = 40

// buckets are the four of the contract, in the order in which they are shown, with what they are.
var buckets = [...][2]string{
	{"canonical", "names in the contract"},
	{"pattern_allowed", "names that match a pattern in the contract"},
	{"ephemeral", "left over by programs; cleanup moves them"},
	{"ad_hoc", "not in the contract; cleanup moves them"},
}

// inLayout adds the flag that a command line needs if there are other folders.
func inLayout(line, layout string, others int) string {
	if others == 0 {
		return line
	}
	return line + " --layout " + layout
}

// audit prints one folder. command is how a hint calls a command of this group, with %s for the
// command.
func audit(p *app.Page, r folder.DirAudit, command string, all bool) {
	total := r.Counts["total"]
	switch {
	case !r.Exists && broken(r.Findings) != nil: // the file may name another folder, so nothing is said about this one
		p.Findings(r.Findings)
		return
	case !r.Exists:
		p.Item("", app.Plain, "Nothing is there yet:", "the first command that writes creates "+r.Folder+".")
		p.Findings(r.Findings)
		p.Hint("To start a workflow: %s", withWords(command, "begin TYPE TASK"))
		return
	case total == 0:
		p.Line(app.Plain, "%s is empty.", r.Folder)
		p.Findings(r.Findings)
		return
	}
	p.Add(app.Strong, r.Folder).Add(app.Plain, "  "+sized(total, r.TotalBytes)).End()
	most := auditLines
	if all {
		most = 0
	}
	lists, sweepable, blocked := bucketLists(r, all)
	widths := measure(p, slices.Collect(maps.Values(lists))...)
	widths.header(p)
	for _, b := range buckets {
		n := r.Counts[b[0]]
		if n == 0 {
			continue
		}
		p.End()
		what := b[1]
		if blocked {
			what, _, _ = strings.Cut(what, ";") // of what a cleanup moves: none can run
		}
		p.Add(app.Strong, b[0]).Add(app.Plain, "  "+app.EntryCount(n)).Add(app.Faint, "  "+what).End()
		bucket(p, widths, lists[b[0]], n, most, withWords(command, "audit --all"))
	}
	p.Findings(r.Findings)
	p.End()
	switch {
	case blocked:
		p.Hint("Nothing can be moved until you move %s away: the archive must be a folder.", archiveOf(r.Folder))
	case sweepable:
		p.Hint("To see what a cleanup would move: %s", withWords(command, "cleanup"))
	default:
		p.Hint("A cleanup would move nothing. To list the names that belong here: baton dir contract")
	}
}

// bucketLists returns the lines of each bucket, and reports whether a cleanup would move anything
// and whether it is blocked.
func bucketLists(r folder.DirAudit, all bool) (lists map[string][]listed, sweepable, blocked bool) {
	lists = map[string][]listed{}
	for name, entries := range r.Buckets {
		for i, e := range entries {
			sweepable = sweepable || e.Would["cleanup"] != ""
			blocked = blocked || blocksArchive(e)
			if all || i <= auditLines {
				lists[string(name)] = append(lists[string(name)], audited(e, name == "ephemeral" || name == "ad_hoc"))
			}
		}
	}
	return lists, sweepable, blocked
}

// bucket lists the entries of one bucket.
func bucket(p *app.Page, l listing, entries []listed, n, most int, every string) {
	if most > 0 && n > most+1 {
		list(p, l, entries[:min(most, len(entries))], 0, "")
		p.Line(app.Faint, "  "+p.Marks().More+" %s more: %s", app.Thousands(n-most), every)
		return
	}
	list(p, l, entries, 0, "")
}

// blocksArchive reports whether an entry is in the place of the archive, so that no sweep has
// anywhere to move things to.
func blocksArchive(e folder.AuditEntry) bool {
	return e.Name == ".archive" && e.Kind != statedir.Dir
}

// audited returns an entry as the page of an audit has it. Of buckets that a cleanup moves anyway,
// the heading says so.
func audited(e folder.AuditEntry, always bool) listed {
	l := listed{name: filename(e.Name), size: sizeOf(e.Kind, e.Size), age: age(e.AgeS), t: app.Faint}
	var notes []string
	if e.Reason == "folder" {
		notes = append(notes, "a folder with the name of a file")
	} else if kind := kindWord(e.Kind, e.Link); kind != "" {
		notes = append(notes, kind)
	}
	if e.Exempt {
		notes = append(notes, "reset leaves it there")
	}
	if e.Inherited {
		notes, l.t = append(notes, "left over from an earlier workflow; ignored"), app.Warn
	}
	if e.AgeS < 0 {
		notes, l.t = append(notes, "its time is in the future"), app.Warn
	}
	switch moves := movers(e.Would, always); {
	case blocksArchive(e):
		notes, l.t = append(notes, "is where the archive should be; no command moves it"), app.Warn
	case moves != "":
		notes = append(notes, moves)
	}
	if e.Suggestion != nil && *e.Suggestion != "" {
		notes, l.t = append(notes, "did you mean "+filename(*e.Suggestion)+"?"), app.Accent
	}
	l.note = strings.Join(notes, "; ")
	return l
}

// movers says which sweeps would move an entry. It leaves out reset, which moves everything that is
// not exempt.
func movers(would map[string]string, always bool) string {
	var names []string
	for _, sweep := range [...]string{"cleanup", "evict", "begin"} {
		if would[sweep] != "" && !(always && sweep == "cleanup") {
			names = append(names, sweep)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " moves it"
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last] + " move it"
}
