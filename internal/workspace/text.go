package workspace

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Limits of the text that a session is given.
const (
	MostDocBytes = 4 << 20 // larger documents are not read at the start of a session

	MostFactText = 6 << 10 // characters of one text from a file; texts are shortened further when they are put together
)

// FactLine returns a text from a file as one clean line of limited length.
func FactLine(text string) string { return safetext.FirstRunes(safetext.Line(text), MostFactText) }

// RefOf returns how a text refers to a task.
func RefOf(id task.ID) string { return FactLine(id.Ref()) }

// SortedKeys returns the names of documents in order.
func SortedKeys[V any](docs map[string]V) []string { return slices.Sorted(maps.Keys(docs)) }

// Resolved follows the links of a path as far as it exists. A dangling link counts as its target,
// because writing through the link creates the target.
func Resolved(path string) string {
	rest := ""
	for links := 0; ; {
		if r, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(r, rest)
		}
		if to, err := os.Readlink(path); err == nil && links < 40 {
			links++
			path = AbsoluteIn(filepath.Dir(path), to)
			continue
		}
		dir := filepath.Dir(path)
		if dir == path {
			return filepath.Join(path, rest)
		}
		path, rest = dir, filepath.Join(filepath.Base(path), rest)
	}
}

// PlainWord makes a word from outside safe for a sentence to a model: one line of limited length,
// without brackets that imitate a wrapper and marks that end the quotation (agents.md 2.3).
func PlainWord(word string, most int) string {
	word = strings.NewReplacer("<", "‹", ">", "›", "`", "'").Replace(safetext.Line(word))
	return safetext.Runes(word, most)
}

// Relative returns the link from a folder to a file, both slash paths below the root (5.11.2).
func Relative(dir, file string) string {
	from, to := strings.Split(dir, "/"), strings.Split(file, "/")
	if dir == "." {
		from = nil
	}
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(to, "/")
}

// Distinct returns findings without repetitions, never nil.
func Distinct(findings []report.Finding) []report.Finding {
	seen := make(map[report.Finding]bool, len(findings))
	out := make([]report.Finding, 0, len(findings))
	for _, f := range findings {
		if !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	return out
}

// ActiveRows returns the number of active specifications in a digest; 0 in other layouts
// (specflow.md 5.7.5).
func (p DigestPlace) ActiveRows(text []byte) int {
	if p.Layout != LayoutSpecflow {
		return 0
	}
	return len(specflow.Parse(text).Model().Active)
}

// TailLimit is how many bytes of a command's output evidence keeps (D6).
const TailLimit = 2 << 10

// Tail keeps the end of what is written to it. It keeps more than the limit, because escape
// sequences are removed later.
type Tail struct{ buf []byte }

// Write never fails.
func (t *Tail) Write(p []byte) (int, error) {
	const keep = 4 * TailLimit
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*keep {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-keep:]...)
	}
	return len(p), nil
}

// Without returns the last TailLimit bytes, made safe and cut at a character, without the secrets
// of the environment.
func (t *Tail) Without(environ []string) string {
	text := strings.TrimRight(safetext.WithoutSecrets(safetext.Clean(string(t.buf)), environ), "\n")
	if cut := len(text) - TailLimit; cut > 0 {
		for cut < len(text) && !utf8.RuneStart(text[cut]) {
			cut++
		}
		text = text[cut:]
	}
	return text
}

// Refs formats tasks for a sentence.
func Refs(ids []task.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = id.Ref()
	}
	return strings.Join(words, ", ")
}
