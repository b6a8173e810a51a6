package index

import (
	"strconv"
	"strings"

	"baton/internal/store"
	"baton/internal/task"
)

// record returns a row as the text of a line: fields with tabs between them.
func (r *Row) record() []byte {
	b := append(make([]byte, 0, 200), kindRow...)
	field := func(text string) { b = append(append(b, '\t'), escaped(text)...) }
	number := func(n int64) { b = strconv.AppendInt(append(b, '\t'), n, 10) }
	list := func(ids []task.ID) {
		b = append(b, '\t')
		for i, id := range ids {
			if i > 0 {
				b = append(b, ' ')
			}
			b = append(b, escaped(string(id))...)
		}
	}
	field(r.Name)
	b = appendStamp(append(b, '\t'), r.Stamp)
	number(r.At)
	list(r.After)
	list(r.Children)
	field(string(r.Parent))
	if !r.Plain {
		return b
	}
	field(r.Status)
	field(string(r.Priority))
	field(r.Title)
	field(r.Epic)
	field(r.EpicID)
	number(int64(r.Sessions))
	number(int64(r.Done))
	number(int64(r.Total))
	field(r.Blocked)
	field(fromMark(r.From))
	field(r.Source)
	field(r.Agent)
	number(int64(len(r.Inputs)))
	for _, in := range r.Inputs {
		field(string(in.From))
		field(in.Hash)
		number(int64(in.Session))
	}
	for _, c := range r.Criteria {
		if c.Checked {
			field("x" + c.Text)
		} else {
			field(" " + c.Text)
		}
	}
	return b
}

// marksFrom begins the id of the task during which another was found, so that a search for it in
// the whole index finds nothing else.
const marksFrom = "^"

func fromMark(id task.ID) string {
	if id == "" {
		return ""
	}
	return marksFrom + string(id)
}

// parser parses rows. Their lists of ids are parts of one slice.
type parser struct{ ids []task.ID }

// row parses the text of a row after its kind, and reports whether it is one.
func (p *parser) row(text string, r *Row) bool {
	f := fields{rest: text}
	r.Name, r.Stamp, r.At = clean(f.next()), f.stamp(), f.number()
	r.After, r.Children, r.Parent = p.list(f.next()), p.list(f.next()), task.ID(clean(f.next()))
	if !f.more() {
		return !f.bad
	}
	r.Plain = true
	r.Status, r.Priority = clean(f.next()), task.Priority(clean(f.next()))
	r.Title, r.Epic, r.EpicID = clean(f.next()), clean(f.next()), clean(f.next())
	r.Sessions, r.Done, r.Total = int(f.number()), int(f.number()), int(f.number())
	r.Blocked = clean(f.next())
	r.From, r.Source = task.ID(strings.TrimPrefix(clean(f.next()), marksFrom)), clean(f.next())
	r.Agent = clean(f.next())
	for range f.number() {
		if f.bad {
			break
		}
		r.Inputs = append(r.Inputs, Input{
			task.ID(clean(f.next())), task.InputReceived{Hash: clean(f.next()), Session: int(f.number())},
		})
	}
	for f.more() {
		text := clean(f.next())
		if text == "" {
			return false
		}
		r.Criteria = append(r.Criteria, task.Criterion{Checked: text[0] == 'x', Text: text[1:]})
	}
	return !f.bad && r.Done >= 0 && r.Done <= r.Total && (len(r.Criteria) == 0 || len(r.Criteria) == r.Total)
}

func (p *parser) list(text string) []task.ID {
	from := len(p.ids)
	for text != "" {
		var id string
		id, text, _ = strings.Cut(text, " ")
		p.ids = append(p.ids, task.ID(clean(id)))
	}
	if from == len(p.ids) {
		return nil
	}
	return p.ids[from:len(p.ids):len(p.ids)]
}

// fields takes a text apart. The first field is the text up to the first tab.
type fields struct {
	rest string
	over bool // the last field was taken
	bad  bool // a field was missing or had no number
}

func (f *fields) more() bool { return !f.over }

func (f *fields) next() string {
	if f.over {
		f.bad = true
		return ""
	}
	text, rest, more := strings.Cut(f.rest, "\t")
	f.rest, f.over = rest, !more
	return text
}

func (f *fields) number() int64 { return f.parsed(f.next()) }

func (f *fields) parsed(text string) int64 {
	n, sign := int64(0), int64(1)
	if text != "" && text[0] == '-' {
		text, sign = text[1:], -1
	}
	if text == "" || len(text) > 19 {
		f.bad = true
		return 0
	}
	for i := range len(text) {
		digit := text[i] - '0'
		f.bad = f.bad || digit > 9
		n = n*10 + int64(digit)
	}
	return sign * n
}

func (f *fields) stamp() store.Stamp {
	text := f.next()
	var parts [4]int64
	for i := range parts {
		var part string
		part, text, _ = strings.Cut(text, " ")
		parts[i] = f.parsed(part)
	}
	return store.Stamp{Size: parts[0], ModTime: parts[1], Changed: parts[2], Inode: uint64(parts[3])}
}

func appendStamp(b []byte, s store.Stamp) []byte {
	for i, n := range [...]int64{s.Size, s.ModTime, s.Changed, int64(s.Inode)} {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, n, 10)
	}
	return b
}

// escaped returns a text without tabs and line ends, which separate fields and rows.
func escaped(text string) string {
	if !strings.ContainsAny(text, "\t\n\\") {
		return text
	}
	return strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`).Replace(text)
}

// clean undoes escaped.
func clean(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	return strings.NewReplacer(`\\`, "\\", `\t`, "\t", `\n`, "\n").Replace(text)
}
