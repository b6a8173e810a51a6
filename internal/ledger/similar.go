package ledger

import (
	"slices"
	"strings"
)

// sameOfTen is how many of ten words of an entry a new one must have to count as the same entry in
// other words.
const sameOfTen = 7

// fewWords is the number of words below which that rule is not enough, because any longer entry may
// have so few words.
const fewWords = 3

// Similar reports whether a new entry is a lost one in other words. It must be of the same kind,
// and a session must have the same number. They must not name different specifications or phases,
// or have different dates (F-30). It must have at least seven of ten words of the lost one; if that
// has hardly any words, exactly the same ones. A word that occurs twice counts twice. Headings,
// labels of fields, and cells with a date or an id do not count, because every other entry has
// them, too. An entry without words is similar to no other.
func Similar(lost, candidate Entry) bool {
	v := vocabulary{}
	return mayBe(&lost, &candidate) && share(v.words(lost.Raw), v.words(candidate.Raw)) > 0
}

// said returns the text of an entry without headings, bold labels and marks (see unmarked), and
// without lines that say only "None".
func said(text string) string {
	if values, ok := valuesOf(text); ok {
		return values
	}
	var out strings.Builder
	headed := false
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-* \t")
		if strings.HasPrefix(line, "#") {
			headed = true
			continue
		}
		if label, rest, ok := strings.Cut(line, ":**"); ok && len(label) <= mostLabel {
			line = rest
		} else if label, rest, ok := strings.Cut(line, "**:"); ok && len(label) <= mostLabel {
			line = rest
		}
		if line = strings.TrimSpace(unmarked(strings.TrimSpace(line))); line != "" && !strings.EqualFold(line, "none") {
			out.WriteString(line + "\n")
		}
	}
	if out.Len() == 0 && headed { // the heading is all there is
		return text
	}
	return out.String()
}

// mostLabel is the longest label of a field, in bytes.
const mostLabel = 40

func mayBe(lost, candidate *Entry) bool {
	return lost.Kind == candidate.Kind && (lost.Kind != Session || lost.Number == candidate.Number) &&
		!differ(lost.Scope, candidate.Scope) && !differ(dayOf(lost.Date), dayOf(candidate.Date))
}

// differ reports whether two texts are known and different.
func differ(a, b string) bool { return a != "" && b != "" && !strings.EqualFold(a, b) }

// dayOf returns a date without its time.
func dayOf(date string) string { return date[:min(len(date), len("2006-01-02"))] }

// vocabulary numbers words, so that entries can be compared quickly.
type vocabulary map[string]int

// words returns the words of a text, as said reduces it, in lower case and as sorted numbers.
func (v vocabulary) words(text string) []int {
	var out []int
	for word := range wordsOf(said(text)) {
		word = strings.ToLower(word)
		n, ok := v[word]
		if !ok {
			n = len(v)
			v[word] = n
		}
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// mostOther returns how many of the words of a lost entry a similar entry may lack.
func mostOther(words int) int { return words * (10 - sameOfTen) / 10 }

// share returns how many of ten thousand lost words the candidate has, or 0 if they are too few.
func share(lost, candidate []int) int {
	if len(lost) < fewWords && len(lost) != len(candidate) {
		return 0
	}
	common, other := 0, mostOther(len(lost))
	for i, j := 0, 0; i < len(lost); {
		switch {
		case j < len(candidate) && lost[i] == candidate[j]:
			common, i, j = common+1, i+1, j+1
		case j == len(candidate) || lost[i] < candidate[j]:
			if other--; other < 0 {
				return 0
			}
			i++
		default:
			j++
		}
	}
	if common == 0 {
		return 0
	}
	return common * 10000 / len(lost)
}
