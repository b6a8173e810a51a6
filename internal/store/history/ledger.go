package history

import (
	"context"
	"slices"
	"sync"
	"time"

	"baton/internal/ledger"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// Watch says what the ledger records about documents (D9, D37). The zero value records nothing.
type Watch struct {
	// Family returns the family of a document, in whose book its entries are; ok is false if it has
	// none.
	Family func(name string) (family string, ok bool)
	// Entries returns the entries of a document, or those of text appended to one. It must have no
	// side effects, because a commit calls it from another goroutine.
	Entries func(name string, data []byte) []ledger.Entry
	// Head returns the commit that HEAD names, or "" if there is none. It is called once per Update
	// that changes something.
	Head func() string
	// By returns the name of the writer.
	By func() string
	// Agent returns the client and the session of the agent that writes, or "" if unknown. It is
	// nil if they are never known.
	Agent func() (client, session string)
}

// Book returns the book of a family, or nil if there is none. It takes no lock, and skips a record
// that is being written or that a crash tore. Errors: Refused.
func (h *History) Book(ctx context.Context, family string) (*ledger.Book, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return h.readBook(family)
}

// highestIn are the lengths at the end of a book that are read one after the other for the highest
// number of a session, in bytes (D7). If no entry is missing, the first with a session suffices.
var highestIn = [...]int{4 << 10, 32 << 10}

// HighestSession returns the highest number that the book of a family has for a session, or 0. It
// reads the whole book only if entries are missing, or if its end has no session (D44). Errors:
// Refused.
func (h *History) HighestSession(ctx context.Context, family string) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	folder, err := h.at.Folder(ledgerFolder)
	if err != nil {
		return 0, err
	}
	path := disk.Join(folder, bookName(family))
	for _, length := range highestIn {
		c, err := disk.Read(h.fs, path, disk.Tail(length), store.MaxSize)
		if err != nil {
			return 0, disk.Refused(err, h.at.Shown(path), "read")
		}
		if !c.Exists || ledger.FamilyOf(c.Data) != "" && ledger.FamilyOf(c.Data) != family {
			return 0, nil
		}
		if lacking, known := ledger.LastLacking(c.Data); known && lacking > 0 {
			break
		} else if known {
			if n := ledger.LastHighest(c.Data); n > 0 || c.Offset == 0 {
				return n, nil
			}
		}
	}
	book, err := h.readBook(family)
	if err != nil || book == nil {
		return 0, err
	}
	return book.Highest(), nil
}

// FirstSession returns a function that says when the book of a family saw a session first, by the
// session's text; see Book.FirstSeen. It reads the book at the first call, because most tasks have
// no two sessions with one number. If the book cannot be read, no session is known.
func (h *History) FirstSession(ctx context.Context, family string) func(text string) time.Time {
	first := sync.OnceValue(func() func(key string) time.Time {
		book, _ := h.Book(ctx, family)
		return book.FirstSeen()
	})
	return func(text string) time.Time { return first()(ledger.NewEntry(ledger.Session, text).Key) }
}

// Families returns the families that have a book, sorted. Errors: Refused.
func (h *History) Families(ctx context.Context) ([]string, error) {
	folder, err := h.at.Folder(ledgerFolder)
	if err != nil {
		return nil, err
	}
	infos, err := h.fs.ReadDir(folder)
	if disk.Gone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, disk.Refused(err, h.at.Shown(folder), "listed")
	}
	var families []string
	for _, i := range infos {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !i.Mode.IsRegular() || !isBook(i.Name) {
			continue
		}
		family, err := h.familyIn(disk.Join(folder, i.Name))
		if err != nil {
			return nil, disk.Refused(err, h.at.Shown(disk.Join(folder, i.Name)), "read")
		}
		if family != "" && bookName(family) == i.Name {
			families = append(families, family)
		}
	}
	slices.Sort(families)
	return families, nil
}

func (h *History) familyIn(path string) (string, error) {
	for _, part := range []disk.Span{disk.Tail(2 << 10), disk.Whole} {
		c, err := disk.Read(h.fs, path, part, store.MaxSize)
		if err != nil {
			return "", err
		}
		if family := ledger.FamilyOf(c.Data); family != "" {
			return family, nil
		}
	}
	return "", nil
}
