package digests

import (
	"context"

	"baton/internal/digest/gsd"
	"baton/internal/workspace"
)

// EndDigestSession writes down when and where a session ended, in the section about sessions (N9,
// D18). Labels that are missing are inserted, and a missing section is made. Usage not_supported in
// a SpecFlow project.
func (p Digests) EndDigestSession(ctx context.Context, r DigestSessionRequest) (StateChange, error) {
	return p.changeDigest(ctx, "session.end", gsdLayouts(), func(d *DigestChange) error {
		done, err := gsd.Parse(d.Text).EndSession(r.StoppedAt, r.ResumeFile, d.Now)
		if err != nil {
			return workspace.Located(err, d.Place.State)
		}
		d.Took(done)
		return nil
	})
}
