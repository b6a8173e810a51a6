package specflow

import (
	"strings"
	"testing"
)

func TestSFD39_ConfigIsReadLeniently(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"state_max_bytes": 300, "state_keep_decisions": 0}`,
		`{"state_max_bytes": 300, "state_keep_decisions": 0,}`,
		"{ // ours\n\"state_max_bytes\": 300, /* both */ \"state_keep_decisions\": 0 }",
	} {
		c, wrong, err := ReadConfig([]byte(text))
		if err != nil || len(wrong) > 0 || c.MaxBytes != 300 || c.Keep == nil || *c.Keep != 0 {
			t.Errorf("%s: %+v, %v", text, c, err)
		}
	}
	for _, text := range []string{
		"", "no", `[1]`,
	} {
		if c, _, err := ReadConfig([]byte(text)); err == nil {
			t.Errorf("%q was read as %+v", text, c)
		}
	}
	for _, text := range []string{
		`{"state_max_bytes": "300"}`, `{"state_max_bytes": -1}`, `{"state_cell_hard_cap": -1}`, `{"state_keep_decisions": -1}`,
		`{"state_keep_decisions": 2.5}`, `{"state_max_bytes": 1e30}`,
	} {
		if c, wrong, err := ReadConfig([]byte(text)); err != nil || len(wrong) != 1 || c != (Config{}) {
			t.Errorf("%q was read as %+v, %q, %v", text, c, wrong, err)
		}
	}
}

// SF-54, SF-D33: without an active specification, there is no row for a person's status and next step, so they stay.
func TestSF54_MigrationKeepsAPersonsWords(t *testing.T) {
	t.Parallel()
	text := "# SpecFlow State\n\n## Current Position\n\n- **Active Specification:** none\n- **Status:** waiting for Bob\n- **Next " +
		"Step:** ask Bob about keys\n\n## Queue\n"
	done, err := Parse([]byte(text)).Migrate()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"- **Status:** waiting for Bob\n", "- **Next Step:** ask Bob about keys\n", "## Active Specifications\n",
	} {
		if !strings.Contains(string(done.Text), line) {
			t.Errorf("%q is not in\n%s", line, done.Text)
		}
	}
	again, err := Parse(done.Text).Migrate()
	if err != nil || string(again.Text) != string(done.Text) {
		t.Errorf("a second run changes something: %v\n%s", err, again.Text)
	}
}
