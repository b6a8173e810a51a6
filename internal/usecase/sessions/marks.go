package sessions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"baton/internal/agentsession"
	"baton/internal/workspace"
)

// MostMarkBytes is how much of a file is hashed to recognise its content. For a longer file its
// time counts too.
const MostMarkBytes = 256 << 10

// MarksChanged returns the files that differ from what the session left, or are gone.
func (p Sessions) MarksChanged(ctx context.Context, rec *agentsession.Record) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(rec.Marks)) {
		was := rec.Marks[name]
		if now, ok := p.MarkOf(ctx, name, was); ok && now.Hash != was.Hash {
			out = append(out, workspace.FactLine(name))
		}
	}
	return out
}

// MarkOf returns the present mark of a file. The previous mark saves reading an unchanged file. A
// missing file has no hash; for an unreadable one ok is false.
func (p Sessions) MarkOf(ctx context.Context, name string, was agentsession.Doc) (mark agentsession.Doc, ok bool) {
	info, err := os.Stat(filepath.Join(p.Root, filepath.FromSlash(name)))
	switch {
	case os.IsNotExist(err):
		return agentsession.Doc{}, true
	case err != nil || !info.Mode().IsRegular():
		return agentsession.Doc{}, false
	}
	mark = agentsession.Doc{
		Size: info.Size(), ModTime: info.ModTime().UnixNano(), Hash: was.Hash, Inode: p.Store.Stamp(name).Inode,
	}
	if was.Hash != "" && was.Size == mark.Size && was.ModTime == mark.ModTime {
		return mark, true
	}
	part, err := p.Store.Head(ctx, name, MostMarkBytes)
	if err != nil || !part.Exists {
		return agentsession.Doc{}, false
	}
	sum := sha256.New()
	sum.Write(part.Data)
	if part.Size > MostMarkBytes {
		sum.Write([]byte(info.ModTime().UTC().String()))
	}
	mark.Hash = hex.EncodeToString(sum.Sum(nil)[:8])
	return mark, true
}
