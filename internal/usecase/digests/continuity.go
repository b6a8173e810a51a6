package digests

import (
	"context"
	"time"

	"baton/internal/digest/gsd"
)

// EndDigestSession records when and where a session ended, in the section about sessions (N9, D18).
// Missing labels and a missing section are added. It fails with Usage not_supported in a SpecFlow
// project.
func (p Digests) EndDigestSession(ctx context.Context, r DigestSessionRequest) (StateChange, error) {
	return p.changeGSD(ctx, "session.end", func(doc *gsd.Doc, now time.Time) (gsd.Edited, error) {
		return doc.EndSession(r.StoppedAt, r.ResumeFile, now)
	})
}
