package specflow

import (
	"encoding/json"
	"errors"
)

// Config is the part of .specflow/config.json that baton needs. It reads the file but never writes
// it (specflow.md 5.1, SF-D39). A number of 0, and nil for Keep, mean that the value is not set.
type Config struct {
	MaxBytes int  `json:"state_max_bytes"`      // most bytes of the digest
	CellCap  int  `json:"state_cell_hard_cap"`  // most characters of a new decision
	Keep     *int `json:"state_keep_decisions"` // rows that stay and are tolerated
}

// ReadConfig reads the file; comments and superfluous commas are allowed. It returns an error if
// the text is not a JSON object, or if a value is not a number or is negative.
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
