package history

import (
	"context"
	"slices"

	"baton/internal/store/disk"
)

// HadContent reports whether the log knows a document as one with content; now is its blank content
// (F-28). Looks that found it blank do not count, unless somebody accepted that.
func (h *History) HadContent(ctx context.Context, name string, now []byte) bool {
	if !h.logs() {
		return false
	}
	changes, _, err := h.Changes(ctx, 0)
	if err != nil {
		return false
	}
	for i := range slices.Backward(changes) {
		for j := range slices.Backward(changes[i].Docs) {
			d := &changes[i].Docs[j]
			switch {
			case d.Name != name:
			case d.Kind == DocOutside && (d.After.Size == 0 || d.After.Matches(true, now)):
			case d.After.Matches(true, now):
				return false // baton left it blank, or somebody accepted that
			default:
				return d.After.Exists && d.After.Size > 0
			}
		}
	}
	return false
}

// AcceptEmptied records that a document may be blank; now is its content. Errors: Locked, Refused.
func (h *History) AcceptEmptied(ctx context.Context, name string, now []byte) error {
	return h.acceptAs(ctx, name, DocSumOf(now))
}

// AcceptGone records that a document may be absent. Errors: as AcceptEmptied.
func (h *History) AcceptGone(ctx context.Context, name string) error {
	return h.acceptAs(ctx, name, DocSum{})
}

// acceptAs records that a document may be as somebody else left it.
func (h *History) acceptAs(ctx context.Context, name string, now DocSum) error {
	return h.alone(ctx, func(w *recorder) error {
		c := Change{Docs: []DocChange{{Name: name, Kind: DocEmptied, After: now}}}
		w.attribute(&c)
		_, err := w.writeLog(&c, false)
		return disk.Refused(err, w.at.Shown(disk.Join(w.at.Runtime(), logFolder)), "written")
	})
}
