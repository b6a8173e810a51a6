package specflow

import (
	"encoding/json"
	"errors"
)

// Config is what baton needs of .specflow/config.json, which it reads and never writes
// (specflow.md 5.1, SF-D39). A number of 0, and a Keep of nil, say nothing.
type Config struct {
	MaxBytes int  `json:"state_max_bytes"`      // bytes that the digest may have
	CellCap  int  `json:"state_cell_hard_cap"`  // characters of a new decision
	Keep     *int `json:"state_keep_decisions"` // rows that stay, and that are tolerated
}

// ReadConfig reads the file; comments and commas too many are fine. Text that is no JSON object, or
// a value that is no number or one below 0, is an error.
func ReadConfig(data []byte) (Config, error) {
	var c Config
	if err := json.Unmarshal(plainJSON(data), &c); err != nil {
		return c, err
	}
	if c.MaxBytes < 0 || c.CellCap < 0 || c.Keep != nil && *c.Keep < 0 {
		return c, errors.New("a limit is below 0")
	}
	return c, nil
}
