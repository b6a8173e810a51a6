package cli

import (
	"strings"
	"testing"
)

// D3: claim and session start print the fencing number.
func TestD3_ClaimAndStartPrintTheFence(t *testing.T) {
	t.Parallel()
	scenes := pages()
	for _, name := range []string{"claim", "session_start"} {
		c, known := scenes[name]
		if !known {
			t.Fatalf("there is no scene %s", name)
		}
		if got := c.set.play(t, canned{answer: c.answer}, c.args...); !strings.Contains(got.out, "fence 3") {
			t.Errorf("%s prints no fence:\n%s", name, got.out)
		}
	}
}
