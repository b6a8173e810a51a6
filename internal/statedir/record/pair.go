package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"baton/internal/report"
	"baton/internal/statedir"
)

// longestKey is the longest key in bytes, because YAML looks no further for the colon after it.
const longestKey = 1024

// value returns the value of a pair (5.6.3). The kind of a known key decides how it is read. null
// always means null, never the text "null", because it is read like that for every key. Only the
// start and the id of a workflow refuse it, because no update may remove them.
func (p Pair) value(w *Words, force bool) (recordValue, error) {
	if !isRecordKey(p.Key) || len(p.Key) > longestKey {
		return recordValue{}, &report.Error{
			Op: "dir.update", Kind: report.Usage, Code: report.CodeKeyInvalid,
			Message: fmt.Sprintf("%s cannot be a key of the record", statedir.QuoteText(p.Key)),
			Hint:    fmt.Sprintf("use letters, digits, - and _ of ASCII, at least one and at most %d", longestKey),
		}
	}
	field, known := w.field(p.Key)
	if field.Refused {
		return recordValue{}, refusedKey(field)
	}
	if !utf8.ValidString(p.Value) {
		return recordValue{}, p.invalid("is not UTF-8", "", "give the text in UTF-8")
	}
	switch {
	case p.Value == "null" && (!known || field.nullable()):
		return recordValue{}, nil
	case !known:
		return p.free(), nil
	}
	return p.typed(w, field, force)
}

// free returns the value for an unknown key.
func (p Pair) free() recordValue {
	if isJSONKey(p.Key) {
		if parsed, ok := parseJSON(p.Value); ok {
			return parsed
		}
		return recordValue{plain: p.Value}
	}
	switch {
	case p.Value == "true", p.Value == "false":
		return recordValue{plain: p.Value == "true"}
	case len(p.Value) > 1 && p.Value[0] == '0':
		return recordValue{plain: p.Value} // 007 is a text, because as a number it would be written back differently
	}
	if n, ok := readNumber(p.Value); ok {
		return recordValue{plain: n}
	}
	return recordValue{plain: p.Value}
}

// typed returns the value for a known key, or an error that says which values the key takes.
func (p Pair) typed(w *Words, field Field, force bool) (recordValue, error) {
	if field.Allowed != nil {
		return p.listed(w, field, force)
	}
	switch kind := baseKind(field.Kind); kind {
	case "boolean":
		if p.Value == "true" || p.Value == "false" {
			return recordValue{plain: p.Value == "true"}, nil
		}
		return recordValue{}, p.unlisted(w, field, []string{"true", "false"}, "")
	case "number":
		if n, ok := readNumber(p.Value); ok {
			return recordValue{plain: n}, nil
		}
		return recordValue{}, p.invalid("is not a whole number", "", fmt.Sprintf("%s takes digits, 0 to %d%s", p.Key,
			int64(exactNumber), field.orNull()))
	case "time":
		if _, ok := parseMoment(p.Value); !ok {
			return recordValue{}, p.invalid("is not a time", "", "write it like 2026-06-10T09:00:00Z"+field.orNull())
		}
	case "uuid v4":
		if !isUUID(p.Value) {
			return recordValue{}, p.invalid("is not a version 4 UUID", "",
				"leave it to baton dir begin, which creates one")
		}
	case "JSON":
		parsed, ok := parseJSON(p.Value)
		if !ok {
			return recordValue{}, p.invalid("is not JSON", "", "give an object, a list"+field.orNull())
		}
		return parsed, nil
	}
	return recordValue{plain: p.Value}, nil
}

// listed returns the value for a key with a closed list. With force, any text is allowed.
func (p Pair) listed(w *Words, field Field, force bool) (recordValue, error) {
	if force {
		return recordValue{plain: p.Value}, nil
	}
	if slices.Contains(field.Allowed, p.Value) {
		return recordValue{plain: p.Value}, nil
	}
	return recordValue{}, p.unlisted(w, field, field.Allowed, "; --force stores it as it is")
}

// nullable reports whether an update may set a field to null.
func (f Field) nullable() bool { return f.SetBy != "stamped" }

// orNull returns the end of a list of allowed values.
func (f Field) orNull() string {
	if f.nullable() {
		return ", or null"
	}
	return ""
}

