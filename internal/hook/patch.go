package hook

import (
	"path"
	"strings"

	"baton/internal/agentsession"
)

// The lines of a patch that name files (agents.md 2.8).
const (
	patchBegin  = "*** Begin Patch"
	patchEnd    = "*** End Patch"
	patchAdd    = "*** Add File:"
	patchUpdate = "*** Update File:"
	patchDelete = "*** Delete File:"
	patchMove   = "*** Move to:"
)

// patchEdits returns the files that a patch changes. It is lenient: the client decides what a patch
// is, and no file that one names may be missed here.
func patchEdits(text string) []agentsession.FileEdit {
	var r patchReader
	for line := range strings.Lines(text) {
		r.line(strings.TrimRight(line, "\r\n"))
	}
	r.end()
	return r.out
}

// patchReader is the state between two lines.
type patchReader struct {
	out  []agentsession.FileEdit
	now  *agentsession.FileEdit
	made bool // the file is new, so that its lines are all of it
}

func (r *patchReader) line(line string) {
	head := strings.TrimSpace(line)
	for _, word := range [...]string{patchAdd, patchUpdate, patchDelete} {
		if name, is := strings.CutPrefix(head, word); is {
			r.end()
			r.now = &agentsession.FileEdit{Path: strings.TrimSpace(name), Delete: word == patchDelete}
			r.made = word == patchAdd
			return
		}
	}
	if r.now == nil {
		return
	}
	switch name, moved := strings.CutPrefix(head, patchMove); {
	case moved: // what follows happens to the new name, and the old one is gone
		from := *r.now
		from.Delete = true
		r.keep(from)
		r.now = &agentsession.FileEdit{Path: strings.TrimSpace(name)}
	case strings.HasPrefix(head, patchEnd):
		r.end()
	case strings.HasPrefix(line, "+"):
		r.now.Added = append(r.now.Added, line[1:])
	case strings.HasPrefix(line, "-"):
		r.now.Removed = append(r.now.Removed, line[1:])
	}
}

// end closes the file that is open.
func (r *patchReader) end() {
	if r.now == nil {
		return
	}
	if r.made {
		content := ""
		if len(r.now.Added) > 0 {
			content = strings.Join(r.now.Added, "\n") + "\n"
		}
		r.now.Content = &content
	}
	r.keep(*r.now)
	r.now, r.made = nil, false
}

func (r *patchReader) keep(e agentsession.FileEdit) {
	if e.Path != "" && len(r.out) < mostEdits {
		r.out = append(r.out, e)
	}
}

// shellPatch returns the edits of a patch in a here-document of a shell command, none if there is
// none. The client runs `cd DIR && apply_patch` in that folder.
func shellPatch(command string) []agentsession.FileEdit {
	before, text, ok := strings.Cut(command, patchBegin)
	if !ok {
		return nil
	}
	out := patchEdits(text)
	dir := changedTo(before)
	if dir == "" {
		return out
	}
	for i, e := range out {
		if !strings.HasPrefix(e.Path, "/") {
			out[i].Path = path.Join(dir, e.Path)
		}
	}
	return out
}

// changedTo returns the folder of a leading `cd DIR &&`.
func changedTo(command string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(command), "cd ")
	if !ok {
		return ""
	}
	dir, _, ok := strings.Cut(rest, "&&")
	if !ok {
		return ""
	}
	return strings.Trim(strings.TrimSpace(dir), `'"`)
}
