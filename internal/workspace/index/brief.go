package index

import (
	"bytes"
	"slices"
	"strings"

	"baton/internal/store/records"
	"baton/internal/task"
)

// Brief is a row as far as the chain of tasks needs it.
type Brief struct {
	Name     string
	After    []task.ID
	Status   string // "" if the row is not plain
	Priority task.Priority
}

// Briefs returns the rows of an index in short. It does not compare checksums, because the
// caller reads the files that matter; so it is several times as fast as Parse.
func Briefs(data []byte) []Brief {
	lines := bytes.Count(data, []byte{'\n'})
	out, known, gone := make([]Brief, 0, lines), places{}, map[string]bool{}
	nameAt := func(i int) string { return out[i].Name }
	p := parser{ids: make([]task.ID, 0, lines/4)}
	each(records.View(data), func(kind, line string) {
		f := fields{rest: line}
		b := Brief{Name: clean(f.next())}
		if kind == kindGone {
			gone[b.Name] = true
			return
		}
		f.next()
		f.next()
		b.After = p.list(f.next())
		f.next()
		f.next()
		if f.more() {
			b.Status, b.Priority = clean(f.next()), task.Priority(clean(f.next()))
		}
		if f.bad {
			return
		}
		if at, twice := known.add(b.Name, len(out), nameAt); twice {
			out[at] = b
		} else {
			out = append(out, b)
		}
		if len(gone) > 0 {
			delete(gone, b.Name)
		}
	})
	if len(gone) == 0 {
		return out
	}
	return slices.DeleteFunc(out, func(b Brief) bool { return gone[b.Name] })
}

// Dependants returns the names of the files whose rows say that they depend on a task, and of those
// without a plain row. It compares no checksums, as Briefs.
func Dependants(data []byte, id task.ID) []string {
	var out []string
	want := string(id)
	each(records.View(data), func(kind, line string) {
		if kind == kindGone {
			return
		}
		f := fields{rest: line}
		name := f.next()
		f.next()
		f.next()
		after := f.next()
		f.next()
		f.next()
		if after != "" && strings.Contains(after, want) || !f.more() {
			out = append(out, clean(name))
		}
	})
	return out
}

// FoundDuring returns the names of the files whose rows say that the task was found during another.
// It compares no checksums, as Briefs.
func FoundDuring(data []byte, id task.ID) []string {
	var out []string
	text := records.View(data)
	if !strings.Contains(text, "\t"+escaped(fromMark(id))+"\t") {
		return nil
	}
	p, r := parser{}, Row{}
	last := map[string]bool{}
	each(text, func(kind, line string) {
		name, _, _ := strings.Cut(line, "\t")
		if !last[name] && !strings.Contains(line, string(id)) {
			return // most rows; an earlier row of a file counts only if the last one has the id too
		}
		r = Row{}
		last[name] = kind == kindRow && p.row(line, &r) && r.From == id
	})
	for name, found := range last {
		if found {
			out = append(out, clean(name))
		}
	}
	slices.Sort(out)
	return out
}

// each calls do with the kind and the text of every line about a file.
func each(text string, do func(kind, line string)) {
	for text != "" {
		line, rest, whole := strings.Cut(text, "\n")
		text = rest
		if !whole {
			return
		}
		kind, row, _ := strings.Cut(records.BodyOf(line), "\t")
		if kind == kindRow || kind == kindGone {
			do(kind, row)
		}
	}
}
