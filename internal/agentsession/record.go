package agentsession

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"
	"unicode/utf8"

	"baton/internal/protocol"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Record is the record of one agent session in this checkout, in .baton/local/agents/. It is a
// cache: if it is missing or torn, the session continues without it. Each record is changed under
// its own lock.
type Record struct {
	Session string `json:"session"`
	Client  string `json:"client"`
	PID     int    `json:"pid,omitempty"`  // of the client, if the system reports it
	StartID string `json:"born,omitempty"` // when and where that process began, as the system reports it
	Started string `json:"started"`        // RFC 3339 UTC
	Seen    string `json:"seen"`           // the last event
	// Started, in nanoseconds since 1970; 0 if unknown
	Opened int64 `json:"opened,omitempty"`
	// start of the session or of its present sitting, likewise; 0 after an entry
	Began int64   `json:"began,omitempty"`
	Ended string  `json:"ended,omitempty"` // when the client reported the end of the session
	Task  task.ID `json:"task,omitempty"`  // the task that it was given last
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
	// what bound the session to its task if its own command did not, in words (D54)
	Bound string `json:"bound,omitempty"`
	// when somebody unbound it; an earlier task does not count any more
	Freed string `json:"freed,omitempty"`
	// closed task for which nothing remains to be handed over; later work belongs to no task
	Finished task.ID `json:"finished,omitempty"`
	Alone    bool    `json:"alone,omitempty"` // nobody answers the client
	Plan     bool    `json:"plan,omitempty"`  // it only plans
	// the client had the tools of baton's server when the session started
	Tools bool `json:"tools,omitempty"`

	Wait Wait `json:"wait,omitzero"` // what it is doing (waiting.go)

	Moves []Move `json:"moves,omitempty"` // of HEAD, newest last, at most MostMoves

	// Injected comes before the fields that may be long, because the status line reads only the
	// beginning of the file (D31).
	Injected Injected `json:"injected"`

	// number of edits of the project's files since the start or the last entry
	Edits int `json:"edits,omitempty"`
	// relative to the root, as git names them, newest last, at most MostFiles
	Files    []string       `json:"files,omitempty"`
	Commands []string       `json:"commands,omitempty"` // first lines, newest last, at most MostCommands
	Loose    []string       `json:"loose,omitempty"`    // files that changed in the checkout, but not by its tools
	Words    string         `json:"words,omitempty"`    // the agent's last message, shortened, without secrets
	Todos    []string       `json:"todos,omitempty"`    // open items of the client's list, at most MostTodos
	Docs     map[string]Doc `json:"docs,omitempty"`     // documents in the state that the session knows

	Marks map[string]Doc `json:"marks,omitempty"` // files that it wrote, as it left them, at most MostFiles
	// hash of the entry that baton drafted last for the session
	Draft string `json:"draft,omitempty"`
	// hash of what the digest said of the last session, as this one found or left it
	Stood string `json:"stood,omitempty"`
	// what was forgotten because of a log that a sub-agent may have written
	Undo *Work `json:"undo,omitempty"`

	Stops   Stops        `json:"stops"`
	Context ContextNotes `json:"context"`
	Subs    []SubAgent   `json:"subs,omitempty"`    // newest last, at most MostSubs
	Summary string       `json:"summary,omitempty"` // of the last compaction, shortened
	// events that were answered, newest last, at most mostKeys
	Keys []answeredKey `json:"keys,omitempty"`
	// hashes of notes that are given only once, newest last, at most MostSaid
	Said []string `json:"told,omitempty"`

	before string // Seen before this event; "" at the first event
	was    Wait   // Wait before this event

	Kept bool // the record's lock is held, so changes will be saved
}

// Doc is the state of a document that a session knows. Comparing it shows what somebody else,
// or the agent's own editor, changed.
type Doc struct {
	Size    int64  `json:"size"`
	ModTime int64  `json:"mtime"` // nanoseconds since 1970
	Hash    string `json:"hash"`  // SHA-256, first 16 hex digits; "" if there is none
	Inode   uint64 `json:"inode,omitempty"`
}

// Injected counts what was put into the session's context.
type Injected struct {
	Times      int    `json:"times"`
	Characters int    `json:"characters"`
	Tokens     int    `json:"tokens"`          // estimated
	State      string `json:"state,omitempty"` // hash of the last injected state (agents.md 3.3)
}

