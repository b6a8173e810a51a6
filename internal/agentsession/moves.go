package agentsession

import (
	"slices"
	"time"

	"baton/internal/safetext"
	"baton/internal/task"
)

// MostMoves is how many moves of HEAD a record keeps.
const MostMoves = 8

// Move is a move of HEAD that a session saw after it made commits.
type Move struct {
	From string `json:"from"` // as documents store hashes
	To   string `json:"to"`
	At   int64  `json:"at"` // nanoseconds since 1970
}

// Moved records that the session made commits and HEAD is another commit than before.
func (r *Record) Moved(to string, now time.Time) {
	if r.Tip == "" || to == "" || r.Tip == to {
		return
	}
	r.Moves = append(r.Moves, Move{safetext.StoredHash(r.Tip), safetext.StoredHash(to), now.UnixNano()})
	r.Moves = r.Moves[max(0, len(r.Moves)-MostMoves):]
}

// WithoutOthers returns commits, oldest first, without those that other agents' sessions of this
// checkout made, as far as their records say. A person keeps the commits of sessions that worked on
// the same task or on none, because they may work for that person.
func WithoutOthers[C any](
	commits []C, hash func(C) string, records []*Record, holder string, id task.ID,
) (kept []C) {
	own := func(r *Record) bool { return r.Holder() == holder }
	isAgent := slices.ContainsFunc(records, own)
	hashes := make([]string, len(commits))
	for i, c := range commits {
		hashes[i] = safetext.StoredHash(hash(c))
	}
	for i, r := range makersOf(hashes, records) {
		if r == nil || own(r) || !isAgent && (r.Task == "" || r.Task == id) {
			kept = append(kept, commits[i])
		}
	}
	return kept
}

// makersOf returns the record of the session that made each commit, oldest commit first; nil if no
// record tells. Of several moves over a commit, the shortest counts, because a session also sees
// what others committed since its last look. Of those that are equal, the earliest counts.
func makersOf(hashes []string, records []*Record) []*Record {
	makers := make([]*Record, len(hashes))
	best := make([]Move, len(hashes))
	length := make([]int, len(hashes))
	for _, r := range records {
		for _, m := range r.Moves {
			from, to := slices.Index(hashes, m.From), slices.Index(hashes, m.To)
			for i := from + 1; i <= to; i++ {
				n := to - from
				if makers[i] == nil || n < length[i] || n == length[i] && m.At < best[i].At {
					makers[i], best[i], length[i] = r, m, n
				}
			}
		}
	}
	return makers
}
