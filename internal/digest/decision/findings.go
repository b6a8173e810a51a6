package decision

import (
	"strconv"
	"strings"

	"baton/internal/digest"
	"baton/internal/report"
	"baton/internal/safetext"
)

// ArchivePath is the path in findings and errors about the archive. The caller replaces it with the
// real name.
const ArchivePath = "DECISIONS_ARCHIVE.md"

// rowLimit is the size in bytes above which a row is reported (specflow.md 5.2).
const rowLimit = 2048

// Findings reports problems with the size of a digest, its tables and the order of its archive
// (specflow.md 5.17), and an archive of which an unclosed fence or comment hides a part. Findings
// about the archive have ArchivePath as their path; those about the digest have no path. archive is
// nil if there is none.
func Findings(doc, archive []byte, form Form, s Settings) []report.Finding {
	sc := scanDigest(doc, form, s.Titles)
	out := sc.sizes(s)
	out = append(out, sc.shapes(s)...)
	if why := sc.scar(archive != nil); why != "" {
		out = append(out, report.CodeTruncationScar.Finding("", max(1, len(sc.d.Lines())),
			"the file looks cut off: "+why))
	}
	return append(out, archiveFindings(archive, form)...)
}

// archiveFindings reports problems of an archive: a hidden part, and rows that are not in time
// order.
func archiveFindings(archive []byte, form Form) []report.Finding {
	var out []report.Finding
	a := scanArchive(archive, form)
	if a.hidden < len(a.src) {
		out = append(out, report.CodeUnclosedFence.Finding(ArchivePath, a.d.LineNumber(a.hidden),
			"a code fence or comment of the archive is not closed; baton does not see decisions after it and adds "+
				"none there").As(report.Severe))
	}
	if line, bullet := unsortedAt(a); line > 0 {
		f := report.CodeArchiveUnsorted.Finding(ArchivePath, line,
			"the archive is not in time order from this line on; baton shows it sorted")
		if !bullet { // bullets cannot be sorted, because lines indented below them have no order of their own
			f.Repair = "decision rotate --sort-archive"
			f.Text += "; `baton " + f.Repair + "` sorts it"
		}
		out = append(out, f)
	}
	return out
}

// sizes returns the findings about the limits.
func (sc *scan) sizes(s Settings) []report.Finding {
	var out []report.Finding
	size := digest.SizeOf(sc.src)
	movable := len(sc.items) > s.Keep
	severity, hint := report.Severe, "\"baton state rotate\" moves decisions to the archive"
	if !movable {
		severity, hint = report.Warning, "rotation has nothing left to move"
	}
	if s.MaxLines > 0 && size.Lines > s.MaxLines {
		out = append(out, report.CodeOverLines.Finding("", 0,
			"the digest has "+strconv.Itoa(size.Lines)+" lines; "+strconv.Itoa(s.MaxLines)+
				" are allowed: "+hint).As(severity))
	}
	if s.MaxBytes > 0 && size.Bytes > s.MaxBytes {
		out = append(out, report.CodeOverBytes.Finding("", 0,
			"the digest has "+strconv.Itoa(size.Bytes)+" bytes; "+strconv.Itoa(s.MaxBytes)+
				" are allowed: "+hint).As(severity))
	}
	if s.MaxLines > 0 && size.Lines == s.MaxLines {
		out = append(out, report.CodeAtLimit.Finding("", 0,
			"the digest has exactly the "+strconv.Itoa(s.MaxLines)+" lines that are allowed"))
	}
	if s.Over(size) && !movable {
		text := "the digest has " + strconv.Itoa(size.Lines) + " lines and " + strconv.Itoa(size.Bytes) +
			" bytes, more than allowed, and there is no decision left to move (entries of sections in the setting " +
			"rotate.sections may move too); the largest sections are "
		var names []string
		for _, l := range digest.Largest(sc.d, 3, s.OnlyBytes(size)) {
			names = append(names, l.Title+" ("+l.Measured(s.OnlyBytes(size))+")")
		}
		out = append(out, report.CodeDecisionsExhausted.Finding("", 0, text+strings.Join(names, ", ")))
	}
	return out
}

// unsortedAt returns the 1-based line of the first row that is older than the row above it, or 0 if
// the archive is sorted. bullet reports whether it is a bullet.
func unsortedAt(a *scan) (line int, bullet bool) {
	now := undated
	for i := range a.items {
		if d := a.items[i].day; d != undated {
			if d < now {
				return a.items[i].line + 1, a.items[i].bullet
			}
			now = d
		}
	}
	return 0, false
}

// listed names lines by their numbers; of many it shows only the first ones.
func listed(lines []int) string {
	var b strings.Builder
	b.WriteString(safetext.Noun(len(lines), "line ", "lines "))
	for i, n := range lines {
		if i == 8 {
			return b.String() + " and " + strconv.Itoa(len(lines)-i) + " more"
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}
