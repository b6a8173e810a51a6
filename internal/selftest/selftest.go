package selftest

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"baton/internal/report"
)

// Defaults of Options.
const (
	DefaultWriters = 8
	DefaultChanges = 100
	DefaultTasks   = 40
)

// Options are the settings of a run. The zero value with a Program is the standard run.
type Options struct {
	Env      report.Env    // clock, randomness, and the environment in which the program runs
	Program  string        // path of the baton executable to run; required
	Dir      string        // where the temporary folder is created; "" is the system's place for such folders
	Writers  int           // processes at a time; 0 is DefaultWriters
	Changes  int           // acknowledged changes per writer; 0 is DefaultChanges, negative is no limit (needs Time)
	Time     time.Duration // limit for the changes of all parts together, even if not all were made; 0 is no limit
	Tasks    int           // tasks in the queue of the claims part; 0 is DefaultTasks, negative skips the part
	NoNet    bool          // skip the part in which an editor damages documents
	Seed     uint64        // seed of every choice except those of the system's scheduler; 0 is a random one
	Progress func(string)  // gets a short sentence about the progress of the run; may be nil
}

// Report is what a run found. It is the shape of "baton selftest --json".
type Report struct {
	OK           bool   `json:"ok"` // nothing was lost, doubled, torn or left behind
	Seed         uint64 `json:"seed"`
	DurationMS   int64  `json:"duration_ms"`
	Dialect      string `json:"dialect"`              // form of the task file, which depends on the seed
	Writers      int    `json:"writers"`              // writer processes at a time
	Processes    int    `json:"processes"`            // processes started in all
	Acknowledged int    `json:"changes_acknowledged"` // changes whose process ended with exit status 0
	Refused      int    `json:"changes_refused"`      // changes that ended with an error although nobody killed them
	Kills        int    `json:"kills"`                // processes that were killed before they ended by themselves
	// answers that said that a dead process's work was finished or undone
	Recoveries int      `json:"recoveries"`
	Reads      int      `json:"reads"`    // complete reads of task and archive while writers were at work
	Entries    Tally    `json:"entries"`  // log entries in task file and archive
	Evidence   Tally    `json:"evidence"` // records of checks in the evidence file
	Claims     Claims   `json:"claims"`
	Net        Net      `json:"net"`
	Disk       Disk     `json:"disk"`
	Kept       string   `json:"kept,omitempty"` // the temporary folder, if it was kept because something was wrong
	Failures   []string `json:"failures"`       // one sentence each
}

// Tally counts things that must be there exactly once.
type Tally struct {
	Acknowledged int `json:"acknowledged"` // must be there
	Found        int `json:"found"`        // are there, including those of killed processes
	Lost         int `json:"lost"`         // acknowledged and not there
	Doubled      int `json:"doubled"`      // there more than once
}

// Claims is what the queue part found.
type Claims struct {
	Processes int `json:"processes"`
	Tasks     int `json:"tasks"`
	HandedOut int `json:"handed_out"` // different tasks that were handed out
	Doubles   int `json:"doubles"`    // times that a task, or a fencing number, was handed out again
}

// Net is what the part with the editor found: entries of documents that are damaged while they are
// written.
type Net struct {
	Changes      int `json:"changes"`      // changes whose process ended with exit status 0
	Kills        int `json:"kills"`        // processes that were killed before they ended by themselves
	Edits        int `json:"edits"`        // damaging edits of documents
	Looks        int `json:"looks"`        // times that ledger, log and versions answered during the run
	Acknowledged int `json:"acknowledged"` // entries that must be there
	Present      int `json:"present"`      // of these, in a document
	Offered      int `json:"offered"`      // of these, in no document, and listed by "baton lost"
	Lost         int `json:"lost"`         // of these, neither
	Doubled      int `json:"doubled"`      // entries that "baton lost --restore" added although they were there
}

// Disk describes where the run took place.
type Disk struct {
	Dir        string `json:"dir"`
	FileSystem string `json:"file_system,omitempty"` // "" if the system does not say
	SyncMicros int64  `json:"fsync_us"`              // median of a small write with fsync, in microseconds
}

