package agentconfig

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// statement is a header or a key/value pair of a TOML text.
type statement struct {
	header bool
	many   bool     // a header in double brackets
	path   []string // absolute, including the path of the table above it
	dotted bool     // a pair whose own key has dots
	table  int      // of a pair: index of the header above it, or -1 at the top
	start  int      // start of the line
	end    int      // end of the line, without its line end
	v      value    // of a pair: texts, literals and lists of them; inline tables are not examined
	raw    string   // of a pair: the value as written
}

// tomlReader reads as much TOML as an edit of one table needs: the limits of tables and pairs, and
// whether strings, lists and inline tables are closed. It does not check numbers and dates.
type tomlReader struct {
	src   []byte
	pos   int
	table int
	path  []string
	out   []statement
}

// readTOML returns the statements of a text.
func readTOML(src []byte) ([]statement, *fault) {
	if !utf8.Valid(src) {
		return nil, &fault{invalidAt(src), "the text is not UTF-8"}
	}
	r := &tomlReader{src: src, table: -1}
	if bytes.HasPrefix(src, []byte(bom)) {
		r.pos = len(bom)
	}
	for {
		if wrong := r.skip(true); wrong != nil {
			return nil, wrong
		}
		if r.pos == len(src) {
			return r.out, nil
		}
		if wrong := r.statement(); wrong != nil {
			return nil, wrong
		}
	}
}

// skip skips blanks, and if lines is set, also line ends and comments.
func (r *tomlReader) skip(lines bool) *fault {
	for r.pos < len(r.src) {
		switch c := r.src[r.pos]; {
		case c == ' ' || c == '\t':
			r.pos++
		case c == '\n' && lines:
			r.pos++
		case c == '\r' && lines:
			if r.pos+1 >= len(r.src) || r.src[r.pos+1] != '\n' {
				return &fault{r.pos, "a carriage return has no line feed after it"}
			}
			r.pos += 2
		case c == '#' && lines:
			for r.pos < len(r.src) && r.src[r.pos] != '\n' && r.src[r.pos] != '\r' {
				if c := r.src[r.pos]; c < ' ' && c != '\t' || c == 0x7f {
					return &fault{r.pos, "a comment contains a control character"}
				}
				r.pos++
			}
		default:
			return nil
		}
	}
	return nil
}

func (r *tomlReader) statement() *fault {
	s := statement{table: r.table, start: max(lineStart(r.src, r.pos), r.floor())}
	if wrong := r.inside(&s); wrong != nil {
		return wrong
	}
	s.end = r.pos
	r.out = append(r.out, s)
	if s.header {
		r.table, r.path = len(r.out)-1, s.path
	}
	return r.endOfLine(len(r.out) - 1)
}

// floor returns the first byte after a byte-order mark.
func (r *tomlReader) floor() int {
	if bytes.HasPrefix(r.src, []byte(bom)) {
		return len(bom)
	}
	return 0
}

// endOfLine reads what may follow statement i on its line, and stores where the line ends.
func (r *tomlReader) endOfLine(i int) *fault {
	if wrong := r.skip(false); wrong != nil {
		return wrong
	}
	if r.pos < len(r.src) && r.src[r.pos] != '\n' && r.src[r.pos] != '\r' && r.src[r.pos] != '#' {
		return &fault{r.pos, "there is text after the end of a statement"}
	}
	end := r.pos
	for end < len(r.src) && r.src[end] != '\n' && r.src[end] != '\r' {
		end++
	}
	r.out[i].end = end
	return nil
}

func (r *tomlReader) inside(s *statement) *fault {
	if r.src[r.pos] == '[' {
		return r.header(s)
	}
	path, wrong := r.key()
	if wrong != nil {
		return wrong
	}
	if r.pos >= len(r.src) || r.src[r.pos] != '=' {
		return &fault{r.pos, "an equals sign is missing"}
	}
	r.pos++
	if wrong := r.skip(false); wrong != nil {
		return wrong
	}
	s.dotted = len(path) > 1
	s.path = append(append([]string{}, r.path...), path...)
	start := r.pos
	if s.v, wrong = r.value(0); wrong != nil {
		return wrong
	}
	s.raw = string(r.src[start:r.pos])
	return nil
}

