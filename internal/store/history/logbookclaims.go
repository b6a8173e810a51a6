package history

import (
	"context"
	"slices"

	"baton/internal/store/disk"
)

// ClaimStep is what a change did to the claim on one task.
type ClaimStep struct {
	Task string `json:"task"`
	Kind string `json:"kind"`           // one of the Claim constants below
	From string `json:"from,omitempty"` // the other holder until then
}

// The kinds of ClaimStep. They are written into logs, so kinds are only ever added.
const (
	ClaimTaken    = "taken"
	ClaimReleased = "released"
	ClaimScoped   = "scoped" // the holder now works on other files
)

// LogClaims appends a change of claims to the log. Claims are in another store without a log, so
// nothing else records them here. The log is written after the claims: if the process dies in
// between, the record is missing. A store without a log ignores the call. Errors: Locked, Refused.
func (h *History) LogClaims(ctx context.Context, steps []ClaimStep) error {
	if !h.logs() || len(steps) == 0 {
		return ctx.Err()
	}
	return h.alone(ctx, func(w *recorder) error {
		c := Change{Claims: slices.Clone(steps[:min(len(steps), mostClaims)])}
		w.attribute(&c)
		_, err := w.writeLog(&c, false)
		return disk.Refused(err, w.at.Shown(disk.Join(w.at.Runtime(), logFolder)), "written")
	})
}
