package moves

import (
	"io/fs"
	"time"

	"baton/internal/store"
)

// Relocation is a store.Relocation as the journal keeps it. It leaves out the rules for entries
// that changed after planning, because after a crash only an unchanged entry moves.
type Relocation struct {
	From    string      `json:"from"`
	To      string      `json:"to"`
	Name    []byte      `json:"name"`               // any bytes, so base64
	NewName []byte      `json:"new_name,omitempty"` // absent if the same as Name
	Mode    fs.FileMode `json:"mode"`               // type bits
	Size    int64       `json:"size,omitempty"`
	Sec     int64       `json:"sec"` // time of the entry; JSON's time format cannot represent every time
	Nsec    int         `json:"nsec,omitempty"`
	ID      uint64      `json:"id,omitempty"`
	Stays   Stay        `json:"stays,omitempty"` // if not 0, the entry must not move and is reported as failed
}

// RelocationOf returns a relocation as a journal keeps it. stays is 0 for an entry that may move.
func RelocationOf(r store.Relocation, stays Stay) Relocation {
	seen := r.Seen
	out := Relocation{
		From: r.From, To: r.To, Name: []byte(r.Name), Mode: seen.Mode.Type(), Size: seen.Size,
		Sec: seen.ModTime.Unix(), Nsec: seen.ModTime.Nanosecond(), ID: seen.ID, Stays: stays,
	}
	if r.Target() != r.Name {
		out.NewName = []byte(r.NewName)
	}
	return out
}

// Seen returns what was seen of the entry.
func (r *Relocation) Seen() store.Item {
	return store.Item{
		Name: string(r.Name), Mode: r.Mode, Size: r.Size, ModTime: time.Unix(r.Sec, int64(r.Nsec)), ID: r.ID,
	}
}

// Target returns the name that the entry gets.
func (r *Relocation) Target() string {
	if len(r.NewName) == 0 {
		return string(r.Name)
	}
	return string(r.NewName)
}

// Outcome returns the outcome of the relocation, without a state.
func (r *Relocation) Outcome() store.Outcome {
	return store.Outcome{From: r.From, To: r.To, Name: string(r.Name), NewName: r.Target()}
}

// Asked returns the part that Check looks at.
func (r *Relocation) Asked() store.Relocation {
	return store.Relocation{From: r.From, To: r.To, Name: string(r.Name), NewName: string(r.NewName)}
}

// Stay says why an entry must stay where it is.
type Stay uint8

// Reasons to stay.
const (
	Immovable Stay = iota + 1 // git's or baton's own, or a folder above them
	OnTheWay                  // the same transaction uses a path through it
)

func (y Stay) fault() string {
	if y == Immovable {
		return "it cannot be moved: git's folder, baton's own files and the folders above them stay where they are"
	}
	return "it cannot be moved: the same change uses a path through it"
}
