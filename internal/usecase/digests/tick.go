package digests

import (
	"bytes"

	"baton/internal/digest/phases"
	"baton/internal/workspace"
)

// tick marks a phase as complete in the roadmap, and its requirements in REQUIREMENTS.md, in the
// same transaction as the digest. It returns the names of the documents that change (F-46).
func (d *DigestChange) tick(facts phases.Facts, p phases.Phase) (changed []string, err error) {
	date := d.Now.Format("2006-01-02")
	var ids []string
	for _, doc := range [...]struct {
		name string
		edit func([]byte) ([]byte, error)
	}{
		{"ROADMAP.md", func(src []byte) (ticked []byte, err error) {
			ticked, ids, err = facts.Tick(src, p, date)
			return ticked, err
		}},
		{"REQUIREMENTS.md", func(src []byte) ([]byte, error) { return phases.Fulfil(src, ids) }},
	} {
		name := workspace.Join(d.Place.Dir, doc.name)
		was, err := d.Tx.Read(name)
		if err != nil {
			return nil, err
		}
		if was.Outside {
			d.Note(leadsOutside(name))
		}
		if !was.Exists || was.Outside {
			continue
		}
		if err := workspace.UnsafeError(name, was.Data); err != nil {
			return nil, err
		}
		now, err := doc.edit(was.Data)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(now, was.Data) {
			d.Tx.Write(name, now)
			changed = append(changed, name)
		}
	}
	return changed, nil
}
