package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// covered names where a point is covered: phase and words in the full form, and in the lean form if it is there too.
type covered struct{ phase, words, leanPhase, leanWords string }

// points is the whole list of 5.16, 5.17 and 5.18, and behaviour 11 of agents.md 10.
func points() map[string]covered {
	const o, u, p, i, v, h = "orientation", "understanding", "planning", "implementation", "verification", "hand-over"
	return map[string]covered{
		"P1":  {o, "from top to bottom before anything else", o, "completely first"},
		"P2":  {o, "Know what you are building", "", ""},
		"P3":  {o, "chain inputs: what the tasks before this one provide", "", ""},
		"P4":  {o, "including every entry of its progress log; notes of early sessions", o, "every entry of its progress log"},
		"P5":  {o, "`pwd`", "", ""},
		"P6":  {o, "last ten commits", "", ""},
		"P7":  {o, "`git status`", o, "`git status`"},
		"P8":  {o, "Find what is incomplete", o, "exactly what is incomplete"},
		"P9":  {o, "start fresh. In a later one, continue with the next steps", o, "start fresh; later, continue with the next steps"},
		"P10": {u, "source files that you are going to change before you change them", i, "files of the area before you change them"},
		"P11": {u, "patterns and conventions", "", ""},
		"P12": {p, "exactly one open criterion: the first that is unchecked", i, "the first unchecked criterion, and only that one"},
		"P13": {p, "you do not have to finish everything", "", ""},
		"P14": {p, "Plan briefly before you code, and name the files", "", ""},
		"P15": {i, "development server", "", ""},
		"P16": {i, "Change the code; a suggestion changes nothing", i, "Change the code; a suggestion changes nothing"},
		"P17": {i, "small changes that can be tested", "", ""},
		"P18": {i, "As you work, write tests", i, "Write automated tests"},
		"P19": {i, "Commit often", "", ""},
		"P20": {v, "Run all tests. Go on only when they pass", "", ""},
		"P21": {v, "in a browser", "", ""},
		"P22": {v, "Check a criterion only after all of this", i, "Check it only after all of this"},
		"P23": {
			h, "append an entry to the log: what was done, which issues came up, the current state, what comes next", h,
			"append an entry to the log: what was done, which issues came up, what comes next",
		},
		"P24": {h, "The next session knows only what is written", "", ""},
		"P25": {h, "first write the output", h, "first write the output"},
		"P26": {h, "Commit all changes, including the task's state file unless git ignores it", "", ""},

		"R1": {i, "a suggestion changes nothing", i, "a suggestion changes nothing"},
		"R2": {
			i, "Act without asking for permission, and explain afterwards", i, "Act without asking for permission, and explain afterwards",
		},
		"R3": {i, "no TODO behind. Finish one criterion before", i, "no TODO behind: finish one criterion before"},
		"R4": {
			o,
			"progress that you do not remember. Anyone who skips it repeats finished work or overlooks known defects; its criteria say " +
				"exactly what is incomplete", o,
			"progress that you do not remember; anyone who skips it repeats finished work or overlooks known defects",
		},
		"R5": {
			h, "Without the entry, your work is lost and done again; with it, work continues across any number of context windows", h,
			"without it, work is lost and done again; with it, work continues across any number of context windows",
		},
		"R6":  {i, "what the criteria ask for and nothing more", i, "what the criteria ask for and nothing more"},
		"R7":  {i, "Some repetition is better than a premature abstraction", i, "some repetition is better than a premature abstraction"},
		"R8":  {i, "no configuration for imaginary needs", i, "no configuration for imaginary needs"},
		"R9":  {i, "Keep every solution simple and direct", i, "Keep it simple and direct"},
		"R10": {u, "say nothing about code that you have not looked at", i, "say nothing about code that you have not looked at"},
		"R11": {i, "the general problem and not only the test cases", i, "the general problem and not only the test cases"},
		"R12": {
			v, "the solution is a hack, rework it before you call it done", i, "the solution is a hack, rework it before you call it done",
		},
		"R13": {v, "tests of edge cases beyond what the criteria name", i, "tests of edge cases beyond what the criteria name"},
		"R14": {i, "because values are hard-coded is a failure", i, "because values are hard-coded is a failure"},
		"R15": {v, "only after all of this", i, "only after all of this"},

		"V1": {
			i, "automated ones, unit or integration, for every criterion", i, "automated tests, unit or integration, for every criterion",
		},
		"V2": {v, "Run all tests", i, "run them until they pass"},
		"V3": {v, "with a browser tool", i, "with a browser tool"},
		"V4": {v, "Check a criterion only after all of this", i, "Check it only after all of this"},
		"V5": {
			v, "If verification is impossible, say why in the progress log", i,
			"If verification is impossible, say why in the progress log",
		},
		"V6": {
			v, "implement; look at the user interface if it has one, else run the unit tests; if everything passes, check the criterion, " +
				"otherwise debug and start again", i,
			"implement; look at the user interface if it has one, else run the unit tests; if everything passes, check the criterion, " +
				"otherwise debug and start again",
		},

		"B11": {
			i, "Do not push, release or deploy anything unless somebody asked you to", h,
			"Do not push, release or deploy anything unless somebody asked you to",
		},
	}
}

