package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// mostMarkBytes bounds what is read of a file to know its text again; of a longer one its time counts too.
const mostMarkBytes = 256 << 10

// markFile remembers a file as the session left it, so that the next beginning tells what somebody else made of it. Documents
// are known in docs, with what they hold.
func (p *Project) markFile(ctx context.Context, rec *agentRecord, name string) {
	if _, known := rec.Docs[name]; known || !filepath.IsLocal(filepath.FromSlash(name)) {
		delete(rec.Marks, name)
		return
	}
	if rec.Marks == nil {
		rec.Marks = map[string]agentDoc{}
	}
	if mark, ok := p.markOf(ctx, name, rec.Marks[name]); ok {
		rec.Marks[name] = mark
	}
	for _, old := range slices.Sorted(maps.Keys(rec.Marks)) {
		if len(rec.Marks) > mostAgentFiles && !slices.Contains(rec.Files, old) && old != name {
			delete(rec.Marks, old)
		}
	}
	if len(rec.Marks) > mostAgentFiles {
		delete(rec.Marks, name)
	}
}

// lookAround notes HEAD and the files as the session sees them now; the draft of an entry does not, since others may have been
// here before it.
func (p *Project) lookAround(ctx context.Context, rec *agentRecord) {
	p.markFiles(ctx, rec)
	rec.Tip = p.git.Place.Begin()
}

// markFiles brings what is remembered of files up to date: what happened until then is the session's own doing.
func (p *Project) markFiles(ctx context.Context, rec *agentRecord) {
	for _, name := range slices.Sorted(maps.Keys(rec.Marks)) {
		p.markFile(ctx, rec, name)
	}
}

// marksChanged names the files that have another text than they were left with, or are gone.
func (p *Project) marksChanged(ctx context.Context, rec *agentRecord) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(rec.Marks)) {
		was := rec.Marks[name]
		if now, ok := p.markOf(ctx, name, was); ok && now.Hash != was.Hash {
			out = append(out, harmless(name))
		}
	}
	return out
}

// markOf is a file as it is now; what it was saves reading one that was not touched (D7). A file that is not there has no hash,
// and of what cannot be read nothing is known.
func (p *Project) markOf(ctx context.Context, name string, was agentDoc) (mark agentDoc, ok bool) {
	info, err := os.Stat(filepath.Join(p.root, filepath.FromSlash(name)))
	switch {
	case os.IsNotExist(err):
		return agentDoc{}, true
	case err != nil || !info.Mode().IsRegular():
		return agentDoc{}, false
	}
	mark = agentDoc{Size: info.Size(), ModTime: info.ModTime().UnixNano(), Hash: was.Hash}
	if was.Hash != "" && was.Size == mark.Size && was.ModTime == mark.ModTime {
		return mark, true
	}
	part, err := p.store.Head(ctx, name, mostMarkBytes)
	if err != nil || !part.Exists {
		return agentDoc{}, false
	}
	sum := sha256.New()
	sum.Write(part.Data)
	if part.Size > mostMarkBytes {
		sum.Write([]byte(info.ModTime().UTC().String()))
	}
	mark.Hash = hex.EncodeToString(sum.Sum(nil)[:8])
	return mark, true
}
