package decision

import "baton/internal/threeway"

// MergeArchive merges two archives of decisions or other rotated entries. The result has every row
// and bullet of either side once, in the order of their dates if the archive is sorted by time
// (D34, D40).
func MergeArchive(base, ours, theirs []byte) threeway.Result {
	return threeway.Merge(threeway.Form{Union: true}, base, ours, theirs)
}
