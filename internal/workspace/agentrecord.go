package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"
	"unicode/utf8"

	"baton/internal/protocol"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/task"
)

// AgentRecord is the record of one agent session in this checkout, in .baton/local/agents/. It is a
// cache: if it is missing or torn, the session continues without it. Each record is changed under
// its own lock.
type AgentRecord struct {
	Session string  `json:"session"`
	Client  string  `json:"client"`
	PID     int     `json:"pid,omitempty"`   // of the client, if the system reports it (agentwho.go)
	StartID string  `json:"born,omitempty"`  // when and where that process began, as the system reports it
	Started string  `json:"started"`         // RFC 3339 UTC
	Seen    string  `json:"seen"`            // the last event
	Ended   string  `json:"ended,omitempty"` // when the client reported the end of the session
	Task    task.ID `json:"task,omitempty"`  // the task that it was given last
	// commit at the start or at the last entry, or gitrepo.Unborn
	Head  string `json:"head,omitempty"`
	Tip   string `json:"tip,omitempty"`   // HEAD as the session last saw it, or gitrepo.Unborn
	Since string `json:"since,omitempty"` // when the last entry was seen; "" before the first, when Started counts
	// number of sessions in the task's log at the start, or after the last entry that was seen
	Base    int  `json:"base"`
	Drafted bool `json:"drafted,omitempty"` // baton drafted an entry for work that was not logged
	Settled bool `json:"settled,omitempty"` // the session is over and needs no entry any more
	// holder under which the session's commands write; "" if it is the session itself
	As string `json:"as,omitempty"`

	// Injected comes before the fields that may be long, because the status line reads only the
	// beginning of the file (D31).
	Injected AgentInjected `json:"injected"`

	// number of edits of the project's files since the start or the last entry
	Edits int `json:"edits,omitempty"`
	// relative to the root, newest last, at most MostAgentFiles
	Files    []string            `json:"files,omitempty"`
	Commands []string            `json:"commands,omitempty"` // first lines, newest last, at most MostAgentCommands
	Docs     map[string]AgentDoc `json:"docs,omitempty"`     // documents in the state that the session knows

	Marks   map[string]AgentDoc `json:"marks,omitempty"` // files that it wrote, as it left them, at most MostAgentFiles
	Stops   AgentStops          `json:"stops"`
	Context AgentContext        `json:"context"`
	Subs    []AgentSub          `json:"subs,omitempty"`    // newest last, at most MostAgentSubs
	Summary string              `json:"summary,omitempty"` // of the last compaction, shortened
	// events that were answered, newest last, at most mostAgentKeys
	Keys []agentKey `json:"keys,omitempty"`
	// hashes of notes that are given only once, newest last, at most MostSaid
	Said []string `json:"told,omitempty"`

	before string // Seen before this event; "" at the first event

	Kept bool // the record's lock is held, so changes will be saved
}

// AgentDoc is the state of a document that a session knows. Comparing it shows what somebody else,
// or the agent's own editor, changed.
type AgentDoc struct {
	Size    int64  `json:"size"`
	ModTime int64  `json:"mtime"` // nanoseconds since 1970
	Hash    string `json:"hash"`  // SHA-256, first 16 hex digits; "" if there is none
}

// DocOf returns the state of a document.
func DocOf(doc store.Document) AgentDoc {
	sum := sha256.Sum256(doc.Data)
	return AgentDoc{Size: doc.Size, ModTime: doc.ModTime.UnixNano(), Hash: hex.EncodeToString(sum[:8])}
}

// AgentInjected counts what was put into the session's context.
type AgentInjected struct {
	Times      int    `json:"times"`
	Characters int    `json:"characters"`
	Tokens     int    `json:"tokens"`          // estimated
	State      string `json:"state,omitempty"` // hash of the last injected state (agents.md 3.3)
}

// AgentStops counts the times that a stop was held (agents.md 2.3).
type AgentStops struct {
	Prompt string `json:"prompt,omitempty"` // the prompt for which a stop was held last
	Held   int    `json:"held"`             // times since the last progress
}

// AgentContext records which notes on the context window were given (agents.md 6.3).
type AgentContext struct {
	First   bool `json:"first,omitempty"`
	Second  bool `json:"second,omitempty"`
	Batches int  `json:"batches,omitempty"` // since the last note
}

// AgentSub is a sub-agent.
type AgentSub struct {
	ID      string `json:"id"`
	Type    string `json:"type,omitempty"`
	Started string `json:"started,omitempty"`
	Stopped string `json:"stopped,omitempty"`
}

// agentKey is an event that was answered.
type agentKey struct {
	Key string `json:"key"`
	At  int64  `json:"at"` // milliseconds since 1970
}

// Limits of a record.
const (
	MostAgentFiles    = 64
	MostAgentCommands = 20
	mostAgentKeys     = 64
	MostAgentSubs     = 64
	MostAgentBytes    = 1 << 20
	AgentLockPatience = 200 * time.Millisecond // agents.md 2.6
)

// AgentFile returns the name of a session's record. It is a hash, because the session's id comes
// from outside.
func AgentFile(session string) string { return "agents/" + AgentHash(session) + ".json" }

