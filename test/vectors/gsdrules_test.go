package vectors

import (
	"regexp"
	"slices"
	"strings"
)

// lineRules explains where the status line is another one than GSD's.
var lineRules = []rule{
	{
		why:   "D23: somebody who runs it by hand gets a line",
		place: `^the line without input$`, want: `^$`,
	},
	{
		why:   "GSD-D14, GSD-V10: a milestone is complete if its counts are equal as numbers, and not zero",
		place: `^the line$`, when: func(s situation) bool {
			m := regexp.MustCompile(`total_phases: "?0*(\d+)"?\n  completed_phases: "?0*(\d+)`).FindStringSubmatch(digest(s))
			return m != nil && m[1] == m[2] && regexp.MustCompile(`complete\x1b`).MatchString(s.got) == (m[1] != "0")
		},
	},
	{
		why:   "N2, GSD-61: a value that GSD's own reader of the line does not understand is read as YAML",
		place: `^the line$`, when: func(s situation) bool { return lifted.MatchString(digest(s)) },
	},
	{
		why:   "D46: lifecycle fields that the rest of the digest contradicts are not believed",
		place: `^the line$`, want: lifecycle.String(), when: func(s situation) bool {
			return lifecycle.FindString(s.got) != lifecycle.FindString(s.want) && contradicted(digest(s))
		},
	},
	{
		why:   "F-53: a status that is `unknown` is that of the body",
		place: `^the line$`, want: `unknown`, when: func(s situation) bool {
			return viewOf(digest(s)).head["status"] == "unknown" && !strings.Contains(s.got, "unknown")
		},
	},
	{
		why:   "D28: looking upward ends at the folder with .git or below the home folder, not after ten",
		place: `^the line$`, when: func(s situation) bool {
			home := s.env["HOME"] != nil && *s.env["HOME"] == "{ROOT}"
			above := s.before["harbour/.planning/STATE.md"] == "" && s.before[".planning/STATE.md"] != ""
			return above && (home || strings.Contains(strings.Join(s.setup, ";"), "git init")) && shortened(s.want, s.got) ||
				deep(s) && shortened(s.got, s.want)
		},
	},
	{
		why:   "D23: where COLUMNS says that the line is too narrow for all, whole segments go, the state never",
		place: `^the line$`, when: func(s situation) bool { return s.env["COLUMNS"] != nil && shortened(s.want, s.got) },
	},
	{
		why:   "D23: NO_COLOR is heeded",
		place: `^the line$`, when: func(s situation) bool {
			return s.env["NO_COLOR"] != nil && s.got == colours.ReplaceAllString(s.want, "")
		},
	},
	{
		why:   "F-61 c: a percentage that is no number draws no meter",
		place: `^the line$`, want: `NaN`, when: func(s situation) bool {
			return s.got != "" && strings.HasPrefix(s.want, s.got)
		},
	},
}

// lifecycle is what lifecycle fields say in a line.
var lifecycle = regexp.MustCompile(` (Phase [^\x1b]+|next \S+ \S+|P\S+)`)

// colours are the marks that colour a text.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// lifted are the forms of front matter that the line of GSD does not read (N2): a byte order mark, a
// comment or a blank line in progress, a quoted number, progress on one line, a plain next_phases, a
// comment after a value, and an indented block.
var lifted = regexp.MustCompile(`(?m)\A\x{feff}|^progress:\n\s*(#|\n)|^  (percent|\w+_phases): ["']|^progress: *\{|` +
	`^next_phases: *[^\[\s]|^\w+: [^"'#\n]+ #|\A---\n +\w+:`)

// digest returns the digest that a line is about, if the case has one.
func digest(s situation) string {
	stream := s.before["harbour/.planning/active-workstream"]
	if name := s.env["GSD_WORKSTREAM"]; name != nil {
		stream = *name
	}
	within := "harbour/.planning/workstreams/" + strings.TrimSpace(stream) + "/STATE.md"
	for _, name := range []string{"harbour/.planning/STATE.md", ".planning/STATE.md", within} {
		if text := s.before[name]; text != "" {
			return strings.ReplaceAll(text, "\r\n", "\n")
		}
	}
	return ""
}

// contradicted reports whether the digest moved on from its lifecycle fields (D46).
func contradicted(text string) bool {
	head := viewOf(text).head
	if a, c := head["active_phase"], head["current_phase"]; a != "" && a != "null" {
		return c != "" && a != c
	}
	m := regexp.MustCompile(`(?m)^(?:\*\*)?Status:(?:\*\*)? (Discuss|Plann|Execut|Verify)ing Phase `).FindStringSubmatch(text)
	return m != nil && strings.HasPrefix(head["status"], strings.ToLower(m[1]))
}

// deep reports whether a case has a folder that is more than ten folders down.
func deep(s situation) bool {
	for name := range s.before {
		if strings.Count(name, "/") > 10 {
			return true
		}
	}
	return false
}

// shortened reports whether a line is another one without some of its words.
func shortened(want, got string) bool {
	rest := strings.Fields(colours.ReplaceAllString(want, ""))
	for _, word := range strings.Fields(colours.ReplaceAllString(got, "")) {
		at := slices.Index(rest, word)
		if at < 0 {
			return false
		}
		rest = rest[at+1:]
	}
	return got != ""
}
