package gsd

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// reference is the original parser as gsd.md 1.10 describes it. Like the original, it uses regular expressions and
// keeps trailing comments.
func reference(src string) Head {
	var s Head
	quotes := regexp.MustCompile(`^["']|["']$`)
	body := src
	if m := regexp.MustCompile(`(?s)^---\r?\n(.*?)\r?\n---`).FindStringSubmatch(src); m != nil {
		body = src[len(m[0]):]
		referenceFront(&s, m[1]+"\n", quotes)
	}
	phase := regexp.MustCompile(`(?m)^Phase:[ \t]*(\d+)[ \t]+of[ \t]+(\d+)(?:[ \t]+\(([^)\n]+)\))?`)
	if m := phase.FindStringSubmatch(body); m != nil {
		s.Phase, s.PhaseTotal, s.PhaseName = m[1], m[2], m[3]
	}
	status := regexp.MustCompile(`(?m)^Status:[ \t]*(\S.*)$`)
	if m := status.FindStringSubmatch(body); m != nil && (s.Status == "" || strings.EqualFold(s.Status, "unknown")) {
		text := strings.ToLower(m[1])
		for _, test := range [][2]string{
			{"ready to plan", "planning"},
			{"planning", "planning"},
			{"execut", "executing"},
			{"complet", "complete"},
			{"archived", "complete"},
		} {
			if strings.Contains(text, test[0]) {
				s.BodyStatus = test[1]
				break
			}
		}
	}
	return s
}

func referenceFront(s *Head, front string, quotes *regexp.Regexp) {
	for line := range strings.SplitSeq(front, "\n") {
		m := regexp.MustCompile(`^(\w+):(.*?)\r?$`).FindStringSubmatch(line)
		if m == nil {
			continue
		}
		value := quotes.ReplaceAllString(strings.TrimSpace(m[2]), "")
		if value == "null" {
			value = ""
		}
		switch m[1] {
		case "status":
			s.Status = value
		case "milestone":
			s.Milestone = value
		case "milestone_name":
			s.MilestoneName = value
		case "active_phase":
			s.ActivePhase = value
		case "next_action":
			s.NextAction = value
		}
	}
	item := func(text string) {
		if text = quotes.ReplaceAllString(strings.TrimSpace(text), ""); text != "" {
			s.NextPhases = append(s.NextPhases, text)
		}
	}
	if m := regexp.MustCompile(`(?m)^next_phases:\s*\[([^\]]*)\]`).FindStringSubmatch(front); m != nil {
		for text := range strings.SplitSeq(m[1], ",") {
			item(text)
		}
	} else if m := regexp.MustCompile(`(?m)^next_phases:[ \t]*\r?\n((?:[ \t]*-.*\S.*\n)+)`).FindStringSubmatch(front); m != nil {
		for text := range strings.SplitSeq(strings.TrimSpace(m[1]), "\n") {
			item(strings.TrimPrefix(strings.TrimSpace(text), "-"))
		}
	}
	if m := regexp.MustCompile(`(?m)^progress:[ \t]*\r?\n((?:[ \t]+\w+:.*\n)+)`).FindStringSubmatch(front); m != nil {
		number := func(key string) string {
			if n := regexp.MustCompile(`(?m)^[ \t]+` + key + `:[ \t]*(\d+)`).FindStringSubmatch(m[1]); n != nil {
				return n[1]
			}
			return ""
		}
		s.Percent, s.TotalPhases, s.CompletedPhases = number("percent"), number("total_phases"), number("completed_phases")
	}
}

// onlyValues compares the values, but not how far reading went.
func onlyValues() cmp.Option {
	return cmp.Options{cmpopts.IgnoreUnexported(Head{}), cmpopts.IgnoreFields(Head{}, "Front", "NeedsMore")}
}

// seedValues compares the values that the reference reads, but not those that only D46 needs.
func seedValues() cmp.Option {
	return cmp.Options{onlyValues(), cmpopts.IgnoreFields(Head{}, "CurrentPhase", "Running")}
}

