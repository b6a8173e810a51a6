package decision

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// excerptLength is the number of characters of a long decision that stay in the digest
// (specflow.md 5.2, 5.16).
const excerptLength = 300

// clean folds line breaks and refuses what cannot be written: an empty text, or bytes because of
// which baton would no longer edit the document.
func (e Entry) clean() (Entry, error) {
	for _, part := range [...]*string{&e.Date, &e.Spec, &e.Phase, &e.Text, &e.Rationale} {
		if !utf8.ValidString(*part) || strings.IndexByte(*part, 0) >= 0 {
			return e, &report.Error{
				Kind: report.Usage, Code: report.CodeTextInvalid,
				Message: "a decision must be UTF-8 text without NUL bytes",
				Hint:    "give it as plain text",
			}
		}
		*part = fold(*part)
	}
	if nothing([]byte(e.Text)) || noneWord(e.Text) || strings.EqualFold(e.Text, "[Decision summary]") {
		return e, &report.Error{
			Kind: report.Usage, Code: report.CodeTextEmpty, Message: "a decision needs a text",
			Hint: "give its text: baton decision add TEXT",
		}
	}
	return e, nil
}

// fold returns a text as one line: each line break and the blanks around it become one blank
// (SF-D13).
func fold(text string) string {
	if strings.ContainsAny(text, "\r\n") {
		parts := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
		kept := parts[:0]
		for _, p := range parts {
			if p = strings.Trim(p, " \t"); p != "" {
				kept = append(kept, p)
			}
		}
		text = strings.Join(kept, " ")
	}
	return strings.Trim(text, " \t")
}

// limit refuses a text that is longer than chars characters, unless it may be split (SF-D35).
func (e Entry) limit(chars int) (split bool, err error) {
	n := utf8.RuneCountInString(e.Text)
	if e.Rationale != "" {
		n += utf8.RuneCountInString(" — " + e.Rationale)
	}
	if chars <= 0 || n <= chars {
		return false, nil
	}
	if e.Split {
		return true, nil
	}
	return false, &report.Error{
		Kind: report.Violation, Code: report.CodeCellTooLarge,
		Message: "the decision has " + strconv.Itoa(n) + " characters; the limit is " + strconv.Itoa(chars),
		Hint:    "shorten it, or use --split: the archive gets the whole text, the digest its beginning",
		Details: map[string]any{"characters": n, "limit": chars},
	}
}

// excerpt returns the form of a long decision in the digest: its beginning, and where to find the
// whole text (specflow.md 5.16).
func (e Entry) excerpt() Entry {
	text := e.Text
	if e.Rationale != "" {
		text += " — " + e.Rationale
	}
	where := e.Spec
	if where == "" && e.Phase != "" {
		where = "Phase " + e.Phase
	}
	e.Text = safetext.WholeRunes(text, excerptLength) +
		"… [full text: DECISIONS_ARCHIVE.md" + spaced(e.Date) + spaced(where) + "]"
	e.Rationale = ""
	return e
}

// spaced adds a blank before a text that is not empty.
func spaced(text string) string {
	if text == "" {
		return ""
	}
	return " " + text
}

// bullet returns the text of a bullet without its marker: in the GSD schema "[Phase P]: TEXT — R".
func (e Entry) bullet(form Form) string {
	text := e.Text
	if e.Rationale != "" {
		text += " — " + e.Rationale
	}
	if form != Specflow {
		phase := e.Phase
		if phase == "" {
			phase = "?"
		}
		return "[Phase " + phase + "]: " + text
	}
	if e.Spec != "" {
		text = e.Spec + ": " + text
	}
	return text
}

// line returns the row for a table with the given columns. Values without a column of their own are
// added to the text; unknown columns get a dash (specflow.md 5.6.3, SF-D13).
func (e Entry) line(to schema) string {
	has := map[string]bool{}
	for _, name := range to.names {
		has[name] = true
	}
	text := e.Text
	if e.Spec != "" && !has["spec"] {
		text = e.Spec + ": " + text
	}
	if e.Phase != "" && !has["phase"] {
		text = "[Phase " + e.Phase + "]: " + text
	}
	why := "rationale"
	if !has[why] && has["reason"] {
		why = "reason"
	}
	if e.Rationale != "" && !has[why] {
		text += " — " + e.Rationale
	}
	return to.line(func(name string) string {
		cell := ""
		switch name {
		case "date":
			cell = e.Date
		case "spec":
			cell = e.Spec
		case "phase":
			cell = e.Phase
		case "decision":
			cell = text
		case why:
			cell = e.Rationale
		}
		return markdown.EscapeCell(cell)
	})
}
