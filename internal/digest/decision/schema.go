package decision

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"baton/internal/markdown"
)

// schema is the columns of a table and its two header lines.
type schema struct {
	labels, names     []string
	header, delimiter string // lines as they are written
}

// dash is the text of empty cells.
const dash = "—"

// standard returns the columns of a table that baton creates (specflow.md 5.6.3; gsd.md N8).
func standard(form Form) schema {
	labels := []string{"Date", "Phase", "Decision"}
	if form == Specflow {
		labels[1] = "Specification"
	}
	return newSchema(labels)
}

// newSchema returns the schema with these labels.
func newSchema(labels []string) schema {
	delimiter := "|"
	for _, label := range labels {
		delimiter += strings.Repeat("-", max(3, utf8.RuneCountInString(label)+2)) + "|"
	}
	return schema{labels: labels, names: columns(labels), header: markdown.Row(labels...), delimiter: delimiter}
}

// schemaOf copies the header lines of a table. If the delimiter row is missing or has another
// number of cells, it is rewritten, so that every reader sees a table.
func (sc *scan) schemaOf(table int) schema {
	t := &sc.tables[table]
	made := newSchema(t.labels)
	made.names = t.names
	made.header = string(bytes.TrimSpace(sc.d.Text(t.header)))
	if t.delimiter >= 0 && len(sc.d.Cells(t.delimiter)) == len(t.names) {
		made.delimiter = string(bytes.TrimSpace(sc.d.Text(t.delimiter)))
	}
	return made
}

// piped adds missing outer pipes to a row. Without them it would not be part of a table that has
// them.
func piped(row []byte) []byte {
	inner := bytes.TrimSpace(row)
	if bytes.HasPrefix(inner, []byte{'|'}) {
		return row
	}
	return []byte("| " + markdown.ClosedRow(string(inner)))
}

// fit returns a row in the form for a table with the given columns. The row keeps its bytes if the
// columns are the same or if its cells do not match its own header. Otherwise its cells are moved
// by column name, and nothing is left out (SF-D14, SF-D15).
func (sc *scan) fit(it *item, to schema) []byte {
	if it.table < 0 || it.ragged || slices.Equal(sc.tables[it.table].names, to.names) {
		return sc.text(it)
	}
	from := &sc.tables[it.table]
	values := map[string]string{}
	for k, c := range sc.d.Cells(it.line) {
		values[from.names[k]] = string(c.Of(sc.src))
	}
	text := values["decision"]
	wants := func(name string) bool { return slices.Contains(to.names, name) }
	if spec := values["spec"]; !wants("spec") && !nothing([]byte(spec)) {
		text = spec + ": " + text
	}
	if slices.Contains(to.names, "spec") && !slices.Contains(from.names, "spec") {
		values["spec"], text, _ = specPrefix(text)
	}
	for k, name := range from.names {
		if name != "decision" && name != "spec" && !wants(name) && !nothing([]byte(values[name])) {
			text += " — " + from.labels[k] + ": " + values[name]
		}
	}
	values["decision"] = text
	return []byte(to.line(func(name string) string { return values[name] }))
}

// line returns a row. Cells without a value get a dash.
func (s schema) line(value func(name string) string) string {
	cells := make([]string, len(s.names))
	for k, name := range s.names {
		cells[k] = cmp.Or(value(name), dash)
	}
	return markdown.Row(cells...)
}
