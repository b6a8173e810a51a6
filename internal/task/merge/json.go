package merge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/task"
	"baton/internal/threeway"
)

// jsonMerge merges JSON values.
type jsonMerge struct {
	asides *[]threeway.Aside // receives a person's unused text, because JSON has no place for notes
}

// merge merges two objects or lists that both differ from base. The result keeps the spacing, order
// and comments of the recent one. A key that only one side changed has that side's value; if both
// changed it, the recent one counts, except that a checked criterion stays checked. ok is false if
// a text is not JSON.
func (m jsonMerge) merge(base, recent, other string) (string, bool) {
	x, err1 := jsontext.Relaxed([]byte(recent))
	y, err2 := jsontext.Relaxed([]byte(other))
	o, err3 := jsontext.Relaxed([]byte(base))
	if err1 != nil || err2 != nil {
		return "", false
	}
	was := jsonText{node: o, src: base, there: err3 == nil}
	out, ok := m.value("", was, jsonText{x, recent, true}, jsonText{y, other, true})
	if !ok {
		return "", false
	}
	text := recent[:x.Span.Start] + out + recent[x.Span.End:]
	if _, err := jsontext.Relaxed([]byte(text)); err != nil {
		return "", false
	}
	return text, true
}

// jsonText is a JSON value together with the text that contains it.
type jsonText struct {
	node  jsontext.Node
	src   string
	there bool
}

func (j jsonText) text() string { return j.src[j.node.Span.Start:j.node.Span.End] }

// alone returns the value as a text that contains nothing else.
func (j jsonText) alone() jsonText {
	node, err := jsontext.Relaxed([]byte(j.text()))
	return jsonText{node, j.text(), j.there && err == nil}
}

func (j jsonText) same(k jsonText) bool {
	return j.there == k.there && (!j.there || jsontext.Equal(j.node, []byte(j.src), k.node, []byte(k.src)))
}

// at returns the value of a member.
func (j jsonText) at(name string) jsonText {
	if !j.there || j.node.Kind != '{' {
		return jsonText{}
	}
	member, ok := j.node.Member(name)
	return jsonText{member.Value, j.src, ok}
}

// value merges two values that both exist and returns the text of the result.
func (m jsonMerge) value(name string, o, x, y jsonText) (string, bool) {
	switch {
	case x.same(y), o.there && o.same(y):
		return x.text(), true
	case o.there && o.same(x):
		return y.text(), true
	case x.node.Kind == '{' && y.node.Kind == '{':
		return m.object(o, x.alone(), y)
	case x.node.Kind == '[' && y.node.Kind == '[':
		return m.array(name, o, x, y), true
	case y.node.Kind == 't' && (x.node.Kind == 'f'):
		return y.text(), true
	}
	m.tell(name, y)
	return x.text(), true
}

// tell records text that the result does not contain. Only sentences are recorded, because single
// words, stamps and numbers are written by programs.
func (m jsonMerge) tell(name string, y jsonText) {
	if y.node.Kind != '"' || isStatus(name) {
		return
	}
	text := y.node.Word([]byte(y.src))
	if _, _, stamp := task.ParseStamp(text, time.UTC); !stamp && strings.ContainsAny(strings.TrimSpace(text), " \t\n") {
		*m.asides = append(*m.asides, threeway.Aside{Label: name, Text: text})
	}
}

// object merges the keys of both sides.
func (m jsonMerge) object(o, x, y jsonText) (string, bool) {
	text, ok := []byte(x.src), true
	for _, member := range y.node.Members {
		was, mine, theirs := o.at(member.Name), x.at(member.Name), y.at(member.Name)
		value := theirs.text()
		switch {
		case mine.there:
			if value, ok = m.value(member.Name, was, mine, theirs); !ok {
				return "", false
			}
			if value == mine.text() {
				continue
			}
		case was.there && was.same(theirs):
			continue // the recent side removed it
		}
		if text, ok = jsontext.Set(text, member.Name, value, "\n"); !ok {
			return "", false
		}
	}
	for _, member := range x.node.Members {
		was := o.at(member.Name)
		if was.there && !y.at(member.Name).there && was.same(x.at(member.Name)) {
			if text, ok = jsontext.Delete(text, member.Name); !ok {
				return "", false
			}
		}
	}
	node, err := jsontext.Relaxed(text)
	if err != nil {
		return "", false
	}
	return string(text[node.Span.Start:node.Span.End]), true
}

// element is an item of a list and the key that identifies it.
type element struct {
	key   string
	value jsonText
}

func (j jsonText) elements() []element {
	var out []element
	if !j.there || j.node.Kind != '[' {
		return nil
	}
	seen := map[string]int{}
	for _, item := range j.node.Items {
		value := jsonText{item, j.src, true}
		key := value.text()
		for _, name := range [...]string{"id", "feature_id", "name", "description", "text"} {
			if named := value.at(name); named.there {
				key = named.text()
				break
			}
		}
		if seen[key]++; seen[key] > 1 {
			key += "\x00" + strconv.Itoa(seen[key])
		}
		out = append(out, element{key, value})
	}
	return out
}

// array merges lists as ordered sets: the items of the recent side in their order, then those that
// the other side added.
func (m jsonMerge) array(name string, o, x, y jsonText) string {
	find := func(list []element, key string) jsonText {
		for _, e := range list {
			if e.key == key {
				return e.value
			}
		}
		return jsonText{}
	}
	was, mine, theirs := o.elements(), x.elements(), y.elements()
	var texts []string
	var edits []markdown.Edit
	inPlace := true
	for _, e := range mine {
		before, other := find(was, e.key), find(theirs, e.key)
		if before.there && !other.there && before.same(e.value) {
			inPlace = false
			continue
		}
		text := e.value.text()
		if other.there {
			if merged, ok := m.value(name, before, e.value, other); ok {
				text = merged
			}
		}
		texts = append(texts, text)
		edits = append(edits, markdown.Edit{Span: e.value.node.Span, Text: []byte(text)})
	}
	for _, e := range theirs {
		before := find(was, e.key)
		if find(mine, e.key).there || before.there && before.same(e.value) {
			continue
		}
		inPlace = false
		texts = append(texts, e.value.text())
	}
	if inPlace {
		out, err := markdown.Apply([]byte(x.src), edits...)
		if err == nil {
			return string(out[x.node.Span.Start : len(out)-(len(x.src)-x.node.Span.End)])
		}
	}
	if len(mine) == 0 && len(theirs) > 0 && len(texts) == len(theirs) {
		return y.text()
	}
	return x.list(texts)
}

// list writes items in the layout of the list: on separate lines if it has several lines.
func (j jsonText) list(texts []string) string {
	text := j.text()
	first := strings.TrimLeft(text[1:], " \t")
	if !strings.HasPrefix(first, "\n") || len(texts) == 0 {
		return "[" + strings.Join(texts, ", ") + "]"
	}
	rest := first[1:]
	indent := rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]
	closing := text[strings.LastIndexByte(text, '\n')+1 : len(text)-1]
	lines := slices.Clone(texts)
	return "[\n" + indent + strings.Join(lines, ",\n"+indent) + "\n" + closing + "]"
}