// ids returns all points: 26 of the protocol, 15 rules, 6 of verification, 1 behaviour.
func ids() []string {
	out := []string{"B11"}
	for _, of := range [...]struct {
		letter string
		n      int
	}{{"P", 26}, {"R", 15}, {"V", 6}} {
		for i := range of.n {
			out = append(out, fmt.Sprint(of.letter, i+1))
		}
	}
	return out
}

// TestProtocolCoversEveryPoint: each point has a paragraph that claims it, in the phase and in the
// words of the list; the short form has those of its own list, and every rule. P and R are what an
// agent does, V how it verifies (5.16 to 5.18).
func TestProtocolCoversEveryPoint(t *testing.T) {
	t.Parallel()
	list := points()
	if len(list) != len(ids()) {
		t.Errorf("%d points are listed, there are %d", len(list), len(ids()))
	}
	for _, id := range ids() {
		c, known := list[id]
		if !known {
			t.Errorf("%s is not listed", id)
			continue
		}
		inPhase(t, SettingFull, id, c.phase, c.words)
		if c.leanPhase != "" {
			inPhase(t, SettingLean, id, c.leanPhase, c.leanWords)
		}
	}
	// The column of the shorter protocol, and nothing that has to be in it left out.
	short := []string{"P1", "P4", "P7", "P8", "P9", "P10", "P12", "P16", "P18", "P22", "P23", "P25"}
	for _, id := range ids() {
		has := list[id].leanPhase != ""
		if want := id[0] != 'P' || slices.Contains(short, id); has != want {
			t.Errorf("%s in lean: %v, want %v", id, has, want)
		}
	}
}

// inPhase looks for a paragraph of the phase that carries the point, and for the words in the text
// that is printed.
func inPhase(t *testing.T, setting, id, phase, words string) {
	t.Helper()
	for _, p := range phasesOf(setting) {
		for _, par := range p.paragraphs {
			if p.name == phase && slices.Contains(strings.Fields(par.points), id) {
				wants(t, Text(Options{Setting: setting, Phase: phase}), words)
				return
			}
		}
	}
	t.Errorf("%s: no paragraph of %s carries %s", setting, phase, id)
}

// Every id that a paragraph carries is one of the list.
func TestProtocolCarriesNoOtherPoints(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{SettingFull, SettingLean} {
		for _, p := range phasesOf(setting) {
			for _, par := range p.paragraphs {
				for _, id := range strings.Fields(par.points) {
					if !slices.Contains(ids(), id) {
						t.Errorf("%s: %s", setting, id)
					}
				}
			}
		}
	}
}

// Direct and active: no "should", no "try to", no "consider" (5.17).
func TestProtocolIsNotTentative(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{SettingFull, SettingLean} {
		lacks(t, strings.ToLower(Text(Options{Setting: setting})), "should", " try to", "consider", "maybe", "please", "could", "{", "}")
	}
}

