package gsd

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Metric adds a plan to the table Plan, Duration, Tasks, Files of Performance Metrics, behind its last row (1.7, GSD-36),
// and reckons the totals and the trend of the section anew where a program wrote what stands there (D39). A number below
// zero is not known. Table and section are made where they are missing. Usage "value_missing" without phase, plan or
// duration.
func (d *Doc) Metric(phase, plan, duration string, tasks, files int, now time.Time) (Edited, error) {
	e := d.edit(now)
	phase, plan, duration = oneLine(phase), oneLine(plan), oneLine(duration)
	if phase == "" || plan == "" || duration == "" {
		e.fail(&report.Error{
			Kind: report.Usage, Code: "value_missing",
			Message: "a metric needs a phase, a plan and a duration", Hint: "baton state metric PHASE PLAN --duration D",
		})
		return e.finish()
	}
	row := "| " + strings.Join([]string{
		cell("Phase " + phase + " P" + plan), cell(duration), counted(tasks, "tasks"), counted(files, "files"),
	}, " | ") + " |"
	before := len(d.metrics())
	e.addMetric(row)
	if e.err == nil && len(e.d.metrics()) != before+1 {
		e.fail(&report.Error{
			Kind: report.Internal, Code: "verify_failed",
			Message: "the row of Performance Metrics was not written: it would not be read back", Hint: "add it with an editor",
		})
	}
	e.changedField("Performance Metrics", "", row)
	e.velocity(before)
	return e.finish()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func counted(n int, what string) string {
	if n < 0 {
		return "- " + what
	}
	return strconv.Itoa(n) + " " + what
}

// metric is one row of the table.
type metric struct {
	duration string
	line     markdown.Span
}

// metricsTable finds the heading line and the delimiter of the table by its exact heading; -1 without one.
func (d *Doc) metricsTable() (header, delimiter int) {
	i := d.titled(1, 6, "Performance Metrics")
	if i < 0 {
		return -1, -1
	}
	for _, t := range d.md.Tables(d.local(d.titles[i].full)) {
		if slices.EqualFunc(d.md.Cells(t.Header), []string{"Plan", "Duration", "Tasks", "Files"}, func(s markdown.Span, name string) bool {
			return strings.EqualFold(string(s.Of(d.md.Bytes())), name)
		}) {
			return t.Header, t.Delimiter
		}
	}
	return -1, -1
}

// metrics gives the rows: the lines below the delimiter that begin with a pipe, whatever their number of cells, without
// a placeholder.
func (d *Doc) metrics() []metric {
	var out []metric
	_, delimiter := d.metricsTable()
	lines := d.md.Lines()
	for i := delimiter + 1; delimiter >= 0 && i < len(lines); i++ {
		text := strings.TrimSpace(string(d.md.Text(i)))
		if !strings.HasPrefix(text, "|") {
			break
		}
		if placeholderRow(text) {
			continue
		}
		m := metric{line: d.move(markdown.Span{Start: lines[i].Start, End: lines[i].Next})}
		if cells := d.md.Cells(i); len(cells) > 1 {
			m.duration = string(cells[1].Of(d.md.Bytes()))
		}
		out = append(out, m)
	}
	return out
}

// placeholderRow tells whether a row holds nothing but dashes, blanks and the template's brackets.
func placeholderRow(text string) bool {
	for c := range strings.SplitSeq(strings.Trim(text, "| "), "|") {
		if c = strings.TrimSpace(c); strings.Trim(c, "-—") != "" && !unfilled(c) {
			return false
		}
	}
	return true
}

// addMetric puts the row into the table.
func (e *editor) addMetric(row string) {
	_, delimiter := e.d.metricsTable()
	if delimiter < 0 {
		e.newMetrics(row)
		return
	}
	if rows := e.d.metrics(); len(rows) > 0 {
		e.insertLines(rows[len(rows)-1].line.End, row)
		return
	}
	lines := e.d.md.Lines()
	at := lines[delimiter].Next + e.d.shift
	if i := delimiter + 1; i < len(lines) { // only a placeholder right below the delimiter makes room (GSD-V14)
		if text := strings.TrimSpace(string(e.d.md.Text(i))); strings.HasPrefix(text, "|") && placeholderRow(text) {
			e.splice(markdown.Edit{Span: markdown.Span{Start: at, End: lines[i].End + e.d.shift}, Text: []byte(row)})
			return
		}
	}
	e.insertLines(at, row)
}

// newMetrics makes the table at the end of its section, or the section at the end of the text.
func (e *editor) newMetrics(row string) {
	table := []string{"**Per-Plan Metrics:**", "", "| Plan | Duration | Tasks | Files |", "|------|----------|-------|-------|", row}
	i := e.d.titled(1, 6, "Performance Metrics")
	if i < 0 {
		e.insertSection(len(e.d.src), append([]string{"## Performance Metrics", ""}, table...))
		return
	}
	at := e.d.lastText(e.d.titles[i].full)
	if at == len(e.d.src) && e.openEnd() {
		return
	}
	table = append([]string{""}, table...)
	if next, _ := lineAt(e.d.src, at); at < len(e.d.src) && len(strings.TrimSpace(string(next))) > 0 {
		table = append(table, "")
	}
	e.insertLines(at, table...)
}