func (r *tomlReader) header(s *statement) *fault {
	start := r.pos
	s.header = true
	r.pos++
	if r.pos < len(r.src) && r.src[r.pos] == '[' {
		s.many = true
		r.pos++
	}
	if wrong := r.skip(false); wrong != nil {
		return wrong
	}
	var wrong *fault
	if s.path, wrong = r.key(); wrong != nil {
		return wrong
	}
	closing := "]"
	if s.many {
		closing = "]]"
	}
	if !bytes.HasPrefix(r.src[r.pos:], []byte(closing)) {
		return &fault{start, "the header of a table is not closed"}
	}
	r.pos += len(closing)
	return nil
}

// key reads a key, with or without dots, and the blanks after it.
func (r *tomlReader) key() ([]string, *fault) {
	var path []string
	for {
		if r.pos >= len(r.src) {
			return nil, &fault{r.pos, "a name is missing"}
		}
		start := r.pos
		switch c := r.src[r.pos]; {
		case c == '"' || c == '\'':
			v, wrong := r.quoted(c)
			if wrong != nil {
				return nil, wrong
			}
			path = append(path, v.text)
		default:
			for r.pos < len(r.src) && bareByte(r.src[r.pos]) {
				r.pos++
			}
			if r.pos == start {
				return nil, &fault{start, "a name is missing"}
			}
			path = append(path, string(r.src[start:r.pos]))
		}
		if wrong := r.skip(false); wrong != nil {
			return nil, wrong
		}
		if r.pos >= len(r.src) || r.src[r.pos] != '.' {
			return path, nil
		}
		if len(path) == maxDepth {
			return nil, &fault{r.pos, "a name has too many parts"}
		}
		r.pos++
		if wrong := r.skip(false); wrong != nil {
			return nil, wrong
		}
	}
}

func bareByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

func (r *tomlReader) value(depth int) (value, *fault) {
	if r.pos >= len(r.src) {
		return value{}, &fault{r.pos, "a value is missing"}
	}
	if depth > maxDepth {
		return value{}, &fault{r.pos, "values are nested too deeply"}
	}
	switch c := r.src[r.pos]; c {
	case '"', '\'':
		if bytes.HasPrefix(r.src[r.pos:], []byte(strings.Repeat(string(c), 3))) {
			return r.longText(c)
		}
		return r.quoted(c)
	case '[':
		return r.list(depth)
	case '{':
		return r.inline(depth)
	default:
		start := r.pos
		for r.pos < len(r.src) && (bareByte(r.src[r.pos]) || strings.IndexByte("+.:", r.src[r.pos]) >= 0 ||
			r.dateBlank(start)) {
			r.pos++
		}
		word := string(r.src[start:r.pos])
		if !tomlLiteral(word) {
			return value{}, &fault{start, "this is not a TOML value"}
		}
		return literal(word), nil
	}
}

// dateBlank reports whether the blank at pos is between a date and its time.
func (r *tomlReader) dateBlank(start int) bool {
	return r.src[r.pos] == ' ' && r.pos-start == len("2006-01-02") && r.src[start+4] == '-' && r.src[start+7] == '-' &&
		r.pos+1 < len(r.src) && r.src[r.pos+1] >= '0' && r.src[r.pos+1] <= '2'
}

func tomlLiteral(word string) bool {
	switch strings.TrimLeft(word, "+-") {
	case "true", "false":
		return word == "true" || word == "false"
	case "inf", "nan":
		return true
	}
	digits := strings.TrimLeft(word, "+-")
	return digits != "" && digits[0] >= '0' && digits[0] <= '9' && len(word)-len(digits) <= 1
}

