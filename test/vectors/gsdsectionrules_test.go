package vectors

import (
	"regexp"
	"strings"
)

// sectionRules are about the lists, tables and labels of sections.
var sectionRules = []rule{
	{
		why:  "N9: a blocker names its phase, the current one unless --phase gives another",
		verb: `add-blocker$`, place: `(Blockers|Concerns) > .*$`, when: prefixed,
	},
	{
		why:  "N9: a missing section stands as H3 under Accumulated Context, or else as H2",
		verb: `add-(blocker|decision)$`, place: ` > $`,
		want: `^(#+ (Blockers|Decisions))?$`, got: `^(#+ (Blockers(/Concerns)?|Decisions))?$`,
	},
	{
		why:  "N9: a resolved blocker moves to STATE-ARCHIVE.md",
		verb: `resolve-blocker$`, place: `STATE-ARCHIVE\.md$`, want: `^$`,
	},
	{
		why:  "GSD-55: `@FILE` reads the file that the user names, wherever it is",
		verb: `state add-`, when: func(s situation) bool {
			return s.same && regexp.MustCompile(`(summary|rationale|text|note)-file`).MatchString(flagsOf(s.calls[0]))
		},
	},
	{
		why:  "D39: a metric without a duration that can be added up, or a second one for a plan, is refused",
		verb: `record-metric$`, when: func(s situation) bool {
			refused := regexp.MustCompile(`is not a duration|already has a row|is not a whole number`)
			return refused.MatchString(s.said) && untouched(s)
		},
	},
	{
		why:  "N9: line breaks of a text are folded to a blank",
		verb: `(add-(blocker|decision)|record-session)$`, when: func(s situation) bool {
			return regexp.MustCompile(`\n|-file`).MatchString(strings.Join(s.argv, " ")) && folded(s)
		},
	},
	{
		why:  "N9: a decision names the current phase unless --phase gives another",
		verb: `add-decision$`, place: ` > -$`, want: `^- \[Phase \?\]: `, got: `^- \[Phase [^\]]+\]: `,
	},
	{
		why:  "N9, 1.12: a section that is missing is created as in GSD's template, `## Session Continuity`",
		verb: `record-session$`, place: ` Session( Continuity)? > `, when: func(s situation) bool {
			return sessionOf(s) == ""
		},
	},
	{
		why:  "GSD-V3, GSD-V4, GSD-V13, GSD-V14: the words of a person in a section stay",
		verb: `state (add-|resolve-|record-)`, place: ` > $`, when: func(s situation) bool {
			return kept(s) && !regexp.MustCompile(`^(\s*([-*+]|\d+\.) |\||#)`).MatchString(s.got) || s.want == "yet." && s.got == ""
		},
	},
	{
		why:  "GSD-10: only the labels of the session's section are the session's",
		verb: `record-session$`, place: ` > (Last [Ss]ession|Last Date|Stopped [Aa]t|Resume [Ff]ile)$`, when: func(s situation) bool {
			return kept(s) && !strings.Contains(s.place, " "+or(sessionOf(s), "?")+" > ")
		},
	},
	{
		why:  "N9: a label of the session that is missing is added in the form of the others",
		verb: `record-session$`, place: ` Session( Continuity)? > (Last session|Stopped at|Resume file)$`, when: sessionLine,
	},
	{
		why:  "N9: where no blocker matches, baton says so and writes nothing",
		verb: `resolve-blocker$`, when: func(s situation) bool {
			text := s.calls[0].flag("--text")
			return strings.Contains(s.said, "no blocker matches") && untouched(s) &&
				!regexp.MustCompile(`(?im)^\s*[-*+] .*`+regexp.QuoteMeta(text)).MatchString(s.file())
		},
	},
	{
		why:  "N9: a blocker is resolved with the lines that belong to it",
		verb: `resolve-blocker$`, want: `^\s+[-*+] `, got: `^$`,
		when: func(s situation) bool { return strings.Contains(s.said, "Resolved") },
	},
	{
		why:  "N8: an entry has the form of those above it: a row of the table, or their mark",
		verb: `add-decision$`, place: `(Decisions|Decisions Made) > `, when: func(s situation) bool {
			return strings.Contains(s.want+s.got, s.calls[0].flag("--summary")) && strings.Contains(s.said, "Recorded the decision") &&
				regexp.MustCompile(`(?m)^(\||\* |\d+\. )`).MatchString(s.file())
		},
	},
	{
		why:   "N8, GSD-D6: a digest of more than 100 lines moves its oldest decisions to the archive",
		place: `(DECISIONS_ARCHIVE\.md$|Decisions.* > )`, when: func(s situation) bool {
			archive := strings.HasSuffix(s.place, "ARCHIVE.md")
			return regexp.MustCompile(`\d decisions? moved to `).MatchString(s.said) && (archive && s.want == "" || !archive && s.got == "")
		},
	},
	{
		why:  "N9: an entry stands below the last one of its list, before a rule or a heading that follows",
		verb: `state add-`, when: func(s situation) bool {
			name, text := strings.Fields(s.place)[0], s.want+s.got
			return (s.want == "" || s.got == "") && strings.Contains(s.after[name], text) && strings.Contains(s.now[name], text)
		},
	},
	{
		why:  "N8: the template's bullets are placeholders",
		verb: `add-decision$`, want: `\[Decision summary\]$`, got: `^$`,
	},
	{
		why:  "N8: the newest entry is at the end of the last section",
		verb: `add-decision$`, place: ` (Decisions|Decisions Made) > -$`, when: func(s situation) bool {
			return strings.Contains(s.said, "Recorded the decision") && len(decisions.FindAllString(s.file(), -1)) > 1
		},
	},
	{
		why:  "N9: a decision is a sentence; one that is longer than the limit is refused",
		verb: `add-decision$`, when: func(s situation) bool { return strings.Contains(s.said, "; the limit is ") && untouched(s) },
	},
}

