package workspace

import (
	"bytes"
	"encoding/json"
	"slices"

	"baton/internal/task"
)

// Encoded returns a value as JSON with a line end. "<", ">" and "&" are not escaped, because they
// have no special meaning in these files.
func Encoded(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(value)
	return b.Bytes(), err
}

// LossMemoryName is the cache of git's last answer about missing entries, for callers that may not
// ask git (D9).
const LossMemoryName = "lost.json"

// WholeMemoryName is the cache of the families about which LossMemoryName says everything.
const WholeMemoryName = "whole.json"

// LossCountBytes is how many bytes of the cache are enough to read the count.
const LossCountBytes = 256

// LossCount reads the beginning of the cache and returns how many entries are lost, and HEAD at
// that time. It returns 0 if there are none, or if baton did not write the file.
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

// Newest returns the task that was started last, or "" for an empty book.
func (b ActiveBook) Newest() task.ID {
	last := ""
	for name, e := range b.Holders {
		if before := b.Holders[last]; last == "" || e.At > before.At || e.At == before.At && name < last {
			last = name
		}
	}
	return b.Holders[last].Task
}
