package agentconfig

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"baton/internal/report"
)

// mostPlaces is the number of baton's entries in one file above which the file is refused, because
// each entry requires parsing the file again.
const mostPlaces = 64

// jsonFile is a settings file that is being edited.
type jsonFile struct {
	t     target
	name  string
	src   []byte
	root  node
	whole bool // everything was removed
	look  bool // only look and edit nothing, so that line numbers are those of the existing file
	opts  Options
	items []Item
	err   error
}

// openJSON reads a file. ok is false if it contains only blanks.
func openJSON(t target, name string, src []byte, opts Options) (f *jsonFile, ok bool, err error) {
	f = &jsonFile{t: t, name: name, src: src, opts: opts}
	root, ok, wrong := readJSON(src, t.grammar == JSONC)
	if wrong != nil {
		return nil, false, corrupt(name, src, wrong, "JSON")
	}
	f.root = root
	if !ok && len(bytes.Trim(bytes.TrimPrefix(src, []byte(bom)), " \t\r\n")) > 0 {
		return nil, false, shaped(name, 1, "the file contains comments but no settings", "write {} below the comments")
	}
	if ok && root.kind != '{' {
		return nil, false, shaped(name, lineAt(src, root.start), "the file does not contain an object",
			"settings are an object: {…}")
	}
	if len(hookPlaces(root)) > mostPlaces {
		return nil, false, shaped(name, 0, fmt.Sprintf("the file contains more than %d entries of baton's", mostPlaces),
			"remove the superfluous ones")
	}
	return f, ok, nil
}

// set replaces the text with the result of an edit and parses it.
func (f *jsonFile) set(out []byte, err error) {
	if f.err != nil || f.look {
		return
	}
	if err == nil {
		root, ok, wrong := readJSON(out, f.t.grammar == JSONC)
		if wrong == nil && ok {
			f.src, f.root = out, root
			return
		}
		err = fmt.Errorf("the result would not be readable")
	}
	f.err = &report.Error{
		Kind: report.Internal, Code: report.CodeAgentConfigEdit, Path: f.name,
		Message: fmt.Sprintf("%s could not be changed safely: %v", f.name, err),
		Hint:    "nothing was written; you can insert the snippets by hand",
	}
}

// say records an item.
func (f *jsonFile) say(name string, status Status, pos int, text string) {
	line := 0
	if pos > 0 {
		line = lineAt(f.src, pos)
	}
	f.items = append(f.items, Item{Client: f.t.client, Name: name, Status: status, Line: line, Text: text})
}

// applyJSON adds baton's entries to a file.
func applyJSON(t target, name string, src []byte, present bool, opts Options) (Edit, error) {
	f, ok, err := openJSON(t, name, src, opts)
	if err != nil {
		return Edit{}, err
	}
	if !ok {
		return newJSON(f, present), nil
	}
	root := f.root
	empty := len(f.root.kids) == 0
	f.look = true
	f.apply()
	items := f.items
	if !slices.ContainsFunc(items, func(i Item) bool { return i.Status != OK }) {
		return Edit{After: src, Exists: true, Items: items}, nil
	}
	f.look = false
	f.apply()
	if empty && f.t.frame.name != "" && f.root.member("hooks") >= 0 {
		f.set(insert(f.src, f.root, nil, f.t.frame.name, f.t.frame.v))
	}
	if f.err == nil && !foreign(root, t).same(foreign(f.root, t), true) {
		f.set(nil, fmt.Errorf("something that is not baton's would change"))
	}
	return Edit{After: f.src, Exists: true, Items: items}, f.err
}

// apply adds every kind of entry.
func (f *jsonFile) apply() {
	f.applyHooks()
	f.applyServer()
	f.applyContext()
	f.applyLine()
	f.applyGrants()
}

// newJSON writes a file that is missing or blank. A new file ends with a line end. A blank file
// keeps its blanks before the text, and the text has two blanks after its bracket. So Remove can
// restore both.
func newJSON(f *jsonFile, present bool) Edit {
	v := object()
	if len(f.t.hooks) > 0 && !f.plugin() {
		hooks := object()
		if f.t.client == Kiro {
			hooks = list()
		}
		for _, h := range f.t.hooks {
			f.say("hook "+h.event, Missing, 0, "")
			if hooks.kind == '[' {
				hooks.items = append(hooks.items, h.v)
			} else {
				hooks = hooks.with(h.event, list(h.v))
			}
		}
		v = v.with("hooks", hooks)
	}
	if f.t.server.path != "" {
		f.say(serverItem, Missing, 0, "")
		v = v.with(f.t.server.path, object().with("baton", f.server().v))
	}
	if f.t.context {
		f.say("context "+agentsFile, Missing, 0, "")
		v = v.with("context", object().with("fileName", madeNames()))
	}
	if f.wantsLine() {
		f.say(lineItem, Missing, 0, "")
		v = v.with(f.t.line[0], f.lineBelow(1))
	}
	for _, g := range f.t.grants {
		v = f.withGrant(v, g)
	}
	if len(v.items) == 0 {
		return Edit{After: f.src, Exists: present, Items: f.items}
	}
	if len(f.t.hooks) > 0 && f.t.frame.name != "" {
		v = v.with(f.t.frame.name, f.t.frame.v)
	}
	s := style{eol: eolOf(f.src), unit: "  ", spaced: true}
	made := s.render(v, "")
	if !present {
		return Edit{After: []byte(made + s.eol), Exists: true, Items: f.items}
	}
	made = "{  " + strings.TrimPrefix(made, "{"+s.eol+s.unit)
	return Edit{After: []byte(string(f.src) + made), Exists: true, Items: f.items}
}

// removeJSON removes baton's entries, starting with the last.
func removeJSON(t target, name string, src []byte, opts Options) (Edit, error) {
	f, ok, err := openJSON(t, name, src, opts)
	if err != nil || !ok {
		return Edit{After: src, Exists: true}, err
	}
	before := foreign(f.root, t)
	for f.err == nil && !f.whole && f.dropLast() {
	}
	if f.whole {
		return f.withoutRoot(before), f.err
	}
	if f.err == nil && !before.same(foreign(f.root, t), true) {
		f.set(nil, fmt.Errorf("something that is not baton's would change"))
	}
	return Edit{After: f.src, Exists: true, Items: f.items}, f.err
}

// dropLast removes the entry that was added last.
func (f *jsonFile) dropLast() bool {
	return f.dropGrant() || f.dropLine() || f.dropContext() || f.dropServer() || f.dropHook()
}

// withoutRoot returns a file from which everything was removed. A file that was blank is blank
// again; otherwise the file is removed. If there are comments by a person, an empty object stays.
func (f *jsonFile) withoutRoot(before value) Edit {
	if len(before.items) > 0 {
		f.set(nil, fmt.Errorf("something that is not baton's would be lost"))
		return Edit{}
	}
	head, tail := string(f.src[:f.root.start]), string(f.src[f.root.end:])
	around := strings.TrimPrefix(head, bom) + tail
	switch {
	case strings.Trim(around, " \t\r\n") != "":
		return Edit{After: []byte(head + "{}" + tail), Exists: true, Items: f.items}
	case wasBlank(f.src, f.root):
		return Edit{After: []byte(head + tail), Exists: true, Items: f.items}
	}
	return Edit{Items: f.items}
}

// cut removes one element.
func (f *jsonFile) cut(chain []int) {
	if f.look {
		return
	}
	out, whole, err := cut(f.src, f.root, chain, f.t.frame)
	if whole && err == nil {
		f.whole = true
		return
	}
	f.set(out, err)
}
