package gsd

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestN2_LiftsTheConstraintsOfTheParser covers values that YAML reads and the original parser does not.
func TestN2_LiftsTheConstraintsOfTheParser(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, front string
		want        Head
	}{
		{
			"comment inside progress", "progress:\n  # counted by hand\n  total_phases: 5\n  percent: 40",
			Head{TotalPhases: "5", Percent: "40"},
		},
		{"blank line inside progress", "progress:\n  total_phases: 5\n\n  percent: 40", Head{TotalPhases: "5", Percent: "40"}},
		{"quoted numbers", "progress:\n  percent: \"40\"\n  total_phases: '5'", Head{TotalPhases: "5", Percent: "40"}},
		{"numbers with units", "progress:\n  percent: \"40%\"", Head{Percent: "40"}},
		{"negative", "progress:\n  percent: -5", Head{}},
		{"flow mapping", "progress: {percent: 40, total_phases: 5}", Head{TotalPhases: "5", Percent: "40"}},
		{"quoted keys", "\"status\": executing", Head{Status: "executing"}},
		{"block list behind a comment", "next_phases:\n  # both\n  - 4.10\n  - \"5\" # later", Head{NextPhases: []string{"4.10", "5"}}},
		{"text in place of a list", "next_phases: 4.10", Head{NextPhases: []string{"4.10"}}},
		{"quoted text in place of a list", "next_phases: \"4.5\" # one", Head{NextPhases: []string{"4.5"}}},
		{"nulls", "status: ~\nactive_phase: null\nnext_action: \"null\"\nnext_phases: null\nprogress:\n  percent: null", Head{Status: "~"}},
		{"empty", "active_phase:\nnext_action: ''\nnext_phases: []\nprogress:", Head{}},
		{
			"invalid YAML keeps what lines say", "stopped_at: a: b: c\nstatus: executing\nprogress:\n  # note\n  percent: \"40\"",
			Head{Status: "executing", Percent: "40"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, mark := range []string{"", "\ufeff"} {
				src := []byte(mark + "---\n" + c.front + "\n---\n")
				got := ReadHead(src)
				got.Lift(src)
				if diff := cmp.Diff(c.want, got, onlyValues()); diff != "" {
					t.Errorf("with mark %q (-want +got):\n%s", mark, diff)
				}
			}
		})
	}
}

// TestN2_TrailingComments covers the only case in which YAML is followed although the original parser finds a value.
func TestN2_TrailingComments(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"executing # since Monday": "executing",
		"executing #":              "executing",
		"a#b":                      "a#b",
		"# nothing yet":            "",
		`"4.5" # decimal`:          "4.5",
		`'v1.0'	# tab`:             "v1.0",
		`"a # b"`:                  "a # b",
		`"a \" # b" # c`:           `a \" # b" # c`,
		"issue #12 is next":        "issue",
		"null # none":              "",
		`"open # quote`:            "open # quote",
	} {
		s := ReadHead([]byte("---\nstatus: " + value + "\n---\n"))
		if s.Status != want {
			t.Errorf("status: %s is read as %q, want %q", value, s.Status, want)
		}
	}
}

// TestGSD59_SourceTextOfSeedValues checks that numbers and dates are not converted.
func TestGSD59_SourceTextOfSeedValues(t *testing.T) {
	t.Parallel()
	src := []byte("---\nmilestone: 2.0\nactive_phase: 4.10\nnext_phases: [4.10, 007]\n---\n")
	s := ReadHead(src)
	s.Lift(src)
	want := Head{Milestone: "2.0", ActivePhase: "4.10", NextPhases: []string{"4.10", "007"}}
	if diff := cmp.Diff(want, s, onlyValues()); diff != "" {
		t.Error(diff)
	}
}

func TestN2_NumbersAreLeadingDigits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": -1, "x": -1, "-5": -1, "0": 0, "44": 44, "44.7": 44, "7 of 9": 7, "99999999999999999999": 1_000_000_000,
	} {
		if got := Number(text); got != want {
			t.Errorf("%q is %d, want %d", text, got, want)
		}
	}
}

// N2: YAML reads a value that is written below its key as a block scalar. The mark itself is not a value.
func TestN2_BlockScalarsAreRead(t *testing.T) {
	t.Parallel()
	src := []byte("---\nstatus: >-\n  executing\nactive_phase: |\n  3\nmilestone: >-\n  v1.0\n---\n\n# S\n")
	h := ReadHead(src)
	h.Lift(src)
	if h.Status != "executing" || h.ActivePhase != "3" || h.Milestone != "v1.0" {
		t.Errorf("the head: %+v", h)
	}
	if v, ok := Parse(src).Get("status"); !ok || v.Text != "executing" {
		t.Errorf("get status: %+v", v)
	}
}
