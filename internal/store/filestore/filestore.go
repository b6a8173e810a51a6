package filestore

import (
	"encoding/binary"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/foreign"
)

// DefaultWait is how long a writer waits for the lock when Options.Wait is zero (D35).
const DefaultWait = 10 * time.Second

// Options say where a store keeps its documents.
type Options struct {
	Root    string        // real absolute path of the folder that names are relative to
	Runtime string        // slash path below Root, or absolute: lock, journal, caches (D1); "." is Root itself
	Within  string        // absolute path that Root, links resolved, must not leave; "" is Root, taken as it is
	Command string        // what the lock message says about us, "task log"
	Env     report.Env    // clock, randomness, process id, host
	Wait    time.Duration // patience for all locks of one Update; 0 is DefaultWait, negative is one try
	Allow   []string      // real paths outside Root that may be written through links (paths.allow, D36)
	FS      disk.FS       // the seam; nil is the disk

	// Foreign gives the lock by which other programs guard a document, ok false when there is
	// none (D35). Only commits that change such a document take it, and the recovery of a journal
	// with it. nil: no document has one.
	Foreign func(name string) (lock foreign.Lock, ok bool)
	// Settle completes a document that tells what became of relocations; see store.Tx.Settle. It
	// has no side effects, and settling settled bytes gives what settling the first ones gives.
	// nil leaves the document as it is.
	RecordOutcomes func(name string, data []byte, outcomes []store.Outcome) []byte
	// Alive tells whether a process exists; one that may not be asked does. nil asks the system.
	Alive func(pid int) bool
	// Process tells more of a process that exists. nil asks the system.
	Process func(pid int) disk.ProcessState
	// After is how pauses between two tries for a lock are waited for. nil is time.After.
	After func(time.Duration) <-chan time.Time
}

// Store keeps documents as files below a root; it is safe for concurrent use. It holds nothing
// open between calls. An Update inside an Update of the same runtime folder waits for itself
// until the lock times out.
type Store struct {
	o       Options
	fs      *disk.Holding
	root    string
	runtime string

	once    sync.Once // settle; it may change root and runtime, and sets the following
	fence   string    // real path that the runtime folder must not leave
	refusal error     // why nothing may be written: the runtime folder leads out
	lost    bool      // the root leads out, so that nothing may be read either

	names   atomic.Uint32 // temporary names given so far
	mu      sync.Mutex
	folders map[string]place // where folders lead, by name
	signed  int              // bytes of lock.json that we have written over, or must
	quiet   bool             // no journal was there when it was last looked for

	foreign *foreign.System // lock files of other programs
	observe func(note func(code report.Code, path, text string)) Observer
}

var _ store.Store = (*Store)(nil)

// Open gives the store below o.Root. It touches nothing: reads never write, and the first write
// makes what it needs.
func Open(o Options) *Store {
	if o.FS == nil {
		o.FS = disk.OS{}
	}
	if o.Wait == 0 {
		o.Wait = DefaultWait
	}
	if o.Env.Now == nil {
		o.Env.Now = time.Now
	}
	if o.Alive == nil {
		o.Alive = disk.ProcessExists
	}
	if o.Process == nil {
		o.Process = disk.LookUpProcess
	}
	if o.After == nil {
		o.After = time.After
	}
	s := &Store{o: o, fs: &disk.Holding{FS: o.FS}, root: filepath.Clean(o.Root), folders: map[string]place{}}
	s.runtime = filepath.FromSlash(o.Runtime)
	if !filepath.IsAbs(s.runtime) {
		s.runtime = filepath.Join(s.root, s.runtime)
	}
	s.foreign = s.lockFiles()
	return s
}

// Close has nothing to let go of.
func (s *Store) Close() error { return nil }

// Counters gives the counts of this store at the seam.
func (s *Store) Counters() *disk.Counters { return &s.fs.Counts }

// Runtime is the real path of the runtime folder.
func (s *Store) Runtime() string {
	s.resolve()
	return s.runtime
}

// temporary gives a name for a temporary file beside base: .<base>.<random>.tmp (D40). A very
// long base is cut, so that the name stays within what file systems allow.
func (s *Store) temporary(base string) (string, error) {
	b, err := s.random()
	if err != nil {
		return "", err
	}
	// Two names of one store differ even where tests give the same "random" bytes each time.
	n := s.names.Add(1)
	b[4], b[5] = b[4]^byte(n>>8), b[5]^byte(n)
	return "." + base[:min(len(base), 200)] + "." + hex.EncodeToString(b[:6]) + ".tmp", nil
}

// random gives eight bytes, at least six of them drawn.
func (s *Store) random() (b [8]byte, err error) {
	if s.o.Env.Rand == nil {
		// Names and pauses only have to differ; the cryptographic source would cost start-up time
		// and a tenth of a megabyte.
		binary.LittleEndian.PutUint64(b[:], rand.Uint64())
		return b, nil
	}
	_, err = io.ReadFull(s.o.Env.Rand, b[:6])
	return b, err
}
