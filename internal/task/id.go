package task

import (
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
)

// ID names a task. In JSON it is a string (D52). Only task files write a numeric id as a number,
// with "#" in headings: digits only, no leading zero, at most 15 digits (D21, TS-D27).
type ID string

// ParseID checks an id that came from outside: at most 64 bytes of letters, digits, ".", "_" and
// "-", beginning with a letter or digit, without "..". A leading "#" is removed. Errors: Usage
// id_invalid.
func ParseID(text string) (ID, error) {
	name := strings.TrimPrefix(text, "#")
	ok := name != "" && len(name) <= 64 && !strings.Contains(name, "..")
	for i := 0; ok && i < len(name); i++ {
		c := name[i]
		alnum := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		ok = alnum || i > 0 && (c == '.' || c == '_' || c == '-')
	}
	if !ok {
		return "", &report.Error{
			Op: "task.id", Kind: report.Usage, Code: report.CodeIDInvalid,
			Message: "task id " + strconv.Quote(safetext.Runes(text, 40)) + " is not allowed",
			Hint: "use letters, digits, '.', '_' and '-', at most 64 characters, starting with a letter or " +
				"digit, without '..'",
		}
	}
	return ID(name), nil
}

// Numeric reports whether task files write the id as a number.
func (id ID) Numeric() bool {
	if id == "" || len(id) > 15 || id[0] == '0' && id != "0" {
		return false
	}
	for i := 0; i < len(id); i++ {
		if id[i] < '0' || id[i] > '9' {
			return false
		}
	}
	return true
}

// Number returns the value of a numeric id.
func (id ID) Number() (int64, bool) {
	if !id.Numeric() {
		return 0, false
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return n, err == nil
}

// Ref returns the id as headings write it: "#101" or "PROJ-42".
func (id ID) Ref() string {
	if id.Numeric() {
		return "#" + string(id)
	}
	return string(id)
}

// UnmarshalJSON reads a string, or a number as written by callers and older versions (D52).
func (id *ID) UnmarshalJSON(data []byte) error {
	text := string(data)
	if s, err := strconv.Unquote(text); err == nil {
		text = s
	}
	*id = ID(text)
	return nil
}

// CompareIDs orders numeric ids before others, each in ascending order (D17).
func CompareIDs(a, b ID) int {
	x, xok := a.Number()
	y, yok := b.Number()
	switch {
	case xok && yok && x != y:
		if x < y {
			return -1
		}
		return 1
	case xok != yok:
		if xok {
			return -1
		}
		return 1
	}
	return strings.Compare(string(a), string(b))
}

// StateName returns the base name of a task file (5.1).
func StateName(id ID) string { return "task-" + string(id) + "-state.md" }

// ArchiveName returns the base name of the file to which older sessions move (5.1).
func ArchiveName(id ID) string { return "task-" + string(id) + "-archive.md" }

// EvidenceName returns the base name of the file with the evidence for criteria (D6).
func EvidenceName(id ID) string { return "task-" + string(id) + "-evidence.jsonl" }

// IDOfStateFile finds the id in the base name of a state file.
func IDOfStateFile(base string) (ID, bool) { return idBetween(base, "-state.md") }

// IDOfAnyFile finds the id in the base name of a state, archive or evidence file.
func IDOfAnyFile(base string) (ID, bool) {
	for _, suffix := range [...]string{"-state.md", "-archive.md", "-evidence.jsonl"} {
		if strings.HasSuffix(base, suffix) {
			return idBetween(base, suffix)
		}
	}
	return "", false
}

func idBetween(base, suffix string) (ID, bool) {
	rest, ok := strings.CutPrefix(base, "task-")
	name, found := strings.CutSuffix(rest, suffix)
	if !ok || !found {
		return "", false
	}
	id, err := ParseID(name)
	return id, err == nil && string(id) == name
}

// Nearest returns at most three names that differ in at most two letters or only in case, the most
// similar first.
func Nearest(word string, known []ID) []string {
	type near struct {
		name     string
		distance int
	}
	var found []near
	for _, k := range known {
		name := string(k)
		d := report.Letters(strings.ToLower(word), strings.ToLower(name), 2)
		if d <= 2 && d < len(word) && d < len(name) {
			found = append(found, near{name: name, distance: d})
		}
	}
	sorting.By(found, func(a, b near) int { return a.distance - b.distance })
	var names []string
	for _, f := range found[:min(3, len(found))] {
		names = append(names, f.name)
	}
	return names
}
