package workspace

import (
	"bytes"
	"encoding/json"
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
