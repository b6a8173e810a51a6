package project

import (
	"context"

	"baton/internal/digest/gsd"
)

// EndDigestSession writes down when and where a session ended, in the section about sessions (N9, D18). Labels that are
// missing are inserted, and a missing section is made. Usage not_supported in a SpecFlow project.
func (p *Project) EndDigestSession(ctx context.Context, r DigestSessionRequest) (StateChange, error) {
	return p.changeDigest(ctx, "session.end", gsdLayouts(), func(d *digestChange) error {
		done, err := gsd.Parse(d.text).EndSession(r.StoppedAt, r.ResumeFile, d.now)
		if err != nil {
			return located(err, d.place.State)
		}
		d.took(done)
		return nil
	})
}