// unlisted returns the error for a value that is not in the list, with the allowed values and the
// one that was probably meant.
func (p Pair) unlisted(w *Words, field Field, allowed []string, more string) error {
	meant := w.meant(field.Name, p.Value)
	if meant == "" {
		meant = statedir.MeantWord(p.Value, allowed)
	}
	words, last := strings.Join(allowed, ", "), len(allowed)-1
	if !field.nullable() {
		words = strings.Join(allowed[:last], ", ") + " or " + allowed[last]
	}
	err := p.invalid("is not allowed", meant, p.Key+" takes "+words+field.orNull()+more)
	err.Details["allowed"] = allowed
	return err
}

// invalid returns the error for a value.
func (p Pair) invalid(what, meant, hint string) *report.Error {
	err := &report.Error{
		Op: "dir.update", Kind: report.Usage, Code: report.CodeValueInvalid, Hint: hint,
		Message: fmt.Sprintf("%s=%s %s", p.Key, statedir.QuoteText(p.Value), what),
		Details: map[string]any{"key": p.Key},
	}
	if meant != "" {
		err.Message += "; did you mean " + meant + "?"
		err.Details["nearest"] = meant
	}
	return err
}

// refusedKey returns the error for a field that updates may not set, and says who sets it (SD-D11).
func refusedKey(field Field) error {
	hint := "baton sets it itself"
	switch {
	case field.SetBy == "stamped once" || field.Name == historyKey:
		hint = "it is valid for the whole session, which ends with baton dir reset --apply or baton dir begin TYPE " +
			"TASK --new-session"
	case field.Name == lanesKey:
		hint = "it is written when the lanes of a review are registered"
	}
	return &report.Error{
		Op: "dir.update", Kind: report.Usage, Code: report.CodeUpdateRefused,
		Message: field.Name + " cannot be set by an update", Hint: hint, Details: map[string]any{"key": field.Name},
	}
}

// meant returns the word of a closed list that was probably meant, or "": an alias, the most
// similar word, the only one with this beginning, or the stem, such as implement for
// implementation.
func (w *Words) meant(field, value string) string {
	aliases := w.aliases()
	if field == "workflow_type" {
		if target, ok := aliases[strings.ToLower(value)]; ok {
			return target
		}
	}
	allowed := w.list(field)
	if meant := statedir.MeantWord(value, allowed); meant != "" || len(value) < 3 {
		return meant
	}
	begins := ""
	if field == "workflow_type" {
		names := slices.Sorted(maps.Keys(aliases))
		if alias := statedir.MeantWord(value, names); alias != "" {
			return aliases[alias]
		}
		if alias := stemWord(strings.ToLower(value), names); alias != "" {
			return aliases[alias]
		}
	}
	for _, word := range allowed {
		if strings.HasPrefix(strings.ToLower(word), strings.ToLower(value)) {
			if begins != "" {
				return ""
			}
			begins = word
		}
	}
	if begins != "" {
		return begins
	}
	return stemWord(strings.ToLower(value), allowed)
}

// stemWord returns the word with the longest common beginning: at least four letters and two thirds
// of the word.
func stemWord(value string, allowed []string) string {
	best, most := "", 0
	for _, word := range allowed {
		n := 0
		for n < min(len(value), len(word)) && value[n] == word[n] {
			n++
		}
		switch {
		case n < 4 || n*3 < len(word)*2 || n < most:
		case n > most:
			best, most = word, n
		case len(word) < len(best):
			best = word
		}
	}
	return best
}

// Type returns the type for a word, which may be an alias. Errors: Usage workflow_type_unknown,
// which suggests the most similar type.
func (w *Words) Type(word string) (string, error) {
	allowed := w.list("workflow_type")
	if slices.Contains(allowed, word) {
		return word, nil
	}
	if target, ok := w.aliases()[word]; ok {
		return target, nil
	}
	if allowed == nil && word != "" {
		return word, nil
	}
	err := &report.Error{
		Op: "dir.begin", Kind: report.Usage, Code: report.CodeWorkflowTypeUnknown,
		Message: fmt.Sprintf("there is no workflow type %s", statedir.QuoteText(word)),
		Hint:    "use one of " + strings.Join(allowed, ", "),
		Details: map[string]any{"allowed": allowed},
	}
	if meant := w.meant("workflow_type", word); meant != "" {
		err.Message += "; did you mean " + meant + "?"
		err.Details["nearest"] = meant
	}
	return "", err
}

// isUUID reports whether a text is a version 4 UUID in its usual form.
func isUUID(text string) bool {
	if len(text) != len("xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx") {
		return false
	}
	for i := range len(text) {
		c := text[i] | 0x20
		switch i {
		case 8, 13, 18, 23:
			if text[i] != '-' {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return false
			}
		}
	}
	return text[14] == '4' && strings.IndexByte("89abAB", text[19]) >= 0
}