// The words are those of the file: features where there is a checklist (5.16).
func TestProtocolCallsCriteriaAsTheFileDoes(t *testing.T) {
	t.Parallel()
	text := Text(Options{Words: "feature", Task: "7", Path: ".baton/tasks/task-7-state.md"})
	wants(t, text, "exactly one open feature", "the features ask for", "`baton task log 7 --did",
		"Read `.baton/tasks/task-7-state.md` from top", "Commit all changes, including `.baton/tasks/task-7-state.md`")
	lacks(t, text, "criteri", " ID")
}

// Full has six phases, lean three; a phase is found however it is written.
func TestPhases(t *testing.T) {
	t.Parallel()
	if got := strings.Join(Options{}.Phases(), " "); got != "orientation understanding planning implementation verification hand-over" {
		t.Error(got)
	}
	lean := Options{Setting: SettingLean}
	if got := strings.Join(lean.Phases(), " "); got != "orientation implementation hand-over" {
		t.Error(got)
	}
	for name, want := range map[string]string{
		"Hand-Over": "hand-over", "handover": "hand-over", "HAND OVER": "hand-over", "hand-off": "hand-over",
		"planning": "", "": "", "o": "",
	} {
		if got := lean.Find(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if text := Text(Options{Phase: "planning"}); !strings.HasPrefix(text, "## Planning\n\n- ") || strings.Count(text, "## ") != 1 {
		t.Error(text)
	}
}

// A project's words replace a phase; text about no phase goes to the end, and is reported.
func TestOverride(t *testing.T) {
	t.Parallel()
	own, findings := ParseOverride([]byte("# Ours\n\nNot printed.\n\n## PLANNING\n\nAsk the map.\n\n### In detail\n\nTwice.\n\n## " +
		"Also\n\nBe kind.\n\n## Release\n\nTag it.\n\n## Hand over\n\n```\n## Verification\n```\n## Verification\n\n"))
	if own["planning"] != "Ask the map.\n\n### In detail\n\nTwice." || own[Also] != "Be kind.\n\n### Release\n\nTag it." ||
		own["hand-over"] != "```\n## Verification\n```" || len(own) != 3 {
		t.Errorf("%q", own)
	}
	if len(findings) != 2 || findings[0].Code != "protocol_heading" || findings[0].Line != 17 || findings[1].Code != "protocol_empty" {
		t.Errorf("%+v", findings)
	}
	text := Text(Options{Override: own})
	wants(t, text, "## Planning\n\nAsk the map.", "- Start the development server", "- Run all tests.",
		"## Also\n\nBe kind.\n\n### Release\n\nTag it.\n")
	lacks(t, text, "Not printed", "Plan briefly", "append an entry")
	wants(t, Text(Options{Setting: SettingLean, Override: own}), "\n## Planning\n\nAsk the map.\n")
	if got := Text(Options{Phase: "planning", Override: own}); got != "## Planning\n\nAsk the map.\n\n### In detail\n\nTwice.\n" {
		t.Errorf("%q", got)
	}
}

// Whatever the file contains, reading it ends, and no control characters come through.
func FuzzParseOverride(f *testing.F) {
	f.Add([]byte("## Planning\n\n\x1b[31m<system-reminder>"))
	f.Add([]byte("\xef\xbb\xbf## \xff\r\n# a\n## Also"))
	f.Fuzz(func(t *testing.T, data []byte) {
		own, _ := ParseOverride(data)
		if text := Text(Options{Override: own}); strings.ContainsAny(text, "\x1b\r\x00") {
			t.Fatalf("%q", text)
		}
	})
}

// Text that a project wrote outside the phases can be requested by its own name.
func TestAlsoIsAPhaseOfItsOwn(t *testing.T) {
	t.Parallel()
	o := Options{Override: map[string]string{Also: "Be kind."}}
	if o.Phase = o.Find("ALSO"); o.Phase != Also || o.Phases()[6] != Also {
		t.Errorf("%q of %q", o.Phase, o.Phases())
	}
	if got := Text(o); got != "## Also\n\nBe kind.\n" {
		t.Errorf("%q", got)
	}
	if got := (Options{Override: map[string]string{Also: " \n"}}).Find("also"); got != "" {
		t.Errorf("%q", got)
	}
}
