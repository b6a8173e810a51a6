package ledger

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// An entry counts as reworded when so many of ten of its words are in the new one.
const sameOfTen = 7

// Similar tells whether a new entry is a lost one in other words: of the same kind, a session with the same number, and with at least
// seven of ten of its words. A word that occurs twice counts twice. Headings and the labels of fields are no words of an entry, because
// all others have them too. An entry without words is like no other.
func Similar(lost, candidate Entry) bool {
	v := vocabulary{}
	return mayBe(&lost, &candidate) && v.share(v.words(lost.Raw), v.words(candidate.Raw)) > 0
}

// said gives what an entry says: its lines without headings, without bold labels, and without those that say only "None".
func said(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-* \t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if label, rest, ok := strings.Cut(line, ":**"); ok && len(label) <= mostLabel {
			line = rest
		} else if label, rest, ok := strings.Cut(line, "**:"); ok && len(label) <= mostLabel {
			line = rest
		}
		if line = strings.TrimSpace(line); line != "" && !strings.EqualFold(line, "none") {
			out.WriteString(line + "\n")
		}
	}
	if out.Len() == 0 {
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

// words gives the words of what an entry says, folded, as sorted numbers.
func (v vocabulary) words(text string) []int {
	var out []int
	for word := range strings.FieldsFuncSeq(said(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
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

// share gives how many of ten thousand of the lost words the candidate has, 0 when they are too few.
func (v vocabulary) share(lost, candidate []int) int {
	common := 0
	for i, j := 0, 0; i < len(lost) && j < len(candidate); {
		switch {
		case lost[i] == candidate[j]:
			common, i, j = common+1, i+1, j+1
		case lost[i] < candidate[j]:
			i++
		default:
			j++
		}
	}
	if common*10 < len(lost)*sameOfTen || common == 0 {
		return 0
	}
	return common * 10000 / len(lost)
}

// pair gives each new entry to at most one that is absent, the most similar first.
func pair(absent []Absence, fresh []*Entry) {
	if len(absent) == 0 || len(fresh) == 0 {
		return
	}
	type match struct{ absent, fresh, share int }
	var matches []match
	v := vocabulary{}
	words := make([][]int, len(fresh))
	for j, e := range fresh {
		words[j] = v.words(e.Raw)
	}
	for i := range absent {
		lost := v.words(absent[i].Known.Raw)
		for j, e := range fresh {
			if !mayBe(&absent[i].Known.Entry, e) {
				continue
			}
			if share := v.share(lost, words[j]); share > 0 {
				matches = append(matches, match{i, j, share})
			}
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int { return cmp.Compare(b.share, a.share) })
	taken := make([]bool, len(fresh))
	for _, m := range matches {
		if absent[m.absent].Into == nil && !taken[m.fresh] {
			absent[m.absent].Into, taken[m.fresh] = fresh[m.fresh], true
		}
	}
}