// Run creates the temporary projects, tests them, and returns what it found. A finding is not an
// error: look at Report.OK. Errors: Refused if the folder cannot be created, Interrupted if ctx
// ends, Internal if the program cannot be run at all. In any case, no process is left running.
func Run(ctx context.Context, o Options) (Report, error) {
	o, err := o.filled()
	if err != nil {
		return Report{}, err
	}
	began := o.Env.Now()
	rep := Report{Seed: o.Seed, Dialect: dialect(o.Seed), Writers: o.Writers, Failures: []string{}}
	s, err := newSite(o)
	if err != nil {
		return rep, err
	}
	kept := false
	defer func() {
		if !kept {
			_ = os.RemoveAll(s.base) // best effort: a temporary folder
		}
	}()
	if rep.Disk, err = measure(s.base); err != nil {
		return rep, err
	}
	o.tell("writing below %s (seed %d)", s.base, o.Seed)
	writers, net := o.shares()
	if err := s.torture(ctx, writers, &rep); err != nil {
		return rep, err
	}
	if !o.NoNet {
		o.tell("damaging documents that are written to")
		if err := s.net(ctx, net, &rep); err != nil {
			return rep, err
		}
	}
	if o.Tasks > 0 {
		o.tell("draining a queue of %d tasks", o.Tasks)
		if err := s.queue(ctx, o, &rep); err != nil {
			return rep, err
		}
	}
	rep.Processes = int(s.started.Load())
	rep.DurationMS = o.Env.Now().Sub(began).Milliseconds()
	rep.OK = len(rep.Failures) == 0
	if !rep.OK {
		kept, rep.Kept = true, s.base
	}
	return rep, nil
}

func (o Options) filled() (Options, error) {
	if o.Program == "" {
		return o, &report.Error{Kind: report.Internal, Op: "selftest", Message: "no program to test was named"}
	}
	if os.Getenv(within) != "" { // the real environment, because Env may not contain it
		return o, &report.Error{
			Kind: report.Violation, Op: "selftest", Code: report.CodeSelftestNested,
			Message: "a self-test cannot be run " +
				"inside a self-test",
			Hint: "unset " + within + " if this is not one",
		}
	}
	program, err := filepath.Abs(o.Program)
	if err != nil {
		return o, fmt.Errorf("find program: %w", err)
	}
	o.Program = program
	o.Writers = orDefault(o.Writers, DefaultWriters)
	o.Changes = orDefault(o.Changes, DefaultChanges)
	o.Tasks = orDefault(o.Tasks, DefaultTasks)
	if o.Changes < 0 && o.Time <= 0 {
		return o, &report.Error{
			Kind: report.Usage, Op: "selftest", Message: "a run without a number of changes needs a time limit",
			Hint: "add --time 60s",
		}
	}
	if o.Env.Now == nil {
		o.Env.Now = time.Now
	}
	if o.Seed == 0 && o.Env.Rand == nil {
		o.Seed = uint64(rand.Uint32()) | 1
	}
	if o.Seed == 0 {
		var b [4]byte // 32 bits are enough, and short to type
		if _, err := io.ReadFull(o.Env.Rand, b[:]); err != nil {
			return o, fmt.Errorf("choose seed: %w", err)
		}
		o.Seed = uint64(binary.LittleEndian.Uint32(b[:])) | 1
	}
	return o, nil
}

// shares divides time and changes between the writers of one task and the part with the editor.
func (o Options) shares() (writers, net Options) {
	writers, net = o, o
	if o.NoNet {
		return writers, net
	}
	net.Time = o.Time * 3 / 10
	writers.Time = o.Time - net.Time
	if o.Changes > 0 {
		net.Changes = max(1, o.Changes/4)
	}
	return writers, net
}

func orDefault(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

func (o Options) tell(format string, args ...any) {
	if o.Progress != nil {
		o.Progress(fmt.Sprintf(format, args...))
	}
}

// fail adds one finding.
func (r *Report) fail(format string, args ...any) {
	r.Failures = append(r.Failures, fmt.Sprintf(format, args...))
}
