package statusbar

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	"baton/internal/statusline"
	"baton/internal/task"
	"baton/internal/workspace"
)

// lossCountBytes is how many bytes of the cache are enough to read the count.
const lossCountBytes = 256

// lossCount reads the beginning of the cache and returns how many entries are lost, and HEAD at
// that time. It returns 0 if there are none, or if baton did not write the file.
func lossCount(data []byte) (lost int, head string) {
	start, _, ok := bytes.Cut(data[:min(len(data), lossCountBytes)], []byte(`,"fates":{`))
	var memory struct {
		Head string `json:"head"`
		Lost int    `json:"lost"`
	}
	if !ok || json.Unmarshal(slices.Concat(start, []byte("}")), &memory) != nil || memory.Lost < 0 {
		return 0, ""
	}
	return memory.Lost, memory.Head
}

// newest returns the task that was started last, or "" for an empty book.
func newest(b workspace.ActiveBook) task.ID {
	last := ""
	for name, e := range b.Holders {
		if before := b.Holders[last]; last == "" || e.At > before.At || e.At == before.At && name < last {
			last = name
		}
	}
	return b.Holders[last].Task
}

// waitingFresh is for how long the number of waiting sessions is shown (D49).
const waitingFresh = 10 * time.Minute

// prepared reads, once, what commands and hooks prepared for the line (D49).
func (g *glance) prepared(root string) *statusline.Prepared {
	if g.ready == nil {
		g.ready = &statusline.Prepared{}
		_ = json.Unmarshal(g.whole( // an unreadable cache counts as empty
			filepath.Join(root, filepath.FromSlash(workspace.RuntimeDir), statusline.PreparedName),
			statusline.MostPrepared,
		), g.ready)
	}
	return g.ready
}

// waiting returns how many agents' sessions wait for a person, if that was counted a short time
// ago.
func (g *glance) waiting() int {
	line := g.prepared(g.records())
	if line.Waiting <= 0 || g.env.Now == nil {
		return 0
	}
	age := g.env.Now().Sub(workspace.ParseStamp(line.At))
	if age < -waitingFresh || age >= waitingFresh {
		return 0
	}
	return line.Waiting
}
