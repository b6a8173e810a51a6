package digests

import (
	"context"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/workspace"
)

// EndDigestSession records when and where a session ended: in the section about sessions (N9, D18),
// where missing labels and a missing section are added, or in SpecFlow's bullet Last Pause
// (specflow.md 5.15).
func (p Digests) EndDigestSession(ctx context.Context, r DigestSessionRequest) (StateChange, error) {
	const op = "session.end"
	return p.changeDigest(ctx, op, append(gsdLayouts(), workspace.LayoutSpecflow), func(d *DigestChange) error {
		d.Stops = !r.Drafted
		if d.Place.Layout != workspace.LayoutSpecflow {
			done, err := gsd.Parse(d.Text).EndSession(r.StoppedAt, r.ResumeFile, d.Now)
			if err != nil {
				return workspace.Located(err, d.Place.State)
			}
			d.Took(done)
			return nil
		}
		text := r.StoppedAt
		if r.ResumeFile != "" {
			text += " (to resume, read " + r.ResumeFile + ")"
		}
		done, err := specflow.Parse(d.Text).Pause(d.Now, text)
		if err != nil {
			return InDigest(err, op, d.Place)
		}
		d.TookSpecflow(done)
		return nil
	})
}

// StoppedAt returns what a digest says about the place where the last session stopped. Callers only
// compare it: for GSD it joins three labels. In SpecFlow's digest it is the text of the pause, or
// "".
func StoppedAt(place workspace.DigestPlace, text []byte) string {
	if place.Layout == workspace.LayoutSpecflow {
		return specflow.Parse(text).LastPause()
	}
	s := gsd.Parse(text).Model().Session
	return s.StoppedAt + "\x00" + s.ResumeFile + "\x00" + s.LastSession
}
