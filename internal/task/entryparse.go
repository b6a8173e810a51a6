package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"baton/internal/report"
	"baton/internal/safetext"
)

// ParseEntry reads a session entry in one of the formats of D20: JSON if the first non-blank byte
// is "{" or "[", otherwise Markdown with the field labels of 5.3 in any dialect. Text before the
// first label is "did". Errors: Usage unknown_key, json_invalid (with the line), entry_invalid.
func ParseEntry(data []byte) (Entry, error) {
	text, opening, err := InputText(data, "task.log")
	if err != nil {
		return Entry{}, err
	}
	if opening == 0 {
		return entryFromMarkdown(text), nil
	}
	if opening == '[' && json.Valid(text) {
		return Entry{}, UsageError("task.log", report.CodeEntryInvalid, 1,
			"a session entry is one JSON object, not a list",
			`write {"did":[],"issues":[],"state":[],"next":[],"commits":[]}`)
	}
	obj, err := ParseObject(text, "task.log")
	if err != nil {
		return Entry{}, hintLabel(err, text)
	}
	return entryFromObject(obj)
}

// hintLabel adds a hint to an error about Markdown that begins with a bracket. Without a label
// before the bracket it is read as JSON.
func hintLabel(err error, text []byte) error {
	text = bytes.TrimSpace(text)
	var e *report.Error
	if !errors.As(err, &e) || e.Code != report.CodeJSONInvalid || json.Valid(text) {
		return err
	}
	inner := bytes.TrimLeft(text[1:], " \t\r\n")
	prose := len(inner) > 0 && !bytes.ContainsRune([]byte(`"{}[]`), rune(inner[0]))
	for line := range bytes.Lines(text) {
		prose = prose || bytes.HasPrefix(line, []byte("**")) || bytes.HasPrefix(line, []byte("- ")) ||
			bytes.HasPrefix(line, []byte("#"))
	}
	if !prose {
		return err
	}
	with := *e
	with.Hint = "text that begins with a bracket is read as JSON: " + with.Hint +
		"; if it is Markdown, begin with a label such as **Did:**"
	return &with
}

// InputText checks input bytes and removes the byte-order mark. opening is the bracket that begins
// the JSON, or 0 for Markdown.
func InputText(data []byte, op string) (text []byte, opening byte, err error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if problem, bad := BadText(data); bad {
		return nil, 0, UsageError(op, report.CodeTextInvalid, 0, "the text given "+problem, "give UTF-8 text")
	}
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	if len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		opening = trimmed[0]
	}
	return data, opening, nil
}

// BadText returns the reason why a text cannot be in a task file, if there is one (TS-5, TS-6).
func BadText(data []byte) (string, bool) {
	switch {
	case !utf8.Valid(data):
		return "is not valid UTF-8", true
	case bytes.IndexByte(data, 0) >= 0:
		return "contains a NUL byte", true
	}
	return "", false
}

// Object is a JSON object whose values have not been decoded yet.
type Object map[string]json.RawMessage

// ParseObject reads exactly one JSON object; anything after it is an error.
func ParseObject(text []byte, op string) (Object, error) {
	var obj Object
	if err := ParseJSON(text, &obj, op); err != nil {
		return nil, err
	}
	return obj, nil
}

// ParseJSON decodes one value. Errors of the decoder become a sentence with a line number.
func ParseJSON(text []byte, into any, op string) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	err := dec.Decode(into)
	if err == nil {
		if _, err = dec.Token(); errors.Is(err, io.EOF) {
			return nil
		}
		err = errors.New("there is more text after the value")
	}
	at := dec.InputOffset()
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
	}
	line := 1 + bytes.Count(text[:min(int(at), len(text))], []byte{'\n'})
	return UsageError(op, report.CodeJSONInvalid, line, fmt.Sprintf("the JSON given cannot be read: %v (line %d)", err,
		line),
		"check quotes, commas and brackets near that line")
}

// entryFromObject reads the fields of D20. A string counts as a list with one item.
func entryFromObject(obj Object) (Entry, error) {
	var e Entry
	fields := []struct {
		key  string
		into *[]string
	}{{"did", &e.Did}, {"issues", &e.Issues}, {"state", &e.State}, {"next", &e.Next}}
	known := []string{"did", "issues", "state", "next", "commits"}
	if err := CheckKeys(obj, known, "task.log"); err != nil {
		return Entry{}, err
	}
	for _, f := range fields {
		list, err := TextList(obj, f.key, "task.log")
		if err != nil {
			return Entry{}, err
		}
		*f.into = list
	}
	commits, err := TextList(obj, "commits", "task.log")
	if err != nil {
		return Entry{}, err
	}
	for _, c := range commits {
		e.Commits = append(e.Commits, commitOf(c))
	}
	return e, nil
}

// CheckKeys refuses unknown keys (D20), because the content of a misspelt key would be lost.
func CheckKeys(obj Object, known []string, op string) error {
	var unknown string
	for key := range obj {
		found := false
		for _, k := range known {
			found = found || k == key
		}
		if !found && (unknown == "" || key < unknown) {
			unknown = key
		}
	}
	if unknown == "" {
		return nil
	}
	return UsageError(op, report.CodeUnknownKey, 0, fmt.Sprintf("the key %q is unknown",
		safetext.Runes(unknown, 40)),
		"the keys are "+strings.Join(known, ", "))
}

// TextList reads a string or a list of strings. It returns nil for null and for an absent key.
func TextList(obj Object, key, op string) ([]string, error) {
	raw, ok := obj[key]
	if !ok || string(raw) == "null" {
		return nil, nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}, nil
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list, nil
	}
	return nil, UsageError(op, report.CodeValueInvalid, 0, fmt.Sprintf("%q must be a text or a list of texts", key), "")
}

// commitOf reads "hash", "hash subject" and "hash - subject".
func commitOf(text string) Commit {
	text = strings.TrimSpace(text)
	hash, subject, _ := strings.Cut(text, " ")
	subject = strings.TrimSpace(subject)
	subject = strings.TrimSpace(strings.TrimPrefix(subject, "- "))
	return Commit{Hash: strings.Trim(hash, "` ,;:"), Subject: subject}
}

// UsageError returns an error about the input.
func UsageError(op string, code report.Code, line int, message, hint string) error {
	return &report.Error{Op: op, Kind: report.Usage, Code: code, Line: line, Message: message, Hint: hint}
}
