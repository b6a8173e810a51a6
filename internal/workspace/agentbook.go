package workspace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"baton/internal/agentsession"
	"baton/internal/sorting"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
)

// AgentBriefs returns the beginnings of the newest records, newest first. It leaves out files that
// are not records.
func (p *Workspace) AgentBriefs(most int) []*agentsession.Record {
	var out []*agentsession.Record
	for _, name := range p.AgentFiles() {
		if len(out) == most {
			break
		}
		if rec := p.recordedIn("agents/" + name).brief; rec != nil {
			out = append(out, rec)
		}
	}
	sorting.By(out, func(a, b *agentsession.Record) int { return strings.Compare(b.Seen, a.Seen) })
	return out
}

// recordRead is what a run has read of an agent's session in this worktree.
type recordRead struct {
	data  []byte
	brief *agentsession.Record // nil if the file is no record
}

// recordedIn reads a record as far as its short form. A run reads each file once and drops the ones
// that it writes, because the start of a session asks for the same few records four times.
func (p *Workspace) recordedIn(name string) recordRead {
	if r, known := p.recorded[name]; known {
		return r
	}
	r := readRecord(p.Store, name)
	if p.recorded == nil {
		p.recorded = map[string]recordRead{}
	}
	p.recorded[name] = r
	return r
}

func readRecord(s *filestore.Store, name string) (r recordRead) {
	data, err := s.ReadCache(name)
	if err != nil || len(data) > agentsession.MostBytes {
		return r
	}
	if brief := agentsession.Brief(data); brief != nil && agentsession.RecordFile(brief.Session) == name {
		return recordRead{data, brief}
	}
	return r
}

// writeRecord saves the record of a session.
func (p *Workspace) writeRecord(session string, data []byte) error {
	delete(p.recorded, agentsession.RecordFile(session))
	return p.Store.WriteCache(agentsession.RecordFile(session), data)
}

// AgentFiles returns the names of the records in .baton/local/agents, the most recently changed one
// first.
func (p *Workspace) AgentFiles() []string {
	var names []string
	for _, i := range p.AgentListing() {
		if strings.HasSuffix(i.Name, ".json") && i.Size <= agentsession.MostBytes {
			names = append(names, i.Name)
		}
	}
	return names
}

// AgentListing lists the folder of records, the most recently changed one first. A run lists it
// once, because its events take milliseconds.
func (p *Workspace) AgentListing() []disk.FileInfo {
	if p.records == nil {
		infos, err := p.Store.ListCaches("agents")
		if err != nil {
			return nil
		}
		sorting.By(infos, laterFirst)
		p.records = &infos
	}
	return slices.Clone(*p.records)
}

func laterFirst(a, b disk.FileInfo) int {
	return cmp.Or(b.ModTime.Compare(a.ModTime), strings.Compare(a.Name, b.Name))
}

// AgentRecordOf returns the record of a session, or a new one.
func (p *Workspace) AgentRecordOf(session string) *agentsession.Record {
	data, _ := p.Store.ReadCache(agentsession.RecordFile(session)) // a session without a record is a new one
	return agentsession.Parse(data, session)
}

// WithAgent runs use on the record of the event's session under the record's lock, and saves what
// use changed. If the lock is not free in time, use runs anyway and nothing is saved. If the event
// was answered before, use does not run and twice is true.
func (p *Workspace) WithAgent(
	ctx context.Context, e agentsession.Event, use func(rec *agentsession.Record) error,
) (twice bool, err error) {
	free, held := p.Store.LockCache(ctx, agentsession.RecordLock(e.Session), agentsession.LockPatience)
	if held {
		defer free()
	}
	rec := p.AgentRecordOf(e.Session)
	if held && rec.Answered(e, p.Now()) {
		return true, nil
	}
	rec.See(e, p.Now(), p.Holder())
	rec.Kept = held
	if held && p.handled == nil {
		p.handled = rec
	}
	if err := use(rec); err != nil || !held {
		return false, err
	}
	data, err := Encoded(rec, "")
	if err != nil {
		return false, err
	}
	return false, p.writeRecord(e.Session, data)
}

// AgentHandled returns the record that the first WithAgent of this run changed, or nil.
func (p *Workspace) AgentHandled() *agentsession.Record { return p.handled }

// DocOf returns the state of a document.
func DocOf(doc store.Document) agentsession.Doc {
	sum := sha256.Sum256(doc.Data)
	return agentsession.Doc{Size: doc.Size, ModTime: doc.ModTime.UnixNano(), Hash: hex.EncodeToString(sum[:8])}
}

// SaveAgent saves a record whose lock is held. Failures are ignored, because it is a cache.
func (p *Workspace) SaveAgent(rec *agentsession.Record) {
	if data, err := Encoded(rec, ""); err == nil {
		_ = p.writeRecord(rec.Session, data)
	}
}

// HasState reports whether there is anything that an agent should know about: tasks, a digest or a
// state folder.
func (p *Workspace) HasState() bool { return p.AnyRoot() != "" }
