package history

import (
	"bytes"
	"cmp"
	"slices"

	"baton/internal/sorting"
	"baton/internal/store"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

// leaving finds the lines that documents lose by an undo, so that lines which return to one
// document are found in another. Every document is split into lines once, because an undo of many
// lines looks up each of them.
type leaving struct {
	names []string // sorted
	docs  map[string]*UndoneDoc
	lines map[string][2]byEnd // lines of the changing documents, before and after the undo
}

// LeavingOf returns the documents of an undo that change, because only these can lose lines.
func LeavingOf(docs map[string]*UndoneDoc) *leaving {
	l := &leaving{docs: docs, lines: map[string][2]byEnd{}}
	for _, name := range workspace.SortedKeys(docs) {
		if d := docs[name]; d.Changed() {
			l.names = append(l.names, name)
		}
	}
	return l
}

// Returns returns moves for the lines that come back to a document from another one, such as an
// archive. The moves make sure that no line is missing from both after a crash and an edit by hand
// (D5).
func (l *leaving) Returns(name string, d *UndoneDoc) []store.Move {
	if len(l.names) < 2 {
		return nil
	}
	var moves []store.Move
	lines := bytes.SplitAfter(d.Then.Data, []byte("\n"))
	fresh := digests.NewLines(d.Now.Data, d.Then.Data)
	for i := 0; i < len(fresh); {
		end := i + 1
		for end < len(fresh) && fresh[end] == fresh[end-1]+1 {
			end++
		}
		block := lines[fresh[i]-1 : fresh[end-1]]
		moved, whole := l.from(name, block)
		for j := 0; !whole && len(block) > 1 && j < len(block); j++ { // an archive may have other lines between them
			line, _ := l.from(name, block[j:j+1])
			moved = append(moved, line...)
		}
		moves = append(moves, moved...)
		i = end
	}
	return moves
}

// from returns the move of some lines from a document that loses them. found is false if there is
// no such document. Blank lines need no move.
func (l *leaving) from(to string, block [][]byte) (moves []store.Move, found bool) {
	text := bytes.Join(block, nil)
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, true
	}
	for _, from := range l.names {
		if from != to && l.loses(from, block, text) {
			return []store.Move{{From: from, To: to, Lost: text, Gained: text}}, true
		}
	}
	return nil, false
}

// loses reports whether a document contains a text more often before the undo than after it.
func (l *leaving) loses(name string, block [][]byte, text []byte) bool {
	lines, cut := l.lines[name]
	d := l.docs[name]
	if !cut {
		lines = [2]byEnd{linesByEnd(d.Now.Data), linesByEnd(d.Then.Data)}
		l.lines[name] = lines
	}
	switch {
	case text[len(text)-1] != '\n': // the end of a document, which occurs once
	case len(block) == 1:
		return lines[0].ending(text) > lines[1].ending(text)
	case slices.ContainsFunc(block, func(line []byte) bool { return lines[0].ending(line) == 0 }):
		return false
	}
	return bytes.Count(d.Now.Data, text) > bytes.Count(d.Then.Data, text)
}

// byEnd holds the lines of a document with their terminators, sorted from the last byte on, so that
// lines with the same ending are adjacent.
type byEnd [][]byte

func linesByEnd(data []byte) byEnd {
	lines := byEnd(bytes.SplitAfter(data, []byte("\n")))
	sorting.By(lines, fromEnd)
	return lines
}

// ending counts the lines that end with the given line, which is how often the document contains
// it.
func (e byEnd) ending(line []byte) int {
	from, _ := slices.BinarySearchFunc(e, line, fromEnd)
	n, _ := slices.BinarySearchFunc(e[from:], line, func(a, b []byte) int {
		if bytes.HasSuffix(a, b) {
			return -1
		}
		return fromEnd(a, b)
	})
	return n
}

// fromEnd compares two texts from their last bytes.
func fromEnd(a, b []byte) int {
	for i := 1; i <= min(len(a), len(b)); i++ {
		if c := cmp.Compare(a[len(a)-i], b[len(b)-i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}
