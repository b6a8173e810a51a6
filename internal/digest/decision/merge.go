package decision

import "baton/internal/threeway"

// MergeArchive joins two archives of decisions, or of what else left a digest: every row and bullet
// of either, each once, by their dates where the archive is in the order of time (D34, D40).
func MergeArchive(base, ours, theirs []byte) threeway.Result {
	return threeway.Merge(threeway.Form{Union: true}, base, ours, theirs)
}
