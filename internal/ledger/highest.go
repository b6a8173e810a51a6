package ledger

import "bytes"

// Highest returns the highest number of a session that the book knows. Sessions that a change by
// baton removed, such as an undo, do not count.
func (b *Book) Highest() int {
	highest := 0
	for _, k := range b.by {
		if k.State != Left || k.How != Removed {
			highest = max(highest, k.Number)
		}
	}
	return highest
}

// LastHighest returns the highest number that the end of a book tells; see Book.Highest. end may
// begin within a line. It suffices for a book without missing entries, because the newest sessions
// were recorded last.
func LastHighest(end []byte) int {
	// Only what is needed of a writtenBook, because decoding all its types takes longer than
	// reading the file.
	type numbered struct {
		Key    string `json:"key"`
		Number int    `json:"number"`
		State  State  `json:"state"`
		How    How    `json:"how"`
	}
	highest, numbers := 0, map[string]int{}
	for len(end) > 0 {
		line, rest, ended := bytes.Cut(end, []byte{'\n'})
		if end = rest; !ended {
			break
		}
		var w struct {
			Family  string     `json:"family"`
			Highest int        `json:"highest"`
			Left    []numbered `json:"left"`
			Seen    []numbered `json:"seen"`
			Known   []numbered `json:"known"`
		}
		if !readLine(line, &w) || w.Family == "" {
			continue
		}
		highest = max(highest, w.Highest)
		for _, d := range w.Left {
			if d.How == Removed {
				delete(numbers, d.Key)
			}
		}
		for i := range w.Seen {
			numbers[w.Seen[i].Key] = w.Seen[i].Number
		}
		for i := range w.Known {
			if k := &w.Known[i]; k.State != Left || k.How != Removed {
				numbers[k.Key] = k.Number
			}
		}
	}
	for _, n := range numbers {
		highest = max(highest, n)
	}
	return highest
}
