package store

import (
	"fmt"
	"io/fs"
	"strings"
	"time"

	"baton/internal/report"
)

// Item is one name in a folder as the file system has it: links are not followed, and the name
// may hold any byte.
type Item struct {
	Name    string      // base name, as bytes
	Mode    fs.FileMode // type and permission bits of the name itself
	Size    int64       // bytes; of a link the length of its text
	ModTime time.Time   // last change of the name itself
	ID      uint64      // which file it is, 0 where the system does not tell
	Link    *LinkTarget // where a link leads; nil for everything else
}

// LinkTarget is what a link says and where it leads.
type LinkTarget struct {
	Text    string      // as written in the link
	Fault   string      // "", "dangling", "looping" or "outside"; with a fault the rest is zero
	Mode    fs.FileMode // type of what it leads to
	Size    int64       // bytes
	ModTime time.Time
}

// Folder is a folder as it was found.
type Folder struct {
	Items   []Item // in any order
	Exists  bool   // false: there is none, which is not an error
	Outside bool   // the name leads outside the root by a link: readable, not writable (D36)
	Pending bool   // a complete journal will move entries into or out of this folder; they are shown where they are now
}

// Relocation moves one entry of a folder to another folder of the same project by renaming,
// whatever it is: file, folder, link, pipe. It is part of the transaction: after a crash the next
// writer finishes it. What cannot be moved stays where it is and is told in Commit.Outcomes; that
// is no error of the transaction. Links move as they are, their text unchanged. A place on
// another file system gets a copy of files, folders and links, with mode and time, and the source
// goes only when the copy was compared; nothing else can move there.
type Relocation struct {
	From, To string // folders, slash paths below the root; To is made when it is absent
	Name     string // base name in From; any bytes but NUL and "/"
	NewName  string // base name in To; "" is Name. A name that is taken there is never overwritten.
	Seen     Item   // as it was found when the move was planned

	// Before, when not zero, lets an entry move that was changed after it was planned, as long as
	// its kind is the same and its time lies before this moment. After a crash an entry moves
	// only when it is still what Seen says.
	Before time.Time
	// Always lets an entry move that was changed after it was planned, as long as its kind is the
	// same. Not after a crash.
	Always bool
}

// Outcomes of a relocation.
const (
	Moved    = "moved"
	Vanished = "vanished" // it was gone when its turn came
	Changed  = "changed"  // it is not any more what was planned, or its new name is taken; it stays
	Failed   = "failed"   // the system refused; it stays
)

// Outcome is what became of a relocation.
type Outcome struct {
	From, To, Name, NewName string
	State                   string // Moved, Vanished, Changed or Failed
	Error                   string // of Failed: one sentence
}

// CheckEntry refuses what cannot be the base name of an entry: empty, "." and "..", with a slash
// or NUL. Every other byte is allowed: entries are moved whatever they are called (SD-D18).
// Package statedir has the same rule for the names in a manifest: it knows no store, and has to
// tell which entry of which file is at fault. Violation path_outside.
func CheckEntry(name string) error {
	var reason string
	switch {
	case name == "":
		reason = "is empty"
	case name == ".", name == "..":
		reason = "is a folder of its own"
	case strings.ContainsAny(name, "/\x00"):
		reason = "holds a slash or NUL"
	default:
		return nil
	}
	return &report.Error{
		Kind: report.Violation, Code: report.CodePathOutside, Path: name,
		Message: fmt.Sprintf("the name %q %s, so it is no entry of a folder", name, reason),
		Hint:    "use the name of an entry without its folder",
	}
}

// Check refuses a relocation with names that lead elsewhere: Violation path_outside.
func (r Relocation) Check() error {
	for _, dir := range [...]string{r.From, r.To} {
		if err := CheckName(dir); err != nil {
			return err
		}
	}
	for _, name := range [...]string{r.Name, r.Target()} {
		if err := CheckEntry(name); err != nil {
			return err
		}
	}
	inside := r.From + "/" + r.Name
	if r.To == inside || strings.HasPrefix(r.To, inside+"/") {
		return &report.Error{
			Kind: report.Violation, Code: report.CodePathOutside, Path: r.To,
			Message: fmt.Sprintf("%s lies in %s, which cannot move into itself", r.To, inside),
			Hint:    "choose another folder",
		}
	}
	return nil
}

// Target is the base name in To.
func (r Relocation) Target() string {
	if r.NewName == "" {
		return r.Name
	}
	return r.NewName
}

// Same tells whether a folder is still what it was when it was seen: the same names, every entry
// the same, every link leading where it led. Names that skip gives true for are left out of both;
// nil leaves out none.
func (f Folder) Same(now Folder, skip func(name string) bool) bool {
	if f.Exists != now.Exists {
		return false
	}
	before := make(map[string]*Item, len(f.Items))
	for i := range f.Items {
		if skip == nil || !skip(f.Items[i].Name) {
			before[f.Items[i].Name] = &f.Items[i]
		}
	}
	for i := range now.Items {
		item := &now.Items[i]
		if skip != nil && skip(item.Name) {
			continue
		}
		was := before[item.Name]
		if was == nil || !was.Same(*item) || !was.Link.same(item.Link) {
			return false
		}
		delete(before, item.Name)
	}
	return len(before) == 0
}

func (l *LinkTarget) same(now *LinkTarget) bool {
	if l == nil || now == nil {
		return l == now
	}
	return l.Text == now.Text && l.Fault == now.Fault && l.Mode == now.Mode && l.Size == now.Size &&
		l.ModTime.Equal(now.ModTime)
}

// Same tells whether an entry is still what it was when it was seen: kind, size and time, and
// which file it is where the system tells that. Of a folder only kind and identity count, for its
// size and time follow from what is in it.
func (i Item) Same(now Item) bool {
	switch {
	case i.Mode.Type() != now.Mode.Type(), i.ID != 0 && now.ID != 0 && i.ID != now.ID:
		return false
	case i.Mode.IsDir():
		return true
	}
	return i.Size == now.Size && i.ModTime.Equal(now.ModTime)
}
