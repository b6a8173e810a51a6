package store

import (
	"fmt"
	"io/fs"
	"strings"
	"time"

	"baton/internal/report"
)

// Item is one name in a folder, as the file system reports it: links are not followed, and the name
// may hold any byte.
type Item struct {
	Name    string      // base name, as bytes
	Mode    fs.FileMode // type and permission bits of the name itself
	Size    int64       // bytes; for a link, the length of its text
	ModTime time.Time   // last change of the entry itself
	ID      uint64      // identifies the file; 0 if the system does not say
	Link    *LinkTarget // where a link leads; nil for anything else
}

// LinkTarget is the text of a link and what it leads to.
type LinkTarget struct {
	Text    string      // as written in the link
	Fault   string      // "", "dangling", "looping" or "outside"; with a fault, the fields below are zero
	Mode    fs.FileMode // type of the target
	Size    int64       // bytes
	ModTime time.Time
}

// Folder is a folder as Scan found it.
type Folder struct {
	Items   []Item // in any order
	Exists  bool   // false: the folder is absent, which is not an error
	Outside bool   // the name is a link out of the root, and no option allows writing there (D36)
	Pending bool   // a complete journal will move entries into or out of this folder; they are listed where they are
}

// Relocation moves one entry of a folder (file, folder, link or pipe) to another folder of the same
// project by renaming it. It is part of the transaction: after a crash, the next writer finishes
// it. An entry that cannot be moved stays, and Commit.Outcomes reports it; the transaction does not
// fail. A link moves with its text unchanged. If To is on another file system, files, folders and
// links are copied with mode and time, and the source is removed only after the copy has been
// compared. Nothing else can move there.
type Relocation struct {
	From, To string // folders, slash paths below the root; To is created if it is absent
	Name     string // base name in From; any bytes but NUL and "/"
	NewName  string // base name in To; "" means Name. An existing entry is never overwritten.
	Seen     Item   // the entry as it was when the move was planned

	// Before, if not zero, also lets an entry move that changed after planning, as long as its kind
	// is the same and its time is before this moment. After a crash, only an entry that still
	// matches Seen moves.
	Before time.Time
	// Always also lets an entry move that changed after planning, as long as its kind is the same.
	// It does not apply after a crash.
	Always bool
}

// Outcomes of a relocation.
const (
	Moved    = "moved"
	Vanished = "vanished" // the entry was gone when its turn came
	Changed  = "changed"  // the entry is no longer what was planned, or its new name is taken; it stays
	Failed   = "failed"   // the system refused; the entry stays
)

// Outcome is the result of one relocation.
type Outcome struct {
	From, To, Name, NewName string
	State                   string // Moved, Vanished, Changed or Failed
	Error                   string // with Failed: one sentence
}

// CheckEntry refuses a name that cannot be the base name of an entry: one that is empty, "." or
// "..", or that holds a slash or NUL. Every other byte is allowed, because any entry may have to be
// moved (SD-D18). Package statedir repeats this rule for the names in a manifest: it imports no
// store, and its error names the entry and the manifest at fault. Violation path_outside.
func CheckEntry(name string) error {
	var reason string
	switch {
	case name == "":
		reason = "is empty"
	case name == ".", name == "..":
		reason = "names a folder itself"
	case strings.ContainsAny(name, "/\x00"):
		reason = "holds a slash or NUL"
	default:
		return nil
	}
	return &report.Error{
		Kind: report.Violation, Code: report.CodePathOutside, Path: name,
		Message: fmt.Sprintf("the name %q %s, so it cannot be an entry of a folder", name, reason),
		Hint:    "use the name of an entry without its folder",
	}
}

// Check refuses a relocation whose names lead elsewhere: Violation path_outside.
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

// Target returns the base name in To.
func (r Relocation) Target() string {
	if r.NewName == "" {
		return r.Name
	}
	return r.NewName
}

// Same reports whether a folder is unchanged since it was seen: the same names, the same entries,
// and every link leading to the same target. Names for which skip returns true are ignored on both
// sides; a nil skip ignores none.
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

// Same reports whether an entry is unchanged since it was seen: kind, size, time, and identity if
// the system reports one. For a folder only kind and identity count, because its size and time
// change with its content.
func (i Item) Same(now Item) bool {
	switch {
	case i.Mode.Type() != now.Mode.Type(), i.ID != 0 && now.ID != 0 && i.ID != now.ID:
		return false
	case i.Mode.IsDir():
		return true
	}
	return i.Size == now.Size && i.ModTime.Equal(now.ModTime)
}
