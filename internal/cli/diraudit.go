package cli

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/folder"
)

func (d *door) dirAuditCommand() *cobra.Command {
	var r folder.DirRequest
	all := false
	cmd := d.command(spec{
		use: "audit", short: "Say what is in the folder, and what should not be",
		long: "Put every entry of the folder into one of four buckets: canonical (a name of the contract), pattern_allowed (of a form\n" +
			"that it allows), ephemeral (left over by a program) and ad_hoc (all others), with size, age, and what each sweep\n" +
			"would do to it. Of an ad hoc name the nearest allowed one is shown. Nothing is written.",
		example: "baton dir audit\nbaton dir audit --all\nbaton dir audit --json",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (folder.DirAudit, error) {
				return p.Folder.DirAudit(ctx, r)
			}, func(p *page, got folder.DirAudit) {
				p.audit(got, inLayout(p.again(r, "%s"), got.Layout, len(got.Others)), all)
				for _, other := range got.Others {
					p.end()
					p.audit(other, inLayout(p.again(r, "%s"), other.Layout, 1), all)
				}
			})
		},
	})
	cmd.Flags().BoolVar(&all, "all", false, "list every entry, not only 40 of each bucket")
	return inFolder(cmd, &r)
}

// auditLines is how many entries of a bucket are listed.
const auditLines = 40

// buckets are the four of the contract, in the order in which they are shown, with what they are.
var buckets = [...][2]string{
	{"canonical", "names of the contract"},
	{"pattern_allowed", "of a form that the contract allows"},
	{"ephemeral", "left over by programs; cleanup moves them"},
	{"ad_hoc", "not in the contract; cleanup moves them"},
}

// inLayout adds the flag that a command line needs where there are others besides this folder.
func inLayout(line, layout string, others int) string {
	if others == 0 {
		return line
	}
	return line + " --layout " + layout
}

// audit puts one folder. command is how a hint calls a command of this group, with %s for the command.
func (p *page) audit(r folder.DirAudit, command string, all bool) {
	total := r.Counts["total"]
	switch {
	case !r.Exists:
		p.item("", plain, "Nothing there yet:", r.Folder+" is made by the first command that writes.")
		p.findings(r.Findings)
		p.hint("Begin with: %s", withWords(command, "begin TYPE TASK"))
		return
	case total == 0:
		p.line(plain, "%s is empty.", r.Folder)
		p.findings(r.Findings)
		return
	}
	p.add(strong, r.Folder).add(plain, "  "+sized(total, r.TotalBytes)).end()
	most := auditLines
	if all {
		most = 0
	}
	lists, sweepable, blocked := bucketLists(r, all)
	widths := p.measure(slices.Collect(maps.Values(lists))...)
	for _, bucket := range buckets {
		n := r.Counts[bucket[0]]
		if n == 0 {
			continue
		}
		p.end()
		what := bucket[1]
		if blocked {
			what, _, _ = strings.Cut(what, ";") // of what a cleanup moves: none can run
		}
		p.add(strong, bucket[0]).add(plain, "  "+many(n)).add(faint, "  "+what).end()
		p.bucket(widths, lists[bucket[0]], n, most, withWords(command, "audit --all"))
	}
	p.findings(r.Findings)
	p.end()
	switch {
	case blocked:
		p.hint("No sweep can run until %s is moved away: only a folder can be the archive.", archiveOf(r.Folder))
	case sweepable:
		p.hint("See what a cleanup would move: %s", withWords(command, "cleanup"))
	default:
		p.hint("A cleanup would move nothing. Which names may be here: baton dir contract")
	}
}

// bucketLists gives the lines of each bucket, and says whether a cleanup would move anything, and whether it is blocked.
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
func (p *page) bucket(l listing, entries []listed, n, most int, every string) {
	if most > 0 && n > most+1 {
		p.list(l, entries[:min(most, len(entries))], 0, "")
		p.line(faint, "  … %s more: %s", thousands(n-most), every)
		return
	}
	p.list(l, entries, 0, "")
}

// blocksArchive says whether an entry is in the place of the archive, so that no sweep has anywhere to move things to.
func blocksArchive(e folder.AuditEntry) bool {
	return e.Name == ".archive" && e.Kind != kindDir
}

// audited is an entry as the page of an audit has it. Of buckets that a cleanup moves in any case the heading says so.
func audited(e folder.AuditEntry, always bool) listed {
	l := listed{name: filename(e.Name), size: sizeOf(string(e.Kind), e.Size), age: age(e.AgeS), t: faint}
	var notes []string
	if e.Reason == "folder" {
		notes = append(notes, "has the name of a file")
	} else if kind := kindWord(string(e.Kind), e.Link); kind != "" {
		notes = append(notes, kind)
	}
	if e.Exempt {
		notes = append(notes, "reset leaves it")
	}
	if e.Inherited {
		notes, l.t = append(notes, "inherited from an earlier workflow"), warn
	}
	if e.AgeS < 0 {
		notes, l.t = append(notes, "its time lies ahead"), warn
	}
	switch moves := movers(e.Would, always); {
	case blocksArchive(e):
		notes, l.t = append(notes, "in the place of the archive; no sweep moves it"), warn
	case moves != "":
		notes = append(notes, moves)
	}
	if e.Suggestion != nil && *e.Suggestion != "" {
		notes, l.t = append(notes, "did you mean "+filename(*e.Suggestion)+"?"), accent
	}
	l.note = strings.Join(notes, "; ")
	return l
}

// movers says which sweeps would move an entry. A reset is not worth a word: it moves all that is not exempt.
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