// decisions are the headings of sections with decisions.
var decisions = regexp.MustCompile(`(?m)^#{2,3}\s+(Decisions|Decisions Made)\s*$`)

// flagsOf returns the names of the flags of a call.
func flagsOf(c call) string {
	var names []string
	for name := range c.flags {
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// folded reports whether baton wrote on one line what the original wrote on several.
func folded(s situation) bool {
	line := strings.TrimPrefix(s.want, "- ")
	return s.got != "" && strings.HasPrefix(s.got, s.want) || strings.Contains(s.said, line)
}

// prefixed reports whether both sides have the same blocker, ours with its phase.
func prefixed(s situation) bool {
	if s.got == "" { // the other half of a line whose label differs
		return strings.HasPrefix(s.want, "- ") && strings.Contains(s.said, strings.TrimPrefix(s.want, "- "))
	}
	return regexp.MustCompile(`^- \[Phase [^\]]+\]: `).MatchString(s.got) || s.got == "- "+s.calls[0].flag("--text")
}

// sessionOf returns the heading of the session's section before the call, "" without one.
func sessionOf(s situation) string {
	for _, name := range []string{"Session", "Session Continuity"} {
		if regexp.MustCompile(`(?m)^##\s+` + name + `\s*$`).MatchString(s.file()) {
			return name
		}
	}
	return ""
}

// sessionLine reports whether baton wrote the value that the call or the clock gives, perhaps in another
// form or line than the original.
func sessionLine(s situation) bool {
	bare := func(text string) string { return strings.ReplaceAll(text, "**", "") }
	label, value, _ := strings.Cut(bare(or(s.got, s.want)), ": ")
	switch {
	case s.want != "" && s.got != "":
		return bare(s.want) == bare(s.got)
	case !strings.Contains(s.said, label):
		return false
	case label == "Resume file":
		return value == or(s.calls[0].flag("--resume-file"), "None")
	case label == "Stopped at":
		return value == s.calls[0].flag("--stopped-at")
	}
	return regexp.MustCompile(`^\d{4}-\d\d-\d\dT`).MatchString(value)
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