// quoted reads a one-line string.
func (r *tomlReader) quoted(mark byte) (value, *fault) {
	start := r.pos
	var b strings.Builder
	for r.pos++; r.pos < len(r.src); {
		c := r.src[r.pos]
		switch {
		case c == mark:
			r.pos++
			return text(b.String()), nil
		case c == '\\' && mark == '"':
			decoded, size := escape(r.src[r.pos:])
			if size == 0 {
				return value{}, &fault{r.pos, "a string contains an escape that TOML does not define"}
			}
			b.WriteString(decoded)
			r.pos += size
		case c < ' ' && c != '\t' || c == 0x7f:
			return value{}, &fault{start, "a string is not closed on its line"}
		default:
			b.WriteByte(c)
			r.pos++
		}
	}
	return value{}, &fault{start, "a string is not closed"}
}

// escape decodes an escape. size is 0 if TOML does not define it.
func escape(src []byte) (decoded string, size int) {
	if len(src) < 2 {
		return "", 0
	}
	if i := strings.IndexByte(`btnfre"\`, src[1]); i >= 0 {
		return string("\b\t\n\f\r\x1b\"\\"[i]), 2
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[src[1]]
	if digits == 0 || len(src) < 2+digits {
		return "", 0
	}
	r, err := strconv.ParseUint(string(src[2:2+digits]), 16, 32)
	if err != nil || !utf8.ValidRune(rune(r)) {
		return "", 0
	}
	return string(rune(r)), 2 + digits
}

// longText skips a multi-line string. Nothing needs its content, so it is kept as written.
func (r *tomlReader) longText(mark byte) (value, *fault) {
	start := r.pos
	closing := []byte(strings.Repeat(string(mark), 3))
	for i := r.pos + 3; i < len(r.src); i++ {
		switch {
		case r.src[i] == '\\' && mark == '"':
			i++
		case bytes.HasPrefix(r.src[i:], closing):
			for i += 3; i < len(r.src) && r.src[i] == mark; i++ { // marks before the closing ones are part of the text
			}
			r.pos = i
			return value{kind: '"', text: string(r.src[start:i])}, nil
		}
	}
	return value{}, &fault{start, "a string of several lines is not closed"}
}

func (r *tomlReader) list(depth int) (value, *fault) {
	start := r.pos
	out := value{kind: '['}
	r.pos++
	for comma := true; ; {
		if wrong := r.skip(true); wrong != nil {
			return value{}, wrong
		}
		switch {
		case r.pos >= len(r.src):
			return value{}, &fault{start, "a list is not closed"}
		case r.src[r.pos] == ']':
			r.pos++
			return out, nil
		case !comma:
			return value{}, &fault{r.pos, "a comma is missing"}
		}
		item, wrong := r.value(depth + 1)
		if wrong != nil {
			return value{}, wrong
		}
		out.items = append(out.items, item)
		if wrong := r.skip(true); wrong != nil {
			return value{}, wrong
		}
		if comma = r.pos < len(r.src) && r.src[r.pos] == ','; comma {
			r.pos++
		}
	}
}

// inline reads an inline table. Since TOML 1.1 it may contain line ends.
func (r *tomlReader) inline(depth int) (value, *fault) {
	start := r.pos
	out := object()
	r.pos++
	for comma := true; ; {
		if wrong := r.skip(true); wrong != nil {
			return value{}, wrong
		}
		switch {
		case r.pos >= len(r.src):
			return value{}, &fault{start, "an inline table is not closed"}
		case r.src[r.pos] == '}':
			r.pos++
			return out, nil
		case !comma:
			return value{}, &fault{r.pos, "a comma is missing"}
		}
		path, wrong := r.key()
		if wrong != nil {
			return value{}, wrong
		}
		if r.pos >= len(r.src) || r.src[r.pos] != '=' {
			return value{}, &fault{r.pos, "an equals sign is missing"}
		}
		r.pos++
		if wrong := r.skip(true); wrong != nil {
			return value{}, wrong
		}
		item, wrong := r.value(depth + 1)
		if wrong != nil {
			return value{}, wrong
		}
		out.add(strings.Join(path, "."), item)
		if wrong := r.skip(true); wrong != nil {
			return value{}, wrong
		}
		if comma = r.pos < len(r.src) && r.src[r.pos] == ','; comma {
			r.pos++
		}
	}
}