// Work is what a session did since its last entry.
type Work struct {
	Edits    int      `json:"edits,omitempty"`
	Files    []string `json:"files,omitempty"`
	Commands []string `json:"commands,omitempty"`
	Since    string   `json:"since,omitempty"`
	Began    int64    `json:"began,omitempty"`
	Head     string   `json:"head,omitempty"`
}

// Stops counts the times that a stop was held (agents.md 2.3).
type Stops struct {
	Prompt string `json:"prompt,omitempty"` // the prompt for which a stop was held last
	Held   int    `json:"held"`             // times since the last entry
	Total  int    `json:"total,omitempty"`  // times in the whole session
}

// ContextNotes records which notes on the context window were given (agents.md 6.3).
type ContextNotes struct {
	First   bool `json:"first,omitempty"`
	Second  bool `json:"second,omitempty"`
	Batches int  `json:"batches,omitempty"` // since the last note
}

// SubAgent is a sub-agent.
type SubAgent struct {
	ID      string `json:"id"`
	Type    string `json:"type,omitempty"`
	Started string `json:"started,omitempty"`
	Stopped string `json:"stopped,omitempty"`
}

// answeredKey is an event that was answered.
type answeredKey struct {
	Key string `json:"key"`
	At  int64  `json:"at"` // milliseconds since 1970
}

// Limits of a record.
const (
	MostRecords   = 24      // records that a checkout keeps
	MostUnsettled = 256     // the same, if there may be work in them that is in no entry yet
	BriefBytes    = 8 << 10 // bytes of a record that are read for its short form
	MostFiles     = 64
	MostCommands  = 20
	MostTodos     = 20 // D55
	mostKeys      = 64
	MostSubs      = 64
	MostBytes     = 1 << 20
	LockPatience  = 200 * time.Millisecond // agents.md 2.6
)

// RecordFile returns the name of a session's record. It is a hash, because the session's id comes
// from outside.
func RecordFile(session string) string { return "agents/" + Hash(session) + ".json" }

// RecordLock returns the lock of a session's record. 256 locks serve all records: a lock file is
// never removed, and one for each session would fill the folder. With far fewer, sessions side by
// side would wait for each other, and what a hook does not get to record is lost.
func RecordLock(session string) string { return "agents/lock-" + Hash(session)[:2] }

// Hash returns the first 16 bytes of the SHA-256 of a text, as 32 hexadecimal digits. The id
// of a session may hold any character, so its files are named after the hash.
func Hash(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:16])
}

// Parse reads the record of a session. Data that is not its record gives a new one.
func Parse(data []byte, session string) *Record {
	rec := &Record{}
	if len(data) > MostBytes || json.Unmarshal(data, rec) != nil {
		rec = &Record{}
	}
	if rec.Session != session {
		rec = &Record{Session: session}
	}
	if rec.Docs == nil {
		rec.Docs = map[string]Doc{}
	}
	return rec
}

// See notes that an event of the session came at a time, and under which holder its commands write.
func (r *Record) See(e Event, now time.Time, holder string) {
	at := now.UTC().Format(time.RFC3339)
	if r.Started == "" {
		r.Started, r.Opened, r.Began = at, now.UnixNano(), now.UnixNano()
		if e.Event == PostTool { // its start was not recorded, and this event follows what it did
			r.Started, r.Opened, r.Began = minuteBefore(at), 0, 0
		}
	}
	r.setBack(at)
	r.before, r.was = r.Seen, r.Wait
	r.Wait = r.Wait.Next(e, at)
	r.Client, r.Seen, r.As = e.Client, at, ""
	if holder != e.Session {
		r.As = holder
	}
	if e.Event == Start && r.Ended != "" && r.Settled && r.Edits == 0 {
		// what others did between two sittings is not the session's work
		r.Head, r.Since, r.Began = "", at, now.UnixNano()
	}
	if e.Event != End {
		r.Settled = false
	}
	r.Alone, r.Plan = r.Alone || e.Alone, e.Plan || r.Plan && e.Event != Prompt && e.Event != Start
	if e.Event == Start { // a session may be resumed
		r.Ended, r.Drafted = "", false
		if e.Source != "compact" { // a later sitting has a draft of its own
			r.Draft = ""
		}
	}
}

