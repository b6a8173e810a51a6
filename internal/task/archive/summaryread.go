package archive

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/task"
)

// newSummary returns an empty summary.
func newSummary() summary {
	return summary{done: tally{limit: summaryItems}, issues: tally{limit: summaryItems}}
}

// readSummary returns the summary in the file. Lines that baton does not write are kept word for
// word.
func readSummary(s *task.State) summary {
	sum := newSummary()
	if s.Summary == nil {
		return sum
	}
	sum.widen(s.Summary.First)
	sum.widen(s.Summary.Last)
	r := summaryReader{sum: &sum, doc: markdown.Parse(markdown.Fold(summaryBody(s), "\n"))}
	r.read()
	// A person added the items above the limit, so they stay.
	sum.done.limit = max(summaryItems, len(sum.done.items))
	sum.issues.limit = max(summaryItems, len(sum.issues.items))
	return sum
}

// summaryBody returns the summary without its heading line.
func summaryBody(s *task.State) string {
	_, body, _ := strings.Cut(string(s.Summary.Span.Of(s.Bytes())), "\n")
	return body
}

// summaryReader reads the lines of a summary.
type summaryReader struct {
	sum   *summary
	doc   *markdown.Document
	field string // the field of the current line: duration, done, issues, commits, or ""
}

// read adds every line to its field, or keeps it as extra text.
func (r *summaryReader) read() {
	src := r.doc.Bytes()
	labels := map[int]markdown.Field{}
	for _, f := range r.doc.Fields(markdown.Span{End: len(src)}) {
		labels[f.Line] = f
	}
	for i, line := range r.doc.Lines() {
		text := string(r.doc.Text(i))
		label, isLabel := labels[i]
		switch {
		case line.Class == markdown.Blank:
			r.keepBlank()
		case isPointer(text):
			r.field = ""
		case isLabel && r.begin(label, string(src[label.Span.End:line.End])):
		case !isLabel && line.Class == markdown.Item && r.item(text):
		case !isLabel && line.Class == markdown.Text && line.Depth == 0 && r.more(text):
		default:
			r.field = ""
			r.sum.extra = append(r.sum.extra, text)
		}
	}
	for len(r.sum.extra) > 0 && r.sum.extra[len(r.sum.extra)-1] == "" {
		r.sum.extra = r.sum.extra[:len(r.sum.extra)-1]
	}
}

// keepBlank keeps a blank line between lines of extra text.
func (r *summaryReader) keepBlank() {
	if r.field == "" && len(r.sum.extra) > 0 && r.sum.extra[len(r.sum.extra)-1] != "" {
		r.sum.extra = append(r.sum.extra, "")
	}
}

// isPointer reports whether a line is the one that names the archive (5.14.2).
func isPointer(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasSuffix(text, "]") &&
		(strings.HasPrefix(text, "[Full details: ") || strings.HasPrefix(text, "[Full session details: "))
}

// begin reads a line with a label. It returns false if baton writes no such label or no such value.
func (r *summaryReader) begin(label markdown.Field, value string) bool {
	value = strings.TrimSpace(value)
	switch strings.ToLower(label.Label) {
	case "duration":
		r.field = ""
		return r.duration(value)
	case "accomplishments", "key accomplishments":
		r.field = "done"
	case "issues", "issues resolved":
		r.field = "issues"
	case "commits":
		r.field = "commits"
	default:
		return false
	}
	return r.more(value)
}

// duration reads "stamp - stamp". The second stamp may lack the date.
func (r *summaryReader) duration(value string) bool {
	begin, end, found := strings.Cut(value, " - ")
	if !found {
		begin, end, found = strings.Cut(value, " – ")
	}
	from, fromClock, ok := task.ParseStamp(begin, time.UTC)
	if !ok {
		return false
	}
	r.sum.span(moment{wallClock(from), fromClock, true})
	if !found {
		return true
	}
	to, toClock, ok := task.ParseStamp(end, time.UTC)
	if !ok {
		to, toClock, ok = task.ParseStamp(from.Format("2006-01-02 ")+strings.TrimSpace(end), time.UTC)
	}
	if !ok {
		r.sum.from, r.sum.to = moment{}, moment{}
		return false
	}
	r.sum.span(moment{wallClock(to), toClock, true})
	return true
}

// item reads one list item of the field.
func (r *summaryReader) item(text string) bool {
	text = strings.TrimSpace(text)
	if r.field == "" || len(text) < 2 || text[1] != ' ' {
		return false
	}
	return r.take(strings.TrimSpace(text[2:]))
}

// more reads text after a label or on the lines below it.
func (r *summaryReader) more(text string) bool {
	if r.field == "" {
		return false
	}
	sep := "; "
	if r.field == "commits" {
		sep = ", "
	}
	for part := range strings.SplitSeq(text, sep) {
		r.take(strings.Trim(part, " ;,"))
	}
	return true
}

// take adds one item to the field.
func (r *summaryReader) take(item string) bool {
	if item == "" || task.SaysNone(item) {
		return true
	}
	hidden, isMore := moreCount(item)
	switch r.field {
	case "done":
		r.sum.done.read(item, hidden, isMore)
	case "issues":
		r.sum.issues.read(item, hidden, isMore)
	case "commits":
		if isMore {
			r.sum.hidden += hidden
		} else if !slices.Contains(r.sum.commits, item) {
			r.sum.commits = append(r.sum.commits, item)
		}
	}
	return true
}

// read adds an item of the block as it is written, or the number of items that are not shown.
func (t *tally) read(item string, hidden int, isMore bool) {
	switch {
	case isMore:
		t.more += hidden
	case !t.seen[foldKey(item)]:
		t.keep(item)
	}
}

// moreCount reads "+3 more".
func moreCount(item string) (int, bool) {
	digits, found := strings.CutSuffix(item, " more")
	if !found || !strings.HasPrefix(digits, "+") {
		return 0, false
	}
	n, err := strconv.Atoi(digits[1:])
	return n, err == nil && n > 0
}
