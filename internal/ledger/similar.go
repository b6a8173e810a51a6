package ledger

import (
	"slices"
	"strings"
)

// An entry counts as reworded when so many of ten of its words are in the new one.
const sameOfTen = 7

// An entry of fewer words says too little for that: any longer one may have them.
const fewWords = 3

// Similar reports whether a new entry is a lost one in other words: of the same kind, a session
// with the same number, and with at least seven of ten of its words; of one that has hardly any,
// with just the same. A word that occurs twice counts twice. Headings, the labels of fields, and
// cells with a date or an id are no words of an entry, because all others have them too. An entry
// without words is like no other.
func Similar(lost, candidate Entry) bool {
	v := vocabulary{}
	return mayBe(&lost, &candidate) && share(v.words(lost.Raw), v.words(candidate.Raw)) > 0
}

// said returns what an entry says: its lines without headings, without bold labels, without marks,
// see unmarked, and without those that say only "None".
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
	if out.Len() == 0 && headed { // its heading says it all
		return text
	}
	return out.String()
}

// mostLabel is how long the label of a field is at most, in bytes.
const mostLabel = 40

func mayBe(lost, candidate *Entry) bool {
	return lost.Kind == candidate.Kind && (lost.Kind != Session || lost.Number == candidate.Number)
}

// vocabulary numbers words, so that entries can be compared quickly.
type vocabulary map[string]int

// words returns the words of what an entry says, folded, as sorted numbers.
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

// mostOther is how many of so many words of a lost entry another one may lack and still be like it.
func mostOther(words int) int { return words * (10 - sameOfTen) / 10 }

// share returns how many of ten thousand of the lost words the candidate has, 0 when they are too
// few.
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