// StartOver forgets what the session did, because that was handed over. head is the present commit,
// "" if it is unknown.
func (r *Record) StartOver(at, head string) {
	r.Edits, r.Files, r.Commands, r.Loose, r.Words = 0, nil, nil, nil, ""
	r.Stops, r.Since, r.Began = Stops{Total: r.Stops.Total}, at, 0
	if head != "" {
		r.Head = head
	}
}

// WorkNow returns what the session did since its last entry.
func (r *Record) WorkNow() Work {
	return Work{Edits: r.Edits, Files: r.Files, Commands: r.Commands, Since: r.Since, Began: r.Began, Head: r.Head}
}

// Restore takes a StartOver back. What was done since then is added.
func (r *Record) Restore(w Work) {
	r.Edits, r.Since, r.Began, r.Head = r.Edits+w.Edits, w.Since, w.Began, w.Head
	r.Files = newest(slices.Concat(w.Files, r.Files), MostFiles)
	r.Commands = newest(slices.Concat(w.Commands, r.Commands), MostCommands)
}

// newest returns the last items of a list, each once.
func newest(list []string, most int) []string {
	var out []string
	for _, item := range slices.Backward(list) {
		if len(out) < most && !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	slices.Reverse(out)
	return out
}

// Answered reports whether the event's key is known, and records it.
func (r *Record) Answered(e Event, now time.Time) bool {
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
	r.Keys = append(r.Keys, answeredKey{key, at})
	r.Keys = r.Keys[max(0, len(r.Keys)-mostKeys):]
	return false
}

// LastSeen returns when a session was last seen before the current event.
func (r *Record) LastSeen(session string) string {
	if r.Session == session && r.before != "" {
		return r.before
	}
	return r.Seen
}

// Sub returns the sub-agent of an event. An unknown one is added; if there are too many, the oldest
// is dropped.
func (r *Record) Sub(e Event) *SubAgent {
	id, kind := safetext.FirstRunes(safetext.Line(e.SubAgent), MostSubName),
		safetext.FirstRunes(safetext.Line(e.SubType), MostSubName)
	at := slices.IndexFunc(
		r.Subs, func(s SubAgent) bool { return s.ID == id && (id != "" || s.Type == kind && s.Stopped == "") },
	)
	if at < 0 {
		r.Subs = append(r.Subs, SubAgent{ID: id})
		r.Subs = r.Subs[max(0, len(r.Subs)-MostSubs):]
		at = len(r.Subs) - 1
	}
	if kind != "" {
		r.Subs[at].Type = kind
	}
	return &r.Subs[at]
}

// SubRuns reports whether a sub-agent was started that has not stopped.
func (r *Record) SubRuns() bool {
	return slices.ContainsFunc(r.Subs, func(s SubAgent) bool { return s.Started != "" && s.Stopped == "" })
}

// MostSubName is the longest id or type of a sub-agent, in characters.
const MostSubName = 128

// MostSaid is how many of the given notes are remembered.
const MostSaid = 512

// Bind records the session's task and how many entries its log has. why says what bound the session
// to the task, if baton did. Without it, an earlier reason stays as long as the task does.
func (r *Record) Bind(id task.ID, entries int, why string) {
	if why != "" || id != r.Task {
		r.Bound = why
	}
	r.Task, r.Base = id, entries
}

// Knows reports whether the session already got a note. The caller records the note with Remember
// when it gives it.
func (r *Record) Knows(about string) bool { return slices.Contains(r.Said, Hash(about)[:12]) }

// Remember records that the session got a note. Only the last MostSaid notes are remembered.
func (r *Record) Remember(about string) {
	r.Said = append(r.Said, Hash(about)[:12])
	r.Said = r.Said[max(0, len(r.Said)-MostSaid):]
}

// Tell counts a text that is put into the session's context.
func (r *Record) Tell(text string) {
	if text == "" {
		return
	}
	r.Injected.Times++
	r.Injected.Characters += utf8.RuneCountInString(text)
	r.Injected.Tokens += protocol.Tokens(text)
}

// Holder returns the name under which the session's commands write.
func (r *Record) Holder() string {
	if r.As != "" {
		return r.As
	}
	return r.Session
}
