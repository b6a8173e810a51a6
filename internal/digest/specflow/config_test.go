package specflow

import "testing"

func TestSFD39_ConfigIsReadLeniently(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"state_max_bytes": 300, "state_keep_decisions": 0}`,
		`{"state_max_bytes": 300, "state_keep_decisions": 0,}`,
		"{ // ours\n\"state_max_bytes\": 300, /* both */ \"state_keep_decisions\": 0 }",
	} {
		c, err := ReadConfig([]byte(text))
		if err != nil || c.MaxBytes != 300 || c.Keep == nil || *c.Keep != 0 {
			t.Errorf("%s: %+v, %v", text, c, err)
		}
	}
	for _, text := range []string{"", "no", `{"state_max_bytes": "300"}`, `[1]`, `{"state_max_bytes": -1}`, `{"state_cell_hard_cap": -1}`, `{"state_keep_decisions": -1}`} {
		if c, err := ReadConfig([]byte(text)); err == nil {
			t.Errorf("%q was read as %+v", text, c)
		}
	}
}
