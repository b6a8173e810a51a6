package vectors

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// difference is one place where the files disagree.
type difference struct {
	place string // "FILE head KEY", "FILE SECTION > LABEL", or "FILE"
	want  string // what the original wrote, "" for nothing
	got   string // what baton wrote, "" for nothing
}

func (d difference) String() string {
	return fmt.Sprintf("%s: want %q, got %q", d.place, d.want, d.got)
}

// view is what a document says, without its blank lines, line ends and order of keys.
type view struct {
	head map[string]string
	body []line
}

// line is one line of the body.
type line struct {
	place string
	text  string
}

// label is what stands before the value of a line: a field, or the mark of a list or table.
var label = regexp.MustCompile(`^[-*]?\s*(\*\*([A-Za-z][^*:]*):\*\*|([A-Za-z][A-Za-z ./_-]{0,40}):|\|\s*([^|]*?)\s*\|)`)

// viewOf reads a document.
func viewOf(text string) view {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\ufeff", ""), "\r\n", "\n")
	v := view{head: map[string]string{}}
	lines := strings.Split(text, "\n")
	if lines[0] == "---" {
		if end := slices.Index(lines[1:], "---"); end >= 0 {
			v.head = headOf(lines[1 : end+1])
			lines = lines[end+2:]
		}
	}
	section := ""
	for _, text := range lines {
		text = strings.TrimRight(text, " \t\r")
		if text == "" {
			continue
		}
		name := ""
		if strings.HasPrefix(text, "#") {
			section = strings.TrimLeft(text, "# ")
		} else if m := label.FindStringSubmatch(text); m != nil {
			name = m[2] + m[3] + m[4]
		} else if strings.HasPrefix(text, "- ") {
			name = "-"
		}
		v.body = append(v.body, line{section + " > " + name, text})
	}
	return v
}

// headOf reads front matter: the values by their paths, without quotes. Items of lists are joined.
func headOf(lines []string) map[string]string {
	head := map[string]string{}
	var keys []string
	var indents []int
	for _, text := range lines {
		inner := strings.TrimLeft(text, " ")
		indent := len(text) - len(inner)
		if inner == "" || strings.HasPrefix(inner, "#") {
			continue
		}
		if item, ok := strings.CutPrefix(inner, "- "); ok && len(keys) > 0 {
			name := strings.Join(keys, ".")
			head[name] = strings.TrimPrefix(head[name]+","+plain(item), ",")
			continue
		}
		for len(indents) > 0 && indents[len(indents)-1] >= indent {
			indents, keys = indents[:len(indents)-1], keys[:len(keys)-1]
		}
		key, value, ok := strings.Cut(inner, ":")
		if !ok {
			head["?"+inner] = inner
			continue
		}
		keys, indents = append(keys, key), append(indents, indent)
		value = strings.TrimSpace(value)
		if list, ok := strings.CutPrefix(value, "["); ok {
			items := strings.Split(strings.TrimSuffix(list, "]"), ",")
			for i := range items {
				items[i] = plain(strings.TrimSpace(items[i]))
			}
			value = strings.Join(items, ",")
		}
		if value != "" {
			head[strings.Join(keys, ".")] = plain(value)
		}
	}
	return head
}

// plain takes the quotes off a value.
func plain(value string) string {
	if len(value) < 2 || value[0] != value[len(value)-1] || value[0] != '"' && value[0] != '\'' {
		return value
	}
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(value[1 : len(value)-1])
}

// compare returns where two versions of a file disagree.
func compare(file, want, got string) []difference {
	if !strings.HasSuffix(file, ".md") {
		if want == got {
			return nil
		}
		return []difference{{file, want, got}}
	}
	a, b := viewOf(want), viewOf(got)
	var found []difference
	names := maps.Clone(a.head)
	maps.Copy(names, b.head)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if a.head[name] != b.head[name] {
			found = append(found, difference{file + " head " + name, a.head[name], b.head[name]})
		}
	}
	for _, d := range compareLines(a.body, b.body) {
		d.place = file + " " + d.place
		found = append(found, d)
	}
	return found
}

// compareLines aligns two bodies. Lines with the same label between two common lines are one
// difference.
func compareLines(a, b []line) []difference {
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var found []difference
	start := 0
	flush := func() { start = len(found) }
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			flush()
			i++
			j++
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			found = add(found, start, a[i].place, a[i].text, "")
			i++
		default:
			found = add(found, start, b[j].place, "", b[j].text)
			j++
		}
	}
	return found
}

// add appends a difference, or completes one that has the other side of the same label.
func add(found []difference, start int, place, want, got string) []difference {
	for i := start; i < len(found); i++ {
		d := &found[i]
		if d.place == place && (d.want == "" && want != "" || d.got == "" && got != "") {
			d.want, d.got = d.want+want, d.got+got
			return found
		}
	}
	return append(found, difference{place, want, got})
}