// AgentLock returns the lock of a session's record. Sixteen locks serve all records: a lock file is
// never removed, and one for each session would fill the folder.
func AgentLock(session string) string { return "agents/lock-" + AgentHash(session)[:1] }

// AgentHash returns the first 16 bytes of the SHA-256 of a text, as 32 hexadecimal digits. The id
// of a session may hold any character, so its files are named after the hash.
func AgentHash(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:16])
}

// AgentRecordOf returns the record of a session, or a new one.
func (p *Workspace) AgentRecordOf(session string) *AgentRecord {
	rec := &AgentRecord{}
	if data, err := p.Store.ReadCache(AgentFile(session)); err == nil && len(data) > 0 && len(data) <= MostAgentBytes {
		if json.Unmarshal(data, rec) != nil {
			rec = &AgentRecord{}
		}
	}
	if rec.Session != session {
		rec = &AgentRecord{Session: session}
	}
	if rec.Docs == nil {
		rec.Docs = map[string]AgentDoc{}
	}
	return rec
}

// WithAgent runs use on the record of the event's session under the record's lock, and saves what
// use changed. If the lock is not free in time, use runs anyway and nothing is saved. If the event
// was answered before, use does not run and twice is true.
func (p *Workspace) WithAgent(
	ctx context.Context, e AgentEvent, use func(rec *AgentRecord) error,
) (twice bool, err error) {
	free, held := p.Store.LockCache(ctx, AgentLock(e.Session), AgentLockPatience)
	if held {
		defer free()
	}
	rec := p.AgentRecordOf(e.Session)
	if held && rec.Answered(e, p.Now()) {
		return true, nil
	}
	if rec.Started == "" {
		rec.Started = Stamp(p.Now())
	}
	rec.before = rec.Seen
	rec.Client, rec.Seen, rec.As = e.Client, Stamp(p.Now()), ""
	if as := p.Holder(); as != e.Session {
		rec.As = as
	}
	if rec.Kept = held; e.Event != AgentEnd {
		rec.Settled = false
	}
	if e.Event == AgentStart { // a session may be resumed
		rec.Ended, rec.Drafted = "", false
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

// Answered reports whether the event's key is known, and records it.
func (r *AgentRecord) Answered(e AgentEvent, now time.Time) bool {
	if e.Key == "" {
		return false
	}
	key, at := e.Event+" "+e.Key, now.UnixMilli()
	for i, k := range r.Keys {
		if k.Key != key {
			continue
		}
		// The clock may have been set back.
		if apart := at - k.At; e.Window <= 0 || max(apart, -apart) < e.Window.Milliseconds() {
			return true
		}
		r.Keys = slices.Delete(r.Keys, i, i+1)
		break
	}
	r.Keys = append(r.Keys, agentKey{key, at})
	r.Keys = r.Keys[max(0, len(r.Keys)-mostAgentKeys):]
	return false
}

// LastSeen returns when a session was last seen before the current event.
func (r *AgentRecord) LastSeen(session string) string {
	if r.Session == session && r.before != "" {
		return r.before
	}
	return r.Seen
}

// Sub returns the sub-agent of an event. An unknown one is added; if there are too many, the oldest
// is dropped.
func (r *AgentRecord) Sub(e AgentEvent) *AgentSub {
	id, kind := safetext.FirstRunes(safetext.Line(e.SubAgent), MostSubName),
		safetext.FirstRunes(safetext.Line(e.SubType), MostSubName)
	at := slices.IndexFunc(
		r.Subs, func(s AgentSub) bool { return s.ID == id && (id != "" || s.Type == kind && s.Stopped == "") },
	)
	if at < 0 {
		r.Subs = append(r.Subs, AgentSub{ID: id})
		r.Subs = r.Subs[max(0, len(r.Subs)-MostAgentSubs):]
		at = len(r.Subs) - 1
	}
	if kind != "" {
		r.Subs[at].Type = kind
	}
	return &r.Subs[at]
}

// MostSubName is the longest id or type of a sub-agent, in characters.
const MostSubName = 128

// MostSaid is how many of the given notes are remembered.
const MostSaid = 512

// Knows reports whether the session already got a note. The caller records the note with Remember
// when it gives it.
func (r *AgentRecord) Knows(about string) bool { return slices.Contains(r.Said, AgentHash(about)[:12]) }

// Remember records that the session got a note. Only the last MostSaid notes are remembered.
func (r *AgentRecord) Remember(about string) {
	r.Said = append(r.Said, AgentHash(about)[:12])
	r.Said = r.Said[max(0, len(r.Said)-MostSaid):]
}

// Tell counts a text that is put into the session's context.
func (r *AgentRecord) Tell(text string) {
	if text == "" {
		return
	}
	r.Injected.Times++
	r.Injected.Characters += utf8.RuneCountInString(text)
	r.Injected.Tokens += protocol.Tokens(text)
}

// SaveAgent saves a record whose lock is held. Failures are ignored, because it is a cache.
func (p *Workspace) SaveAgent(rec *AgentRecord) {
	if data, err := Encoded(rec, ""); err == nil {
		_ = p.writeRecord(rec.Session, data)
	}
}
