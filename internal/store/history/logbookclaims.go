package history

import (
	"context"
	"slices"

	"baton/internal/store/disk"
)

// ClaimStep is what a change did to the claim on a task.
type ClaimStep struct {
	Task string `json:"task"`
	Kind string `json:"kind"`           // one of the Claim words below
	From string `json:"from,omitempty"` // the other one who held it until then
}

// The kinds of ClaimStep. They are written into logs, so they only ever grow in number.
const (
	ClaimTaken    = "taken"
	ClaimReleased = "released"
	ClaimScoped   = "scoped" // the holder works on other files now
)

// LogClaims puts a change of claims at the end of the log. Claims are in another store, which has
// no log, so this is for changes that nothing else here reports. It is written after they are: a
// process that dies in between leaves them out. A store without a log has no use for it. Errors:
// Locked, Refused.
func (h *History) LogClaims(ctx context.Context, steps []ClaimStep) error {
	if !h.logs() || len(steps) == 0 {
		return ctx.Err()
	}
	return h.alone(ctx, func(w *recorder) error {
		c := Change{Claims: slices.Clone(steps[:min(len(steps), mostDocs)])}
		w.attribute(&c)
		_, err := w.writeLog(&c)
		return disk.Refused(err, w.at.Shown(disk.Join(w.at.Runtime(), logFolder)), "written")
	})
}
