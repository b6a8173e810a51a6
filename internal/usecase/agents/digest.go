package agents

import (
	"context"
	"strings"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// mostStopped is how much baton itself writes about the place where a session stopped, in
// characters.
const mostStopped = 400

// stoppedMark is in the texts that baton itself writes about the place where a session stopped.
const stoppedMark = "(drafted by baton; the "

// lastStop is what a digest says about the place where the last session stopped.
type lastStop struct {
	hash    string // "" if a session cannot write it: there are tasks, or no digest
	drafted bool   // baton wrote it
	pause   bool   // it is the pause of a person or of SpecFlow, which baton's draft must not replace
}

func (p Agents) stoodAt(ctx context.Context) lastStop {
	if len(p.Dirs) > 0 {
		return lastStop{}
	}
	at, places, err := p.ForDigest(ctx, "hook")
	if err != nil {
		return lastStop{}
	}
	place, _ := digests.Of(at).ShownDigest("hook", places)
	doc, err := at.Store.Read(ctx, place.State)
	if err != nil || !doc.Exists || sessions.TooLarge(doc.Data) {
		return lastStop{}
	}
	text := digests.StoppedAt(place, doc.Data)
	drafted := strings.Contains(text, stoppedMark)
	return lastStop{
		agentsession.Hash(text)[:12], drafted, place.Layout == workspace.LayoutSpecflow && text != "" && !drafted,
	}
}

// compareStop compares what the digest says of the last session with what this one knows. If the
// session was alone and the text is no draft, it has handed over, and counting starts over. If the
// text may be another session's, baton's draft must not replace it.
func (p Agents) compareStop(ctx context.Context, rec *agentsession.Record, seen *sessionWork) {
	now := p.stoodAt(ctx)
	changed := now.hash != "" && rec.Stood != "" && now.hash != rec.Stood
	seen.stood, seen.paused = now.hash, now.pause || changed
	if changed && !now.drafted && !p.hasCompany(rec) {
		p.startOver(rec, agentWork{})
		seen.paused, rec.Stood = now.pause, now.hash
		seen.commits, seen.moved, seen.loose = nil, false, nil
	}
}

// noteStopped records that the caller's session wrote into the digest where it stopped.
func (p Agents) noteStopped(ctx context.Context) {
	if len(p.Dirs) > 0 { // then only an entry in a task's log says it
		return
	}
	if data, err := p.Store.ReadCache(agentsession.RecordFile(p.Holder())); err != nil || len(data) == 0 {
		return
	}
	free, held := p.Store.LockCache(ctx, agentsession.RecordLock(p.Holder()), agentsession.LockPatience)
	if !held {
		return
	}
	defer free()
	rec := p.AgentRecordOf(p.Holder())
	if rec.Started == "" {
		return
	}
	p.startOver(rec, agentWork{})
	rec.Stood = p.stoodAt(ctx).hash
	p.SaveAgent(rec)
}

// stopDigest writes into a digest where a session stopped. It returns the digest's path, or "" if
// the digest has no free place for that.
func (p Agents) stopDigest(ctx context.Context, rec *agentsession.Record, seen *sessionWork) (string, error) {
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
	request := digests.DigestSessionRequest{StoppedAt: text, Drafted: true}
	if _, err := digests.Of(at).EndDigestSession(ctx, request); err != nil {
		return "", err
	}
	place, _ := digests.Of(at).ShownDigest("hook", places)
	rec.Stood = p.stoodAt(ctx).hash
	return place.State, nil
}
