package agentconfig

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// The fence around baton's block in a Markdown file. The hash of the text that baton wrote shows
// whether somebody edited it; line ends do not count.
const (
	blockBegin = "<!-- BEGIN BATON"
	blockOpen  = "<!-- BEGIN BATON v1 sha256:"
	blockEnd   = "<!-- END BATON -->"
)

// hashOf returns the hash of a text with "\n" line ends.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(strings.ReplaceAll(text, "\r\n", "\n")))
	return hex.EncodeToString(sum[:])
}

// fenced puts the fence around a text. The text ends with a line end; the block does not.
func fenced(body string) string {
	return blockOpen + hashOf(body) + " -->\n" + body + blockEnd
}

// block is the place of baton's block.
type block struct {
	span  markdown.Span // from the start of the opening line to the end of the closing one
	line  int
	whole bool // its hash matches its text, so nobody edited it
	text  string
}

// findBlock finds the block. If the fence is not as baton writes it, line is the line with the
// problem and wrong describes it.
func findBlock(d *markdown.Document) (found block, ok bool, line int, wrong string) {
	open := -1
	for i, ln := range d.Lines() {
		if ln.Class != markdown.Comment {
			continue
		}
		switch text := strings.TrimRight(string(d.Text(i)), " \t"); {
		case strings.HasPrefix(text, blockBegin) && (open >= 0 || ok):
			return block{}, false, i + 1, "a second block of baton begins here"
		case strings.HasPrefix(text, blockBegin):
			open = i
		case text == blockEnd && open >= 0:
			found, ok = blockAt(d, open, i), true
			open = -1
		}
	}
	if open >= 0 {
		return block{}, false, open + 1, "baton's block begins here and is never closed"
	}
	return found, ok, 0, ""
}

func blockAt(d *markdown.Document, first, last int) block {
	lines := d.Lines()
	out := block{span: markdown.Span{Start: lines[first].Start, End: lines[last].End}, line: first + 1}
	out.text = string(d.Bytes()[lines[first].Next:lines[last].Start])
	head := strings.TrimRight(string(d.Text(first)), " \t")
	out.whole = head == blockOpen+hashOf(out.text)+" -->"
	return out
}

const blockItem = "block"

// applyBlock writes baton's block to a Markdown file.
func applyBlock(t target, name string, src []byte, present bool, opts Options) (Edit, error) {
	d, err := openMarkdown(name, src)
	if err != nil {
		return Edit{}, err
	}
	want := fenced(t.body())
	out := Edit{After: src, Exists: present}
	item := Item{Client: t.client, Name: blockItem}
	found, ok, line, wrong := findBlock(d)
	switch {
	case wrong != "":
		item.Status, item.Line, item.Text = Conflict, line, wrong
	case ok:
		item.Line = found.line
		item.Status = OK
		if have := strings.ReplaceAll(string(found.span.Of(src)), "\r\n", "\n"); !found.whole {
			item.Status = Modified
		} else if have != want {
			item.Status = Outdated
		}
		if item.Status == Outdated || item.Status == Modified && opts.Force {
			out.After, err = markdown.Apply(src, edit(found.span.Start, found.span.End,
				string(markdown.Fold(want, eolOf(src)))))
		}
	case unclosed(d) > 0:
		item.Status, item.Line, item.Text = Conflict, unclosed(d),
			"the fence or comment that begins here is never closed and would hide baton's text"
	default:
		item.Status = Missing
		out.After, out.Exists = appendTail(src, present, want), true
		if again, ok, _, _ := findBlock(markdown.Parse(out.After)); !ok || !again.whole {
			out.After, out.Exists = src, present
			item.Status, item.Text = Conflict, "at the end of this file the block would not be recognised"
		}
	}
	out.Items = []Item{item}
	return out, err
}

// openMarkdown parses a file, or refuses one that is not safe to change.
func openMarkdown(name string, src []byte) (*markdown.Document, error) {
	if problem, bad := markdown.Unsafe(src); bad {
		return nil, &report.Error{
			Kind: report.Corrupt, Code: report.CodeAgentConfigInvalid, Path: name, Line: problem.Line,
			Message: name + " cannot be changed safely: " + problem.Text, Hint: "repair the file; nothing was changed",
		}
	}
	return markdown.Parse(src), nil
}

