package decision

import (
	"bytes"
	"slices"

	"baton/internal/digest"
	"baton/internal/markdown"
	"baton/internal/report"
)

// Reasons why a rotation has nothing to do, or does not bring a digest within its limits
// (specflow.md 5.7.5).
const (
	WithinLimits       = "within_limits"
	DecisionsExhausted = "decisions_exhausted"
	NoDecisionsSection = "no_decisions_section"
	NotMovable         = "not_movable" // without them, others would be read differently
)

// Reasons why sorting changed nothing in an archive (specflow.md 5.7.6).
const (
	SortInOrder = "in_order" // its rows are in time order
	SortNoneYet = "none_yet" // it is missing or has no decisions
	// SortUnsortable: the entries that are out of order cannot move, because they are bullets or
	// rows that fit no other header.
	SortUnsortable = "unsortable"
)

// archiveHeading is the heading above the decisions of an archive.
const archiveHeading = "Archived Decisions"

// rotation is the state of a Rotate.
type rotation struct {
	form    Form
	s       Settings
	o       RotateOptions
	digest  *scan
	archive []byte // the resulting archive
	given   []byte // the archive as it was
	parsed  *scan  // scan of the given archive, made on first use
	out     Rotation
}

// Rotate moves the oldest decisions of a digest that is over its limits to the archive
// (specflow.md 5.7, 5.8; gsd.md N8; D33, D34). If the digest is within the limits, or nothing is
// left to move, it returns the given bytes. hasArchive distinguishes an empty archive from a
// missing one. Rotating the result again changes nothing.
//
// Errors: Corrupt "unclosed_fence" if a row would be placed after an unclosed fence or comment of
// the archive; Internal "verify_failed" if the result does not contain every row exactly once.
func Rotate(doc, archive []byte, hasArchive bool, form Form, s Settings, o RotateOptions) (Rotation, error) {
	r := rotation{form: form, s: s, o: o, given: archive, archive: archive}
	r.digest = scanDigest(doc, form, s.Titles)
	r.out = Rotation{Digest: doc, Archive: archive}
	dir, source := r.digest.direction(s, r.archiveScan)
	res := &r.out.Result
	res.Before, res.Direction, res.DirectionSource = digest.SizeOf(doc), dir, source
	res.DecisionSections, res.RaggedRows = len(r.digest.regions), r.digest.ragged()

	if o.SortArchive {
		if err := r.sort(hasArchive); err != nil {
			return Rotation{}, err
		}
	}
	if err := r.compressOthers(); err != nil {
		return Rotation{}, err
	}
	keep, reason, err := r.oldest(dir)
	if err != nil {
		return Rotation{}, err
	}
	if err := r.sections(); err != nil {
		return Rotation{}, err
	}
	if err := r.compressRows(); err != nil {
		return Rotation{}, err
	}
	r.conclude(keep, reason)
	return r.out, nil
}

// archiveScan scans the given archive once. It returns nil if there is none.
func (r *rotation) archiveScan() *scan {
	if r.parsed == nil && len(r.given) > 0 {
		r.parsed = scanArchive(r.given, r.form)
	}
	return r.parsed
}

// keep returns how many rows stay, and the reason if all do (specflow.md 5.7.1, SF-D3).
func (r *rotation) keep(rows []dated, size digest.Size) (int, string) {
	n := len(rows)
	over := r.s.Over(size)
	if r.o.Keep != nil {
		k := min(max(*r.o.Keep, 0), n)
		switch {
		case k < n:
			return k, ""
		case over:
			return n, r.none()
		}
		return n, WithinLimits
	}
	if !over && !(r.s.Eager && n > r.s.Tolerate) {
		return n, WithinLimits
	}
	if len(r.digest.regions) == 0 || n <= r.s.Keep {
		return n, r.none()
	}
	return r.s.choose(r.digest, rows, size), ""
}

// none returns the reason why nothing is moved from a digest that is over its limits.
func (r *rotation) none() string {
	if len(r.digest.regions) == 0 {
		return NoDecisionsSection
	}
	return DecisionsExhausted
}

// choose returns how many rows stay if there are more than Keep. If there are more than Tolerate,
// it returns Keep; otherwise the largest number with which the digest is within the limits (SF-D3).
func (s Settings) choose(sc *scan, rows []dated, size digest.Size) int {
	n := len(rows)
	if n > s.Tolerate {
		return min(s.Keep, n)
	}
	for k := n - 1; k > s.Keep; k-- {
		gone := &sc.items[rows[n-1-k].index]
		size.Bytes -= gone.span.Len()
		size.Lines -= digest.SizeOf(sc.raw(gone)).Lines
		if !s.Over(size) {
			return k
		}
	}
	return s.Keep
}

