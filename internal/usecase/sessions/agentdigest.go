package sessions

import (
	"context"
	"strings"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

// mostStopped is how much baton itself writes about the place where a session stopped, in
// characters.
const mostStopped = 400

// stoppedMark is in the texts that baton itself writes about the place where a session stopped.
const stoppedMark = "(drafted by baton; the "

// stoodAt returns a hash of what the digest says about the place where the last session stopped. It
// returns "" if a session cannot write it: there are tasks, or no digest. pausedByHand reports that
// the text is the pause of a person or of SpecFlow, which baton's draft must not replace.
func (p Sessions) stoodAt(ctx context.Context) (hash string, pausedByHand bool) {
	if len(p.Dirs) > 0 {
		return "", false
	}
	at, places, err := p.ForDigest(ctx, "hook")
	if err != nil {
		return "", false
	}
	place, _ := digests.Of(at).ShownDigest("hook", places)
	doc, err := at.Store.Read(ctx, place.State)
	if err != nil || !doc.Exists || tooLarge(doc.Data) {
		return "", false
	}
	text := digests.StoppedAt(place, doc.Data)
	pausedByHand = place.Layout == workspace.LayoutSpecflow && text != "" && !strings.Contains(text, stoppedMark)
	return agentsession.Hash(text)[:12], pausedByHand
}

// stopDigest writes into a digest where a session stopped. It returns the digest's path, or "" if
// the digest has no free place for that.
func (p Sessions) stopDigest(ctx context.Context, rec *agentsession.Record, seen *sessionWork) (string, error) {
	if seen.stood == "" || seen.paused {
		return "", nil
	}
	at, places, err := p.ForDigest(ctx, "hook")
	if err != nil {
		return "", err
	}
	var did []string
	if rec.Words != "" { // first, because readers cut the end
		did = append(did, "“"+safetext.Runes(rec.Words, mostStopped/2)+"”")
	}
	did = append(did, seen.words(rec)...)
	who := strings.TrimSpace(draftWords(rec.Client) + " session " + draftWords(rec.Session))
	text := safetext.Runes(strings.Join(did, "; "), mostStopped) + " " + stoppedMark + who + " left no hand-off)"
	if _, err := digests.Of(at).EndDigestSession(ctx, digests.DigestSessionRequest{StoppedAt: text}); err != nil {
		return "", err
	}
	place, _ := digests.Of(at).ShownDigest("hook", places)
	return place.State, nil
}
