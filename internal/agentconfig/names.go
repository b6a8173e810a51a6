package agentconfig

import (
	"bytes"

	"baton/internal/markdown"
)

// Gemini reads the context files that context.fileName lists, or GEMINI.md if it lists none. baton
// inserts AGENTS.md before the existing names. The number of blanks before the comma records what
// was there: one for a list, two for a text, three for nothing. An AGENTS.md without these blanks
// was added by a person and stays, except in a file that baton created.
const (
	agentsFile = `AGENTS.md`
	agentsText = `"AGENTS.md"`
	wasList    = " "
	wasText    = "  "
	wasNothing = "   "
	geminiFile = `GEMINI.md`
)

// newNames returns the list for an existing file that has none.
func newNames() value { return literal("[" + agentsText + wasNothing + `, "` + geminiFile + `"]`) }

// madeNames returns the list for a file that baton creates. It needs no mark, because the whole
// file is baton's.
func madeNames() value { return texts(agentsFile, geminiFile) }

// madeFile reports whether baton created the file: its first member is hooks, and the first hook is
// baton's. In a file that already existed, baton's entries come after others or after the blank
// that marks an empty container.
func madeFile(src []byte, root node) bool {
	if len(root.kids) == 0 || root.kids[0].name != "hooks" || marked(src, root) {
		return false
	}
	hooks := root.kids[0].value
	if hooks.kind != '{' || len(hooks.kids) == 0 || marked(src, hooks) {
		return false
	}
	list := hooks.kids[0].value
	if list.kind != '[' || len(list.kids) == 0 || marked(src, list) {
		return false
	}
	owner, _ := ownerOf(list.kids[0].value)
	return owner == ownElement
}

// namesAt finds context.fileName. found is the number of keys on its path that exist: 0, 1 or 2.
func namesAt(root node) (chain []int, at node, found int) {
	i := root.member("context")
	if i < 0 {
		return nil, root, 0
	}
	at = root.kids[i].value
	j := at.member("fileName")
	if j < 0 {
		return []int{i}, at, 1
	}
	return []int{i, j}, at.kids[j].value, 2
}

// listsAgents reports whether AGENTS.md is listed. shaped is false if the value is neither a text
// nor a list of texts.
func listsAgents(names node) (named, shaped bool) {
	if names.kind == '"' {
		return names.text == agentsFile, true
	}
	for _, k := range names.kids {
		if k.value.kind != '"' {
			return false, false
		}
		named = named || k.value.text == agentsFile
	}
	return named, names.kind == '['
}

// addName adds AGENTS.md. The caller has checked that the value has the right shape and that
// AGENTS.md is missing.
func addName(src []byte, root node) ([]byte, error) {
	chain, at, found := namesAt(root)
	switch {
	case found == 0:
		return insert(src, root, nil, "context", object().with("fileName", newNames()))
	case found == 1:
		return insert(src, root, chain, "fileName", newNames())
	case at.kind == '"':
		return markdown.Apply(src, edit(at.start, at.start, "["+agentsText+wasText+", "), edit(at.end, at.end, "]"))
	case len(at.kids) == 0:
		return markdown.Apply(src, edit(at.start+1, at.start+1, agentsText+wasList))
	}
	return markdown.Apply(src, edit(at.start+1, at.start+1, agentsText+wasList+","))
}

// dropName reverses addName. done is false if there is nothing of baton's.
func dropName(src []byte, root node) (out []byte, whole, done bool, err error) {
	chain, at, found := namesAt(root)
	if found < 2 || at.kind != '[' || len(at.kids) == 0 {
		return src, false, false, nil
	}
	first := at.kids[0]
	if first.start != at.start+1 || string(src[first.start:first.value.end]) != agentsText {
		return src, false, false, nil
	}
	if first.comma < 0 {
		if src[first.value.end] != ' ' {
			return src, false, false, nil
		}
		out, err = markdown.Apply(src, edit(first.start, first.value.end+len(wasList), ""))
		return out, false, true, err
	}
	gap := string(src[first.value.end:first.comma])
	made := gap == "" && madeFile(src, root)
	switch {
	case (made || gap == wasNothing) && alone(src, at) && at.kids[1].value.text == geminiFile:
		out, whole, err = cut(src, root, chain, skeleton{})
	case gap == wasText && alone(src, at):
		out, err = markdown.Apply(src, edit(at.start, at.kids[1].start, ""), edit(at.end-1, at.end, ""))
	case gap == wasList:
		out, err = markdown.Apply(src, edit(first.start, first.comma+1, ""))
	case made || gap == wasText || gap == wasNothing:
		out, err = markdown.Apply(src, edit(first.start, backOne(src, first.comma+1), ""))
	default:
		return src, false, false, nil
	}
	return out, whole, true, err
}

// alone reports whether a list contains only AGENTS.md and one other text, as baton writes it.
func alone(src []byte, at node) bool {
	return len(at.kids) == 2 && at.kids[1].comma < 0 && at.kids[1].value.kind == '"' &&
		at.kids[1].value.end == at.end-1 && bytes.Equal(src[at.kids[0].comma:at.kids[1].start], []byte(", "))
}

// backOne moves pos back over one blank, if there is one.
func backOne(src []byte, pos int) int {
	if src[pos] == ' ' {
		return pos + 1
	}
	return pos
}
