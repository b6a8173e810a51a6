package statusline

import (
	"strings"
	"testing"
)

func TestD23_InjectedTokens(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{
		-1: "", 0: "", 7: "↑7", 999: "↑999", 1000: "↑1.0k", 1234: "↑1.2k", 999_949: "↑999.9k", 999_950: "↑1.0M", 2_500_000: "↑2.5M",
	} {
		if got := agentText(&Agent{Times: 1, Tokens: n}, marksOf(false)); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := agentText(nil, marksOf(false)); got != "" {
		t.Errorf("nothing known: %q", got)
	}
}

// TestD23_InjectedIsTheFirstToGo: the segment about injected context is the first to go if the line is too wide, and
// never appears in a line that another tool would print.
func TestD23_InjectedIsTheFirstToGo(t *testing.T) {
	t.Parallel()
	in, f := full()
	f.Agent = &Agent{Times: 1, Tokens: 1234}
	whole := Line(in, f, Options{NoColor: true})
	if !strings.Contains(whole, "s3 │ ↑1.2k │ shop │ main") || !strings.Contains(Line(in, f, Options{Plain: true}), "| ^1.2k |") {
		t.Error(whole)
	}
	narrower := Line(in, f, Options{NoColor: true, Columns: len([]rune(whole)) - 1})
	if strings.Contains(narrower, "↑") || !strings.Contains(narrower, "main") {
		t.Error(narrower)
	}
	for _, digest := range []Digest{GSD, Specflow} {
		f.Digest = digest
		if got := Line(in, f, Options{NoColor: true}); strings.Contains(got, "↑") {
			t.Errorf("%s: %s", digest, got)
		}
	}
	if v := Describe(in, f, Options{}); v.Agent == nil || v.Agent.Tokens != 1234 {
		t.Errorf("as data: %+v", v.Agent)
	}
}
