package statusbar

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/digest/standing"
	"baton/internal/statusline"
	"baton/internal/store/disk"
	"baton/internal/workspace"
)

// How much of a digest is read first, in further steps, and at most, whatever its size (D23). The
// first read is enough for a digest of the intended size.
const (
	LineFirst = 16 << 10
	LineStep  = 64 << 10
	lineMost  = 16 << 20
)

// beginning reads a file until enough returns true: first the given number of bytes, then in steps.
// enough gets the bytes read so far and must not keep them. Only regular files are read; links are
// followed. The result is nil if nothing can be read.
func (g *glance) beginning(path string, first int, enough func(head []byte) bool) []byte {
	f, err := g.open(path)
	if errors.Is(err, disk.ErrLink) {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			f, err = g.open(path)
		}
	}
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode.IsRegular() {
		return nil
	}
	size := int(min(info.Size, lineMost))
	var head []byte
	for step := first; len(head) < size; step = LineStep {
		next := min(size, len(head)+step)
		head = slices.Grow(head, next-len(head))
		n, err := f.ReadAt(head[len(head):next], int64(len(head)))
		head = head[:len(head)+n]
		if n == 0 || err != nil && !errors.Is(err, io.EOF) || enough(head) {
			return head
		}
	}
	return head
}

// whole reads a small file.
func (g *glance) whole(path string, most int) []byte {
	data := g.beginning(path, most+1, func([]byte) bool { return true })
	if len(data) > most {
		return nil
	}
	return data
}

// readDigest reads the digest for the line. choice is the configured layout for a folder with
// several digests (D16).
func (g *glance) readDigest(f *statusline.Facts, choice string) {
	planned := g.state != "" || g.lost
	switch {
	case choice == workspace.LayoutSpecflow && g.specflow != "":
		f.Digest = statusline.Specflow
	case planned && (choice != workspace.LayoutBaton || g.own == ""):
		f.Digest = statusline.GSD
		f.State = g.head(g.state, nil)
		if g.lost {
			f.Note = "no active workstream"
		}
	case g.own != "":
		f.Digest = statusline.Own
		f.State = g.head(g.own, func(head []byte) {
			if stands, ok := standing.Read(head); ok {
				f.Standing = &stands
			}
		})
	case g.specflow != "":
		f.Digest = statusline.Specflow
	}
	if g.specflow != "" {
		f.Spec = g.spec()
	}
}

// head reads a digest in the GSD schema as far as the line needs it (D23, N2). If first is
// not nil, it is called with the bytes that are read first.
func (g *glance) head(path string, first func(head []byte)) *gsd.Head {
	if path == "" {
		return nil
	}
	var s gsd.Head
	lifted := false
	g.beginning(path, LineFirst, func(head []byte) bool {
		s.ReadOn(head)
		if first != nil {
			first(head)
			first = nil
		}
		if !lifted && s.Front.Len() > 0 {
			lifted = true
			s.Lift(head)
		}
		return !s.NeedsMore
	})
	return &s
}

// spec reads the active specification (specflow.md 5.14). The section that names it is at the
// beginning.
func (g *glance) spec() *statusline.Spec {
	head := g.beginning(g.specflow, LineStep, func([]byte) bool { return true })
	id, status, more, ok := specflow.FirstActive(head)
	if !ok {
		return nil
	}
	return &statusline.Spec{ID: id, Status: status, More: more}
}

// branch reads the name of the branch from .git, which in a linked checkout is a file that names a
// folder. It does not run git. The result is "" outside git, and if HEAD is stored in another form.
func (g *glance) branch() string {
	if g.top == "" {
		return ""
	}
	dir := filepath.Join(g.top, ".git")
	head := g.whole(filepath.Join(dir, "HEAD"), 4<<10)
	if head == nil {
		named, ok := strings.CutPrefix(strings.TrimSpace(string(g.whole(dir, 4<<10))), "gitdir:")
		if !ok {
			return ""
		}
		head = g.whole(
			filepath.Join(workspace.AbsoluteIn(g.top, filepath.FromSlash(strings.TrimSpace(named))), "HEAD"), 4<<10,
		)
	}
	text := strings.TrimSpace(string(head))
	ref, symbolic := strings.CutPrefix(text, "ref:")
	switch name, ok := strings.CutPrefix(strings.TrimSpace(ref), "refs/heads/"); {
	case !symbolic && text != "":
		return "(detached)"
	case ok && name != ".invalid": // written there if references are stored in tables
		return name
	}
	return ""
}
