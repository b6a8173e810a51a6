package decision

import (
	"strings"

	"baton/internal/digest"
)

// sections rotates the sections named in the configuration, one after the other, while the digest
// is still over its limits (SF-D6). The policy is that of decisions, and the entries go to "##
// Archived <title>" in the archive.
func (r *rotation) sections() error {
	if r.o.Keep != nil {
		return nil
	}
	for _, title := range r.s.Sections {
		size := digest.SizeOf(r.out.Digest)
		if !r.s.Over(size) {
			return nil
		}
		if title = strings.TrimSpace(title); title == "" || decisionTitle(r.form, 2, title, r.s.Titles) {
			continue
		}
		if err := r.section(title, size); err != nil {
			return err
		}
	}
	return nil
}

// section rotates one section.
func (r *rotation) section(title string, size digest.Size) error {
	from := scanSection(r.out.Digest, r.form, title)
	if len(from.items) <= r.s.Keep {
		return nil
	}
	dir := majority(len(from.items), func(i int) int64 { return int64(from.items[i].day) })
	rows := chronological(from.items, dir)
	rows = rows[:len(rows)-r.s.choose(from, rows, size)]
	archived := r.archiveFor("Archived "+title, true)
	gained, err := archived.put(from, rows)
	if err != nil {
		return err
	}
	text, err := from.without(rows)
	if err != nil {
		return err
	}
	before, after := scanSection(r.archive, r.form, "Archived "+title), scanSection(archived.src, r.form,
		"Archived "+title)
	if err := grown(before, after, gained); err != nil {
		return err
	}
	if rest := scanSection(text, r.form, title); len(rest.items)+len(rows) != len(from.items) {
		return unverified(notRotated, "the section "+title+" would lack an entry that stays", 0)
	}
	r.take(from, rows, gained)
	r.out.Digest, r.archive = text, archived.src
	return nil
}
