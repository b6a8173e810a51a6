package workspace

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"baton/internal/sorting"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
)

// How many session records are kept, for how long after the last event, and how many bytes of one
// are read for its short form.
const (
	MostAgentRecords = 24
	agentRecordAge   = 14 * 24 * time.Hour
	AgentBriefBytes  = 8 << 10
)

// Holder returns the name under which the session's commands write.
func (r *AgentRecord) Holder() string {
	if r.As != "" {
		return r.As
	}
	return r.Session
}

// AgentBriefs returns the beginnings of the newest records, newest first. It leaves out files that
// are not records.
func (p *Workspace) AgentBriefs(most int) []*AgentRecord {
	var out []*AgentRecord
	for _, name := range p.AgentFiles() {
		if len(out) == most {
			break
		}
		if rec := p.recordedIn("agents/" + name).brief; rec != nil {
			out = append(out, rec)
		}
	}
	sorting.By(out, func(a, b *AgentRecord) int { return strings.Compare(b.Seen, a.Seen) })
	return out
}

// recordRead is what a run has read of an agent's session in this worktree.
type recordRead struct {
	data  []byte
	brief *AgentRecord // nil if the file is no record
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
	if err != nil || len(data) > MostAgentBytes {
		return r
	}
	if brief := AgentBrief(data); brief != nil && AgentFile(brief.Session) == name {
		return recordRead{data, brief}
	}
	return r
}

// writeRecord saves the record of a session.
func (p *Workspace) writeRecord(session string, data []byte) error {
	delete(p.recorded, AgentFile(session))
	return p.Store.WriteCache(AgentFile(session), data)
}

// AgentFiles returns the names of the records in .baton/local/agents, the most recently changed one
// first.
func (p *Workspace) AgentFiles() []string {
	infos := p.agentListing()
	infos = slices.DeleteFunc(
		infos, func(i disk.FileInfo) bool { return !strings.HasSuffix(i.Name, ".json") || i.Size > MostAgentBytes },
	)
	names := make([]string, len(infos))
	for i, info := range infos {
		names[i] = info.Name
	}
	return names
}

// agentListing lists the folder of records, the most recently changed one first. A run lists it
// once, because its events take milliseconds.
func (p *Workspace) agentListing() []disk.FileInfo {
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
	if c := b.ModTime.Compare(a.ModTime); c != 0 {
		return c
	}
	return strings.Compare(a.Name, b.Name)
}

// AgentBrief reads the fields of a record up to "injected", the last of the short ones. The rest
// may be long or cut off. It returns nil if the file does not begin like a record.
func AgentBrief(data []byte) *AgentRecord {
	data = data[:min(len(data), AgentBriefBytes)]
	if at := bytes.Index(data, []byte(`,"injected":{`)); at > 0 { // as baton writes it
		end := at + bytes.IndexByte(data[at:], '}') + 1
		if rec := (&AgentRecord{}); json.Unmarshal(slices.Concat(data[:end], []byte("}")), rec) == nil &&
			rec.Session != "" {
			return rec
		}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var short bytes.Buffer
	for dec.More() {
		key, err := dec.Token()
		name, isName := key.(string)
		var value json.RawMessage
		if err != nil || !isName || dec.Decode(&value) != nil {
			return nil
		}
		if short.Len() > 0 {
			short.WriteByte(',')
		}
		quoted, _ := json.Marshal(name) // encoding a string never fails
		short.Write(quoted)
		short.WriteByte(':')
		short.Write(value)
		if name == "injected" {
			break
		}
	}
	rec := &AgentRecord{}
	if json.Unmarshal([]byte("{"+short.String()+"}"), rec) != nil || rec.Session == "" {
		return nil
	}
	return rec
}

// SweepAgents removes records that are no longer used: those unchanged for two weeks, and the
// oldest if there are more than MostAgentRecords. It also removes what killed processes left.
func (p *Workspace) SweepAgents() {
	kept, stale := 0, false
	for _, i := range p.agentListing() {
		switch {
		case !strings.HasSuffix(i.Name, ".json"):
			stale = stale || strings.HasSuffix(i.Name, ".tmp")
		case kept < MostAgentRecords && p.Now().Sub(i.ModTime) < agentRecordAge:
			kept++
		default:
			_ = p.Store.RetireCache("agents/" + i.Name)
		}
	}
	if stale {
		_ = p.Store.SweepCaches("agents", "")
	}
}
