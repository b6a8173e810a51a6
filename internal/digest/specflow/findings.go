package specflow

import (
	"strings"
	"unicode/utf8"

	"baton/internal/report"
)

// Facts is what Findings needs to know about the rest of the project's folder.
type Facts struct {
	Specs     []string        // ids of the files in specs/
	Execution []ExecutionFile // files of execution/
	CellCap   int             // longest cell in characters, or 0 for no limit (SF-D28)
}

// mostRow is the size in bytes above which a row is reported (specflow.md 5.2).
const mostRow = 2048

// Findings reports problems of the digest, except those of its size and its decisions
// (specflow.md 5.17).
func (d *Doc) Findings(f Facts) []report.Finding {
	var out []report.Finding
	add := func(code report.Code, line int, text string) {
		out = append(out, code.Finding("", line, text))
	}
	p, active := d.active()
	specs := idsOf(f.Specs, func(id string) string { return id })
	for _, a := range active {
		if a.ID != "" && !specs.has(a.ID) {
			add(report.CodeActiveSpecMissing, a.Line, "the active specification "+a.ID+
				" has no file in specs/")
		}
		if w := Word(a.Status); !knownStatus(w) {
			line := a.Line
			if p.form != "C" {
				line = p.status.line + 1
			}
			add(report.CodeUnknownStatus, line, quoted(a.Status)+" is not a known status of a specification")
		}
	}
	for _, i := range d.mergedLines() {
		add(report.CodeStatusMerged, i+1, "both sides of a merge changed the status, and this one does not count: "+
			strings.TrimSpace(d.text(i)))
	}
	for _, r := range d.Queue() {
		if w := Word(r.Status); !knownStatus(w) {
			add(report.CodeUnknownStatus, r.Line, quoted(r.Status)+" is not a known status of a specification")
		}
	}
	d.executionFindings(f, add)
	seen := map[kind]int{}
	for _, s := range d.sections {
		if first, twice := seen[s.kind]; twice && s.kind != other {
			add(report.CodeDuplicateSection, s.head+1, "the section "+quoted(s.title)+
				" appears twice; the first is on line "+itoa(first+1))
			continue
		}
		seen[s.kind] = s.head
		if s.kind != other && s.kind != decisions {
			d.tableFindings(s, f.CellCap, add)
		}
	}
	return out
}

type adder func(code report.Code, line int, text string)

func (d *Doc) executionFindings(f Facts, add adder) {
	rows, files := d.executionRows(), idsOf(f.Execution, fileID)
	for _, r := range rows {
		if !files.has(r.ID) {
			add(report.CodeExecutionRowWithoutFile, r.Line,
				"the row of "+r.ID+" in Execution Status has no file in execution/")
		}
	}
	listed := idsOf(rows, func(r Execution) string { return r.ID })
	for _, file := range f.Execution {
		if !listed.has(file.ID) {
			add(report.CodeExecutionFileWithoutRow, 0,
				"the execution of "+file.ID+" has no row in Execution Status")
		}
	}
}

// tableFindings reports problems of the tables of a section.
func (d *Doc) tableFindings(s section, limit int, add adder) {
	for _, t := range d.tables(s) {
		if t.mismatch {
			add(report.CodeDelimiterMismatch, t.delimiter+1,
				"the table's header and the line below it differ in their number of columns")
		}
		for _, r := range t.rows {
			if r.placeholder {
				continue
			}
			if r.count != len(t.names) {
				add(report.CodeRaggedRows, r.line+1, "the row has "+itoa(r.count)+" cells, its header "+
					itoa(len(t.names)))
			}
			if r.detached {
				add(report.CodeDetachedRows, r.line+1, "the row is separated from its table")
			}
			if n := len(d.text(r.line)); n > mostRow {
				add(report.CodeOversizeRow, r.line+1, "the row has "+itoa(n)+" bytes")
			}
			for _, c := range r.cells {
				if n := utf8.RuneCountInString(c); limit > 0 && n > limit {
					add(report.CodeOversizeCell, r.line+1, "a cell has "+itoa(n)+" characters, more than "+
						itoa(limit))
				}
			}
		}
	}
}
