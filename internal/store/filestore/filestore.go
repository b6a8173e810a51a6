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

// DefaultWait is how long a writer waits for the locks if Options.Wait is zero (D35).
const DefaultWait = 10 * time.Second

// Options configure a store.
type Options struct {
	Root    string        // real absolute path of the folder to which names are relative
	Runtime string        // slash path below Root, or absolute: lock, journal, caches (D1); "." is Root itself
	Within  string        // absolute path that Root must not leave once links are resolved; "" takes Root as it is
	Command string        // how messages about the lock name us, such as "task log"
	Env     report.Env    // clock, randomness, process id, host
	Wait    time.Duration // for all locks of one Update together; 0 is DefaultWait, negative means a single try
	FS      disk.FS       // the seam; nil means the disk
	Private bool          // new documents can be read by their owner only

	// Allow returns nil if the document name may be written at a real path outside Root, to which a
	// link leads, and otherwise why not (D36, D45). If it is nil, no such document may.
	Allow func(name, path string) error
	// ReadAllowed refuses to read what a link leads to outside Root, unless Allow allows it.
	ReadAllowed bool

	// Foreign returns the lock with which another program guards a document; ok is false if there
	// is none (D35). Only commits that change such a document take it, and recoveries of their
	// journals. If it is nil, no document has one.
	Foreign func(name string) (lock foreign.Lock, ok bool)
	// Committed is called under the lock after each commit, with the sorted names of the documents
	// that it wrote. alone is false if it also removed, moved or created anything else. It must not
	// call Update.
	Committed func(names []string, alone bool)
	// RecordOutcomes completes a document with the outcomes of relocations; see
	// store.Tx.RecordOutcomes. It must have no side effects. Recording into bytes that have
	// outcomes already must give the same result as recording into the original bytes. If it is
	// nil, the document is left unchanged.
	RecordOutcomes func(name string, data []byte, outcomes []store.Outcome) []byte
	// Alive reports whether a process exists; one that we may not ask counts as existing. nil asks
	// the system.
	Alive func(pid int) bool
	// Process returns more about a process that exists. nil asks the system.
	Process func(pid int) disk.ProcessState
	// After waits for a pause between two tries for a lock. nil is that of Env.
	After func(time.Duration) <-chan time.Time
}

// Store keeps documents as files below a root. It is safe for concurrent use and holds nothing open
// between calls. An Update inside an Update of the same runtime folder waits for itself until the
// lock times out.
type Store struct {
	o       Options
	fs      *disk.Holding
	root    string
	runtime string

	once    sync.Once // for resolve, which may change root and runtime and sets the next three fields
	fence   string    // real path that the runtime folder must not leave
	refusal error     // why writes are refused: the runtime folder leads out of the project
	lost    bool      // the root leads out of its checkout, so reads are refused, too

	names   atomic.Uint32 // temporary names given out so far
	mu      sync.Mutex
	folders map[string]place // where folders lead, by name
	signed  int              // bytes of lock.json that we have written, or must overwrite
	quiet   bool             // there was no journal at the last look
	within  bool             // nothing outside the root is read or written, whatever Allow says; see Confine

	foreign *foreign.System // lock files of other programs
	observe func(note func(code report.Code, path, text string)) Observer
}

var _ store.Store = (*Store)(nil)

// Open returns the store below o.Root. It touches nothing: reads never write, and the first write
// creates what it needs.
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
		o.After = o.Env.After
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

// Close does nothing, because the store holds no resources.
func (s *Store) Close() error { return nil }

// Counters returns this store's counts at the seam.
func (s *Store) Counters() *disk.Counters { return &s.fs.Counts }

// Runtime returns the real path of the runtime folder.
func (s *Store) Runtime() string {
	s.resolve()
	return s.runtime
}

// temporary returns a name for a temporary file next to base: .<base>.<random>.tmp (D40). A very
// long base is cut, so that the file system accepts the name.
func (s *Store) temporary(base string) (string, error) {
	b, err := s.random()
	if err != nil {
		return "", err
	}
	// Two names of one store differ even if tests supply the same "random" bytes each time.
	n := s.names.Add(1)
	b[4], b[5] = b[4]^byte(n>>8), b[5]^byte(n)
	return "." + base[:min(len(base), 200)] + "." + hex.EncodeToString(b[:6]) + ".tmp", nil
}

// random returns eight bytes, of which at least the first six are random.
func (s *Store) random() (b [8]byte, err error) {
	if s.o.Env.Rand == nil {
		// Names and pauses only have to differ. The cryptographic source would cost start-up time
		// and a tenth of a megabyte.
		binary.LittleEndian.PutUint64(b[:], rand.Uint64())
		return b, nil
	}
	_, err = io.ReadFull(s.o.Env.Rand, b[:6])
	return b, err
}