// TestSeedReadsRealFilesAsTheReferenceDoes checks that every value is the reference's, except for trailing comments
// (N2).
func TestSeedReadsRealFilesAsTheReferenceDoes(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("BATON_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	names, _ := filepath.Glob(filepath.Join(dir, "gsd", "*"))
	if len(names) == 0 {
		t.Skipf("no real state files in %s; BATON_CORPUS names a folder that has them", dir)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want := reference(string(data))
		for _, text := range []*string{&want.Status, &want.Milestone, &want.MilestoneName, &want.ActivePhase, &want.NextAction} {
			if bare, _, commented := strings.Cut(*text, " #"); commented {
				*text = strings.TrimRight(bare, " \"'")
			}
		}
		if diff := cmp.Diff(want, ReadHead(data), seedValues()); diff != "" {
			t.Errorf("%s (-reference +baton):\n%s", filepath.Base(name), diff)
		}
	}
}

// lines generates digests from the relevant pieces, well formed or not.
func lines() *rapid.Generator[string] {
	pieces := []string{
		"---", "---", "status: executing", "status:", "status: null", `milestone: "v1.2"`, "milestone_name: Tide Tables", "milestone: v2",
		"active_phase: 4.5", "active_phase: ''", "next_action: plan-phase", "next_phases: [4, '5']", "next_phases:", "  - 6", `- "7"`,
		"next_phases: [8,", "9]", "progress:", "  percent: 40", "  total_phases: 5", "\tcompleted_phases: 5", "  percent: x", "", "# Title",
		"Phase: 3 of 5 (Gauge feed)", "Phase: 4.5 of 6", "Phase: 2 of 7", "Phase:  8  of  9 ()", "Status: Ready to plan", "Status:",
		"Status: Archived", "Plan: 1 of 2", "Phases", "----", " Phase: 1 of 1",
	}
	return rapid.Custom(func(t *rapid.T) string {
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "lines"), end)
		return rapid.SampledFrom([]string{"", "---" + end}).Draw(t, "start") + text + rapid.SampledFrom([]string{"", end}).Draw(t, "last")
	})
}

func TestSeedReadsWhatTheReferenceReads(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := lines().Draw(t, "digest")
		if diff := cmp.Diff(reference(src), ReadHead([]byte(src)), seedValues()); diff != "" {
			t.Fatalf("%q (-reference +baton):\n%s", src, diff)
		}
	})
}

// TestD23_ReadingOnIsReadingAtOnce checks that reading in steps of any size finds the values of the whole file as soon
// as NeedsMore is false.
func TestD23_ReadingOnIsReadingAtOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(lines().Draw(t, "digest"))
		whole := ReadHead(src)
		var s Head
		for n := 0; n < len(src); {
			n = min(len(src), n+rapid.IntRange(1, 40).Draw(t, "step"))
			s.ReadOn(src[:n])
			if !s.NeedsMore {
				break
			}
		}
		shown := func(s Head) []string {
			out := []string{s.StatusText(), s.ActivePhase, s.NextAction, s.Percent, s.Milestone, strings.Join(s.NextPhases, " ")}
			if s.fourth() {
				out = append(out, s.Phase, s.PhaseTotal, s.PhaseName)
			}
			return out
		}
		if diff := cmp.Diff(shown(whole), shown(s)); diff != "" {
			t.Fatalf("%q (-whole +steps):\n%s", src, diff)
		}
	})
}

func TestD23_StopsAsSoonAsTheLineIsKnown(t *testing.T) {
	t.Parallel()
	front := "---\nmilestone: v1\nstatus: executing\n"
	for _, c := range []struct {
		name, src string
		more      bool
	}{
		{"active phase", front + "active_phase: 4\n---\n", false},
		{"next step, and the body may say that a stage runs", front + "next_action: plan-phase\nnext_phases: [4]\n---\n", true},
		{"next step, and the body says", front + "next_action: plan-phase\nnext_phases: [4]\n---\nStatus: Ready to plan\n", false},
		{"complete", front + "progress:\n  percent: 100\n---\n", false},
		{"the Phase line is looked for", front + "---\n\n# T\n", true},
		{"the Phase line is there", front + "---\n\nPhase: 1 of 2\n", false},
		{"the Phase line may go on", front + "---\n\nPhase: 1 of 2", true},
		{"no status, and none in the body yet", "---\nactive_phase: 4\n---\n\n# T\n", true},
		{"no status, but one in the body", "---\nactive_phase: 4\n---\nStatus: Weird\n", false},
		{"not closed yet", front, true},
		{"no front matter", "# T\nStatus: Planning\nPhase: 1 of 2\n", false},
	} {
		if s := ReadHead([]byte(c.src)); s.NeedsMore != c.more {
			t.Errorf("%s: needs more %v", c.name, s.NeedsMore)
		}
	}
}

func TestGSDD14_CompleteAsNumbersAndNotAtZero(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		percent, completed, total string
		want                      bool
	}{
		{"100", "", "", true},
		{"100", "1", "5", true},
		{"99", "", "", false},
		{"150", "", "", false},
		{"", "5", "5", true},
		{"", "05", "5", true},
		{"", "0", "0", false},
		{"0", "0", "0", false},
		{"", "", "5", false},
		{"", "5", "", false},
		{"", "", "", false},
	} {
		s := Head{Percent: c.percent, CompletedPhases: c.completed, TotalPhases: c.total}
		if s.Complete() != c.want {
			t.Errorf("percent %q, %q of %q phases: complete %v", c.percent, c.completed, c.total, s.Complete())
		}
	}
}