// oldest moves the oldest decisions to the archive. One stays where it is if another would be read
// differently without it, such as an item of a list in the middle of a table. It returns how many
// stay, and the reason if all do.
func (r *rotation) oldest(dir Direction) (int, string, error) {
	for {
		rows := chronological(r.digest.items, dir)
		keep, reason := r.keep(rows, digest.SizeOf(r.out.Digest))
		rows = rows[:len(rows)-keep]
		plan, err := fitting(rows, r.without)
		if err != nil {
			return 0, "", err
		}
		if plan == nil && len(rows) > 0 {
			r.out.Result.UnmovedLine = r.digest.items[rows[0].index].line + 1
			return keep + len(rows), NotMovable, nil
		}
		if plan == nil {
			return keep, reason, nil
		}
		r.take(r.digest, plan.rows, plan.gained)
		r.out.Result.Moved += len(plan.rows)
		r.out.Result.ArchiveUnsorted = r.out.Result.ArchiveUnsorted || plan.archive.unsorted
		r.out.Digest, r.archive = plan.digest, plan.archive.src
		if len(plan.rows) == len(rows) {
			return keep, "", nil
		}
		r.digest = scanDigest(plan.digest, r.form, r.s.Titles)
		dir, _ = r.digest.direction(r.s, func() *scan { return scanArchive(r.archive, r.form) })
	}
}

// without plans to move decisions, oldest first. If something in the archive would be read
// differently beside them, they get a section of their own. Internal verify_failed means that
// something in the digest would be.
func (r *rotation) without(rows []dated) (*shortRows, error) {
	text, err := r.digest.without(rows)
	if err != nil {
		return nil, err
	}
	plan, err := r.archived(rows, text, false)
	if report.CodeOf(err) == report.CodeVerifyFailed {
		plan, err = r.archived(rows, text, true)
	}
	return plan, err
}

// archived plans the archive that takes rows of a digest of which text is the rest.
func (r *rotation) archived(rows []dated, text []byte, apart bool) (*shortRows, error) {
	to := r.archiveFor(archiveHeading, false)
	to.apart = apart
	gained, err := to.put(r.digest, rows)
	if err != nil {
		return nil, err
	}
	return &shortRows{rows, text, to, gained}, r.verify(rows, gained, text, to.src)
}

// archiveFor returns an edit of the archive for rows of a section.
func (r *rotation) archiveFor(heading string, section bool) *archiveEdit {
	template := string(r.o.Template)
	if r.o.Template == nil {
		template = newArchive(r.form)
	}
	return &archiveEdit{
		src: r.archive, form: r.form, heading: heading, section: section, template: template, eol: r.digest.d.EOL(0),
	}
}

// newArchive returns the beginning of a new archive (specflow.md 5.8; gsd.md N8).
func newArchive(form Form) string {
	if form == Specflow {
		return "# SpecFlow Decisions Archive\n\nOlder decisions, moved here from STATE.md so that it stays short.\n"
	}
	return "# Project Decisions Archive\n\nOlder decisions, moved here from STATE.md so that it stays short.\n"
}

// without returns the document without the rows. Each is removed with its line end; nothing else
// changes (5.7.4).
func (sc *scan) without(rows []dated) ([]byte, error) {
	edits := make([]markdown.Edit, len(rows))
	for k, row := range rows {
		edits[k].Span = sc.items[row.index].span
	}
	text, err := markdown.Apply(sc.src, edits...)
	if err != nil {
		return nil, &report.Error{Kind: report.Internal, Message: "plan the rotation: " + err.Error(), Err: err}
	}
	return text, nil
}

// take records the moves.
func (r *rotation) take(from *scan, rows []dated, gained [][]byte) {
	r.out.Moves = slices.Grow(r.out.Moves, len(rows))
	for k, row := range rows {
		r.out.Moves = append(r.out.Moves, Move{Lost: from.raw(&from.items[row.index]), Gained: gained[k]})
	}
}

// conclude sets the fields of the result.
func (r *rotation) conclude(keep int, reason string) {
	res := &r.out.Result
	changed := len(r.out.Moves) > 0
	if changed || !bytes.Equal(r.archive, r.given) {
		r.out.Archive = r.archive
	}
	res.Rotated, res.Kept = len(r.out.Moves) > len(res.Cells), keep
	res.OtherMoved = len(r.out.Moves) - res.Moved - len(res.Cells)
	res.After = res.Before
	if changed {
		res.After = digest.SizeOf(r.out.Digest)
	}
	res.OverLimit = r.s.Over(res.After)
	switch {
	case !changed:
		res.Reason = reason
	case res.OverLimit:
		res.Reason = DecisionsExhausted
	}
	res.LargestSections = []digest.SectionSize{}
	rest := r.digest
	if changed {
		rest = scanDigest(r.out.Digest, r.form, r.s.Titles)
	}
	if res.ByBytes = r.s.OnlyBytes(res.After); res.OverLimit {
		res.LargestSections = digest.Largest(rest.d, 3, r.s.OnlyBytes(res.After))
	}
	res.DecisionRows = len(rest.items)
	for i := range rest.items {
		res.MaxRowBytes = max(res.MaxRowBytes, rest.items[i].span.Len())
	}
}
