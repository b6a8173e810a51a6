package filestore

import (
	"bytes"
	"context"
	"maps"
	"time"
)

// Known is a document as a change of baton's left it, or as Observe found it.
type Known struct {
	Size    int64     // bytes; -1: there was none
	ModTime time.Time // zero where it is not known: of what was appended to
	ID      FileID    // zero where it is not known: of what an append made, and where the system tells none
	Missing int       // entries of its family that are missing, as the book says
}

// Known gives what is known of documents, by name, so that a look at each file tells whether somebody else changed it (D7). It reads
// the log and a cache, and no document; nobody changes the map. Errors: Refused.
func (s *Store) Known(ctx context.Context) (map[string]Known, error) {
	s.settle()
	k, err := s.knownTo(ctx, 0, 0)
	if err != nil {
		return nil, err
	}
	return k.docs, nil
}

// known is what the log says of documents up to a place in it, which is behind a record.
type known struct {
	docs   map[string]Known
	shared bool   // others have docs too
	file   int    // number of the file
	offset int64  // in it
	sum    string // of the last record
}

const (
	ledgerFolder = "ledger"
	knownName    = "known"
	knownStep    = 16 << 10 // bytes of log after which the cache is made anew
	knownMost    = 64 << 20 // bytes that it can have
)

// knownTo folds the log onto what this store knew before, or onto the cache, up to a place in a file, or for file 0 to its end. Where
// they do not fit, the log alone counts.
func (s *Store) knownTo(ctx context.Context, file int, offset int64) (*known, error) {
	folder, err := s.inner(logFolder)
	if err != nil {
		return nil, err
	}
	k := s.recall()
	if k == nil || !s.fold(k, folder, file, offset) {
		k = s.readKnown()
		if k == nil || !s.fold(k, folder, file, offset) {
			if k, err = s.knownOfLog(ctx, folder, file, offset); err != nil {
				return nil, err
			}
		}
	}
	s.recollect(k)
	return k, nil
}

// recall gives what this store knew before, nil when it knew nothing.
func (s *Store) recall() *known {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		return nil
	}
	k := *s.known
	return &k
}

func (s *Store) recollect(k *known) {
	k.shared = true
	kept := *k
	s.mu.Lock()
	s.known = &kept
	s.mu.Unlock()
}

func (s *Store) knownOfLog(ctx context.Context, folder string, file int, offset int64) (*known, error) {
	k := &known{docs: map[string]Known{}}
	numbers, err := s.logNumbers(folder)
	if err != nil {
		return nil, err
	}
	for _, n := range numbers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if file > 0 && n > file {
			break
		}
		data, _, err := s.logFile(join(folder, logName(n)), whole)
		if err != nil {
			return nil, err
		}
		if n == file {
			data = data[:min(offset, int64(len(data)))]
		}
		k.take(data, n, 0)
	}
	return k, nil
}

// fold adds what came since; false when the log is not the one that k was made of: the sum of the last record covers all before it.
func (s *Store) fold(k *known, folder string, file int, offset int64) bool {
	ending := k.sum + recordEnd
	for number, from := k.file, k.offset; file == 0 || number <= file; number, from = number+1, 0 {
		check := int64(0)
		if from > 0 {
			check = int64(len(ending))
		}
		c, err := s.grab(join(folder, logName(number)), func(size int64) (int64, int64) {
			at := min(max(0, from-check), size)
			return at, size - at
		}, logMost)
		if err != nil || c.info.Size < from || from < check || check > 0 && !bytes.HasPrefix(c.data, []byte(ending)) {
			return false
		}
		if !c.exists {
			return number > k.file
		}
		data := c.data[check:]
		if number == file {
			if offset < from {
				return false
			}
			data = data[:min(offset-from, int64(len(data)))]
		}
		if line, _, complete := bytes.Cut(data, []byte{'\n'}); complete && from == 0 {
			if first, is := parseChange(line); is == recordGood && first.Prev != k.sum {
				return false
			}
		}
		k.take(data, number, from)
		if number == file {
			return true
		}
	}
	return false
}

// take adds the complete lines of a file from a place on; those that cannot be read say nothing.
func (k *known) take(data []byte, file int, from int64) {
	for {
		line, rest, complete := bytes.Cut(data, []byte{'\n'})
		if !complete {
			return
		}
		from += int64(len(line)) + 1
		if c, is := parseChange(line); is == recordGood {
			k.add(&c, file, from)
		}
		data = rest
	}
}

// add adds a record that ends at a place.
func (k *known) add(c *Change, file int, end int64) {
	if k.shared {
		k.docs, k.shared = maps.Clone(k.docs), false
	}
	k.file, k.offset, k.sum = file, end, c.Sum
	for i := range c.Docs {
		k.docs[c.Docs[i].Name] = c.Docs[i].known()
	}
}

func (d *DocChange) known() Known {
	k := Known{Size: -1, Missing: d.Missing}
	if d.After.Exists {
		k.Size, k.ModTime, k.ID = d.After.Size, d.ModTime, d.ID
	}
	return k
}
