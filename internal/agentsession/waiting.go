package agentsession

import (
	"strings"
	"time"
)

// State is what a session is doing.
type State string

// The states of a session. Its events set the first six. A reader sees one of the last two instead,
// if the process or the time of the last event says so.
const (
	Working  State = "working"
	Asks     State = "asks"     // it asks for permission
	Question State = "question" // it asks a question
	Stopped  State = "stopped"  // it stopped without a hand-over, or because of an error
	Limit    State = "limit"    // its client reached a usage limit, and waits until it ends
	Idle     State = "idle"     // it is done, or did not begin

	Dead   State = "dead"   // its process has ended
	Silent State = "silent" // what it is doing cannot be known
)

// Waits reports whether a session in this state waits for a person.
func (s State) Waits() bool { return s == Asks || s == Question || s == Stopped || s == Limit }

// Wait is what the events of a session say about what it is doing.
type Wait struct {
	State  State  `json:"state,omitempty"`  // "" in a record of an earlier version
	Since  string `json:"since,omitempty"`  // when that began, RFC 3339 UTC
	About  string `json:"about,omitempty"`  // what it asks for, or why it stopped: at most MostAbout characters
	Until  string `json:"until,omitempty"`  // end of a limit, RFC 3339 UTC; "" if unknown
	Called bool   `json:"called,omitempty"` // the command for this wait was started (D45)
}

// MostAbout is how many characters a record keeps of what a session asks for.
const MostAbout = 160

// Next returns what a session is doing after an event that came at a time, RFC 3339 UTC. A wait
// ends with the next event, whatever it is. These continue it: the client's reminder of it, a
// compaction that a person starts, and the end of the session.
func (w Wait) Next(e Event, at string) Wait {
	next := w.after(e)
	if next.State == w.State && next.About == w.About && next.Until == w.Until && w.Since != "" {
		return w
	}
	next.Since = at
	return next
}

func (w Wait) after(e Event) Wait {
	switch e.Event {
	case End:
		return w
	case Start:
		if e.Source != "compact" {
			return Wait{State: Idle}
		}
		return w.or(Working)
	case PreCompact, PostCompact:
		if e.Source == "manual" {
			return w.or(Idle)
		}
	case AskPermission:
		return w.asks(Asks, e)
	case AskQuestion:
		return w.asks(Question, e)
	case Interrupt:
		return Wait{State: Idle}
	case BeIdle:
		if w.State == Working {
			return Wait{State: Idle}
		}
		return w.or(Idle)
	case Failure:
		if e.Limit {
			return Wait{State: Limit, About: e.About, Until: e.Until}
		}
		return Wait{State: Stopped, About: e.About}
	case Stop:
		switch {
		case e.SubAgent != "", e.Background:
		case e.About != "":
			return Wait{State: Question, About: e.About}
		default:
			return Wait{State: Idle}
		}
	}
	return Wait{State: Working}
}

// or returns w, or a state if nothing is known yet.
func (w Wait) or(s State) Wait {
	if w.State == "" {
		return Wait{State: s}
	}
	return w
}

// asks returns the wait for an answer. A reminder says less than the event that it follows.
func (w Wait) asks(s State, e Event) Wait {
	if e.Reminder && (w.State == Asks || w.State == Question) {
		return w
	}
	return Wait{State: s, About: e.About}
}

// Halted adds to a stop what only the project knows: whether it was held, so that the session goes
// on, or whether the session owes an entry.
func (r *Record) Halted(held, owes bool) {
	switch {
	case held && r.was.State == Working:
		r.Wait = r.was
	case held:
		r.Wait = Wait{State: Working, Since: r.Seen}
	case !owes || r.Wait.State != Idle:
	case r.was.State == Stopped && r.was.About == "":
		r.Wait = r.was
	default:
		r.Wait = Wait{State: Stopped, Since: r.Seen}
	}
}

// Begins reports whether the last event began a wait for which no command was started yet, or
// reminded of such a wait.
func (r *Record) Begins() bool { return r.Wait.State.Waits() && !r.Wait.Called }

// Turned reports whether the last event began a wait or ended one.
func (r *Record) Turned() (began, ended bool) {
	was, is := r.was.State.Waits(), r.Wait.State.Waits()
	return is && !was, was && !is
}

// Life is what is known about the process of a session.
type Life int

// What may be known about a process. Nothing is known of one on another machine, in another
// container, or before the system started.
const (
	LifeUnknown Life = iota
	LifeGone
	LifeOn
)

// Doing returns what a session is doing as a reader sees it, and since when. If no event came for
// longer than lease, nobody knows whether the session still works. If its process is unknown too,
// nobody knows anything about it.
func (r *Record) Doing(life Life, now time.Time, lease time.Duration) (doing State, since string) {
	seen, err := time.Parse(time.RFC3339, r.Seen)
	overdue := err != nil || now.Sub(seen) > lease
	switch {
	case life == LifeGone:
		return Dead, r.Seen
	case r.Wait.State == "", overdue && (life == LifeUnknown || r.Wait.State == Working):
		return Silent, r.Seen
	}
	return r.Wait.State, r.Wait.Since
}

// QuestionIn returns the question with which a message ends, or "".
func QuestionIn(message string) string {
	text := strings.TrimRight(message, " \t\r\n*_`\"')”")
	if !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, "？") {
		return ""
	}
	text = text[strings.LastIndexByte(text, '\n')+1:]
	for _, end := range [...]string{". ", "! ", "? "} {
		text = text[strings.LastIndex(text, end)+1:]
	}
	return strings.TrimLeft(text, "-*#>_ ")
}
