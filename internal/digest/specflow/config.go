package specflow

import (
	"encoding/json"
	"math"
)

// Config is the part of .specflow/config.json that baton needs. It reads the file but never writes
// it (specflow.md 5.1, SF-D39). A number of 0, and nil for Keep, mean that the value is not set.
type Config struct {
	MaxBytes int  // state_max_bytes: most bytes of the digest
	CellCap  int  // state_cell_hard_cap: most characters of a new decision
	Keep     *int // state_keep_decisions: rows that stay and are tolerated
}

// ReadConfig reads the file; comments and superfluous commas are allowed. A value that is not a
// whole number from 0 on does not count, and wrong has its key, as in SpecFlow's own program; the
// others do. It returns an error if the text is not a JSON object.
func ReadConfig(data []byte) (c Config, wrong []string, err error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(plainJSON(data), &values); err != nil {
		return c, nil, err
	}
	number := func(key string) (n int, ok bool) {
		text, there := values[key]
		if !there || string(text) == "null" {
			return 0, false
		}
		var value float64
		if json.Unmarshal(text, &value) != nil || value < 0 || value > math.MaxInt32 || value != math.Trunc(value) {
			wrong = append(wrong, key)
			return 0, false
		}
		return int(value), true
	}
	c.MaxBytes, _ = number("state_max_bytes")
	c.CellCap, _ = number("state_cell_hard_cap")
	if keep, ok := number("state_keep_decisions"); ok {
		c.Keep = &keep
	}
	return c, wrong, nil
}
