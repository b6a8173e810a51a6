package loss

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"baton/internal/ledger"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// Limits of what is said of entries that are gone.
const (
	MostLossNames = 3 // that are named

	mostLossName = 36 // characters of one of them
)

// About is what is remembered of a loss that the session was told of.
func (l Entry) About() string {
	return "lost " + l.Family + " " + string(l.Known.Kind) + " " + l.Known.Key
}

// LossList names what is gone, so much of it; "" when nothing is to be named.
func LossList(lost []Entry, most int) string {
	if most == 0 {
		return ""
	}
	names := make([]string, most)
	for i, l := range lost[:most] {
		names[i] = lossName(l.Known)
	}
	text := ": " + strings.Join(names, ", ")
	if more := len(lost) - most; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

// lossName is what a message calls an entry.
func lossName(k *ledger.Known) string {
	kind := workspace.PlainWord(string(k.Kind), 16)
	if k.Kind == ledger.Session && k.Number > 0 {
		return kind + " " + strconv.Itoa(k.Number)
	}
	return kind + ` "` + workspace.PlainWord(LabelShown(k.Label), mostLossName) + `"`
}

// LabelShown shows that a label was cut.
func LabelShown(label string) string {
	if label = safetext.Line(label); utf8.RuneCountInString(label) >= ledger.LabelLength-1 { // a blank at the cut is gone
		label += "…"
	}
	return label
}

// GoneWords says what is missing from a document.
func GoneWords(lost []Entry) string {
	text := "1 entry is"
	if len(lost) > 1 {
		text = strconv.Itoa(len(lost)) + " entries are"
	}
	return text + " gone, and in no other document" + LossList(lost, min(MostLossNames, len(lost)))
}
