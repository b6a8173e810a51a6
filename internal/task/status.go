package task

import (
	"cmp"
	"strings"

	"baton/internal/jsontext"
)

// Status is the state of a task, as a canonical word (5.6.3).
type Status string

// The canonical words.
const (
	StatusBacklog    Status = "backlog"
	StatusReady      Status = "ready"
	StatusInProgress Status = "in_progress"
	StatusInReview   Status = "in_review"
	StatusBlocked    Status = "blocked"
	StatusComplete   Status = "complete"
	StatusCancelled  Status = "cancelled"
	StatusDecomposed Status = "decomposed"
)

// CanonicalStatus returns the canonical form of an accepted word. Case is ignored, and "_" may be
// written as a blank or hyphen (TS-D13).
func CanonicalStatus(word string) (Status, bool) {
	folded := strings.ToLower(strings.TrimSpace(word))
	if strings.ContainsAny(folded, " -") {
		folded = strings.ReplaceAll(strings.ReplaceAll(folded, " ", "_"), "-", "_")
	}
	switch folded {
	case "backlog":
		return StatusBacklog, true
	case "ready":
		return StatusReady, true
	case "in_progress":
		return StatusInProgress, true
	case "in_review", "pending_review":
		return StatusInReview, true
	case "blocked":
		return StatusBlocked, true
	case "complete", "completed", "done", "approved":
		return StatusComplete, true
	case "cancelled", "canceled":
		return StatusCancelled, true
	case "decomposed":
		return StatusDecomposed, true
	}
	return "", false
}

// Status returns the canonical word. An unknown word is returned as it is and counts as not
// complete. A file without metadata (bare, v1a, v1b) has the status that is kept beside it. If
// there is none, or if the metadata cannot be read, the task is ready until its first session is
// logged and in progress after that.
func (s *State) Status() Status {
	if word := cmp.Or(s.Meta.Status, s.aside["status"]); word != "" {
		if status, ok := CanonicalStatus(word); ok {
			return status
		}
		return Status(word)
	}
	if len(s.Sessions) == 0 && s.Summary == nil && s.Meta.Total <= 0 && s.Meta.Archived <= 0 {
		return StatusReady
	}
	return StatusInProgress
}

// StatusMergedKey is the metadata key that names the status of the other side after a merge in
// which both sides changed the status (D44).
const StatusMergedKey = "status_merged"

const mergedOver = " over "

// MergedStatus returns the value of StatusMergedKey: which status counts, and over which.
func MergedStatus(kept, other Status) string { return string(kept) + mergedOver + string(other) }

// StatusMerged returns the status of the other side of a merge in which both sides changed the
// status, or "" if the status has changed since or there was no such merge.
func (s *State) StatusMerged() Status {
	kept, other, ok := strings.Cut(s.MetaText(StatusMergedKey), mergedOver)
	if !ok || Status(kept) != s.Status() {
		return ""
	}
	return Status(other)
}

// SetStatus writes the canonical word, unless the file already has another word with the same
// meaning (5.6.3). It removes the note of a merge, and who cancelled the task if that is over. If
// the metadata cannot be read, ok is false and next is s. Without metadata, the word is kept beside
// the file.
func (s *State) SetStatus(to Status) (next *State, ok bool) {
	if !s.Meta.Present {
		if s.Status() == to {
			return s, true
		}
		next, ok = s.setAside(KeyValue{"status", string(to)})
		if to != StatusCancelled {
			next = next.dropAside([]string{CancelledKey})
		}
		return next, ok
	}
	if !s.Meta.Valid {
		return s, false
	}
	if now, known := CanonicalStatus(s.Meta.Status); known && now == to {
		return s, true
	}
	if next, ok = s.SetMeta(KeyValue{"status", jsontext.Quote(string(to))}); ok {
		if to != StatusCancelled {
			return next.DeleteMeta(StatusMergedKey, CancelledKey)
		}
		return next.DeleteMeta(StatusMergedKey)
	}
	return next, ok
}
