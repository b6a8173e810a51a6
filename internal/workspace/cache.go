package workspace

import (
	"bytes"
	"encoding/json"
	"slices"

	"baton/internal/task"
)

// Encoded is a value as JSON with a line end, texts as they read: "<", ">" and "&" mean nothing
// special in these files.
func Encoded(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(value)
	return b.Bytes(), err
}

// LossMemoryName is the cache of what git said last of missing entries, for those who may not ask
// it (D9).
const LossMemoryName = "lost.json"

// LossCountBytes is what its beginning takes at most, up to the count.
const LossCountBytes = 256

// LossCount reads from the beginning of the cache how many entries are lost, and where HEAD was
// then; 0 for none, and for what is not as baton writes it.
func LossCount(data []byte) (lost int, head string) {
	start, _, ok := bytes.Cut(data[:min(len(data), LossCountBytes)], []byte(`,"fates":{`))
	var memory struct {
		Head string `json:"head"`
		Lost int    `json:"lost"`
	}
	if !ok || json.Unmarshal(slices.Concat(start, []byte("}")), &memory) != nil || memory.Lost < 0 {
		return 0, ""
	}
	return memory.Lost, memory.Head
}

// Newest is the task that was taken up last, "" in an empty book.
func (b ActiveBook) Newest() task.ID {
	last := ""
	for name, e := range b.Holders {
		if before := b.Holders[last]; last == "" || e.At > before.At || e.At == before.At && name < last {
			last = name
		}
	}
	return b.Holders[last].Task
}