// unclosed returns the line of a fence or comment that is never closed, or 0 if there is none.
func unclosed(d *markdown.Document) int {
	if fence, ok := d.Unclosed(); ok {
		return fence.Open + 1
	}
	if line, ok := d.UnclosedComment(); ok {
		return line + 1
	}
	return 0
}

// removeBlock removes the block. A block that somebody edited contains their words, so it stays
// unless force is set.
func removeBlock(t target, name string, src []byte, opts Options) (Edit, error) {
	out := Edit{After: src, Exists: true}
	d, err := openMarkdown(name, src)
	if err != nil {
		return Edit{}, err
	}
	found, ok, line, wrong := findBlock(d)
	item := Item{Client: t.client, Name: blockItem, Line: found.line, Status: OK}
	switch {
	case wrong != "":
		item.Status, item.Line, item.Text = Conflict, line, wrong
	case !ok:
		return out, nil
	case !found.whole:
		item.Status = Modified
	}
	out.Items = []Item{item}
	if item.Status == OK || item.Status == Modified && opts.Force {
		out.After, out.Exists = cutTail(src, found.span.Start, found.span.End)
	}
	return out, nil
}

// importLine makes Claude Code read AGENTS.md next to a CLAUDE.md. The comment distinguishes it
// from an import that somebody else wrote.
const (
	importWord = "@AGENTS.md"
	importLine = importWord + " <!-- baton -->"
	importItem = "import of " + agentsFile
)

// findImport finds the import. own is the index of baton's line, or -1; any reports whether the
// file imports AGENTS.md at all.
func findImport(d *markdown.Document) (own int, any bool) {
	own = -1
	for i, ln := range d.Lines() {
		switch ln.Class {
		case markdown.FenceOpen, markdown.FenceBody, markdown.FenceClose, markdown.IndentedCode, markdown.Comment,
			markdown.FrontMatter:
			continue
		}
		line := d.Text(i)
		if string(line) == importLine {
			own = i
		}
		for _, word := range bytes.Fields(line) {
			any = any || string(word) == importWord || string(word) == "@./AGENTS.md"
		}
	}
	return own, any
}

// applyImport adds the line to an existing CLAUDE.md that does not import AGENTS.md.
func applyImport(t target, name string, src []byte, present bool, opts Options) (Edit, error) {
	out := Edit{After: src, Exists: present}
	if !present {
		return out, nil
	}
	d, err := openMarkdown(name, src)
	if err != nil {
		return Edit{}, err
	}
	own, any := findImport(d)
	if own < 0 && !opts.Import {
		if !any {
			out.Notes = []report.Finding{report.CodeAgentsNotImported.Finding(name, 0,
				"if there is a CLAUDE.md, Claude Code reads "+agentsFile+" only if CLAUDE.md imports it; `baton init "+
					"--agent claude --import` adds the line")}
		}
		return out, nil
	}
	item := Item{Client: t.client, Name: importItem, Status: OK}
	switch {
	case any:
	case unclosed(d) > 0:
		item.Status, item.Line, item.Text = Conflict, unclosed(d),
			"the fence or comment that begins here is never closed and would hide baton's text"
	default:
		item.Status = Missing
		out.After = appendTail(src, true, importLine)
	}
	out.Items = []Item{item}
	return out, nil
}

// removeImport removes baton's line.
func removeImport(t target, name string, src []byte, _ Options) (Edit, error) {
	out := Edit{After: src, Exists: true}
	d, err := openMarkdown(name, src)
	if err != nil {
		return Edit{}, err
	}
	own, _ := findImport(d)
	if own < 0 {
		return out, nil
	}
	out.Items = []Item{{Client: t.client, Name: importItem, Status: OK, Line: own + 1}}
	out.After, _ = cutTail(src, d.Lines()[own].Start, d.Lines()[own].End)
	if out.After == nil {
		out.After = []byte{} // the file existed before the line was added
	}
	return out, nil
}
