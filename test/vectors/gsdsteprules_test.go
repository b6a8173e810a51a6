package vectors

import (
	"regexp"
	"strconv"
	"strings"
)

// transitions are the verbs that start or finish a stage.
const transitions = `^state (begin-phase|planned-phase|complete-phase|milestone-switch|advance-plan)$`

// stepRules are about the steps in the life of a phase.
var stepRules = []rule{
	{
		why:  "D46, GSD-D8: transitions write the lifecycle fields, which no version of GSD does",
		verb: transitions, place: ` head (active_phase|next_action|next_phases)$`, when: func(s situation) bool {
			active := strings.HasSuffix(s.place, "active_phase") && s.got != "" && s.got != "null"
			return !active || strings.TrimLeft(s.got, "0") == phaseOf(s)
		},
	},
	{
		why:  "N6: START execute sets the counter of plans; the front matter has it as current_plan",
		verb: `begin-phase$`, place: ` head current_plan$`, want: `^$`, got: `^\d+$`,
	},
	{
		why:  "N6: every transition writes the day into the front matter, START and COMPLETE also the phase",
		verb: transitions, place: ` head (last_activity|current_phase|current_phase_name)$`, got: `.`, when: func(s situation) bool {
			return s.want == "" || strings.HasSuffix(s.place, "last_activity")
		},
	},
	{
		why:  "N6, F-46: START beside an active phase is refused, as are COMPLETE of an unknown or open one, and a wrong number",
		verb: transitions, when: func(s situation) bool {
			refused := regexp.MustCompile(`cannot be completed|phase \S+ is (active|not in the roadmap|not ready for verification)|` +
				`--plans: .* is not a whole number|--plans cannot be negative`)
			return refused.MatchString(s.said) && untouched(s)
		},
	},
	{
		why:  "N6, F-46: a phase that a later one has superseded, or that is complete already, is left alone",
		verb: `complete-phase$`, when: func(s situation) bool {
			return kept(s) && regexp.MustCompile(`othing to do|superseded|is not active|no phase`).MatchString(s.said)
		},
	},
	{
		why:  "N6, D46: FINISH of a phase makes it the current one, because the next step is about it",
		verb: `planned-phase$`, place: ` (head current_phase(_name)?|> (Current Phase|Current Phase Name|Phase))$`, when: current,
	},
	{
		why:  "N6: START makes the phase the current one, with the name that the roadmap or its folder has",
		verb: `begin-phase$`, place: ` (head current_phase(_name)?|> Current Phase Name)$`, when: current,
	},
	{
		why:  "N5.5: texts of baton's own transitions are not a person's, so the next transition replaces them",
		verb: transitions, place: ` (> Status|head status)$`, when: func(s situation) bool {
			return regexp.MustCompile(`(?m)^(\*\*)?Status:(\*\*)? (` + written + `)$`).MatchString(s.file())
		},
	},
	{
		why:  "N6, F-46: COMPLETE takes the active phase unless one is named; only a later current phase has superseded it",
		verb: `complete-phase$`, when: func(s situation) bool { return s.same && completed(s) },
	},
	{
		why:   "N11: the counter is the first plan of the folder without a summary, and the number of its plans",
		verb:  `begin-phase$`,
		place: ` (> (Plan|Current Plan|Total Plans in Phase)|head current_plan)$`,
		got:   `^(\*\*[A-Za-z ]+:\*\* |[A-Za-z ]+: |\| [A-Za-z ]+ \| )?\d+( of (\d+|\?) in current phase)?( \|)?$`,
	},
	{
		why:  "N6: MILESTONE derives the progress from the roadmap and the folders, or sets it to zero",
		verb: `milestone-switch$`, place: ` (> Progress|head progress\..*)$`, when: func(s situation) bool {
			zero := s.got == "" || regexp.MustCompile(`(^|\D)0%?( \|)?$`).MatchString(s.got)
			return zero || folders(s) || s.roadmap() != "" && strings.HasSuffix(s.place, ".total_phases")
		},
	},
	{
		why:  "N6: a phase that has not been started has `Plan: Not started`",
		verb: `milestone-switch$`, place: ` > (Plan|Current Plan)$`, got: `Not started`,
	},
	{
		why:  "F-56: the labels of the position are written wherever they stand; a second position is not added",
		verb: `milestone-switch$`, place: ` > (Current )?(Phase|Phase Name|Plan|Status|Last [Aa]ctivity|)$`, when: func(s situation) bool {
			return !position.MatchString(s.file())
		},
	},
	{
		why:  "N6: the line is `Phase: N of Y (name)`; that the phase runs is said by Status",
		verb: `begin-phase$`, place: ` > Phase$`, want: ` — EXECUTING( \|)?$`, when: samePhase,
	},
	{
		why:  "N6: the line is `Plan: A of B in current phase`",
		verb: transitions, place: ` > Plan$`, when: func(s situation) bool {
			return s.got == s.want+" in current phase" || strings.HasSuffix(s.want, " of ?")
		},
	},
	{
		why:  "N6: FINISH plan writes the number of plans into the position",
		verb: `planned-phase$`, place: ` > Plan$`, got: `^(\*\*Plan:\*\* |Plan: |\| Plan \| )\d+ of \d+ in current phase( \|)?$`,
	},
	{
		why:  "N5.5: the activity is worded `Phase N (stage) started|finished|resumed` or `complete, transitioned to Phase N`",
		verb: transitions, place: ` (> Last [Aa]ctivity|> Last Activity Description|head last_activity_desc)$`,
		got: `(Phase \S+ (discussion|planning|execution|verification) (started|finished|resumed.*)|` +
			`Phase \S+ (marked complete|complete, transitioned to Phase \S+)|Milestone \S+ started)( \|)?$`,
	},
	{
		why:  "N6: transitions write last_updated and last_activity; a description is updated where there is one",
		verb: transitions, place: ` head last_activity_desc$`, got: `^$`, when: kept,
	},
	{
		why:   "N6: COMPLETE moves the position to the next phase, or says that all are complete",
		verb:  `complete-phase$`,
		place: ` (head (status|current_phase|current_phase_name|current_plan)|> (Current )?(Phase|Phase Name|Plan|Status))$`,
		when:  completed,
	},
	{
		why:  "N3: the current plan is updated where the front matter has it",
		verb: transitions, place: ` head current_plan$`, got: `^$`, when: kept,
	},
	{
		why:  "N6: FINISH plan with no plans leaves no counter",
		verb: `planned-phase$`, place: ` > Plan$`, got: `Not started$`, when: func(s situation) bool {
			return s.calls[0].flag("--plans") == "0"
		},
	},
	{
		why:  "N11: COMPLETE writes the counters of the next phase, from its folder",
		verb: `complete-phase$`, place: ` > Total Plans in Phase$`, when: counted,
	},
	{
		why:  "D15 (#4314): the number of plans of one phase is not that of the milestone",
		verb: `planned-phase$`, place: ` head progress\.total_plans$`, when: kept,
	},
	{
		why:  "N6, N11: FINISH plan and COMPLETE derive the progress from the folders, and keep higher counts (GSD-D16)",
		verb: `(planned|complete)-phase$`, place: ` (> Progress|head progress\..*)$`, when: func(s situation) bool {
			want, _ := strconv.Atoi(s.want)
			got, _ := strconv.Atoi(s.got)
			return kept(s) || s.same || s.got == "" || strings.Contains(s.said, "are stored and") ||
				strings.Contains(s.place, "completed_") && got > want || strings.HasSuffix(s.place, "percent") && s.want == "" ||
				!folders(s) && (s.got == "0" || s.want == "") || // the roadmap has phases, and no plan is written
				strings.HasSuffix(s.place, " > Progress") && (s.want == "" || strings.Contains(s.file(), s.want)) // stale there
		},
	},
	{
		why:  "N5.6: where the last plan is the current one already, there is nothing to write, not even a date",
		verb: `advance-plan$`, when: func(s situation) bool {
			return kept(s) && (strings.Contains(s.said, "othing to do") || strings.Contains(s.said, "does not say which plan"))
		},
	},
	{
		why:  "GSD-V5: a phase must be named",
		verb: `(begin|planned)-phase$`, when: func(s situation) bool {
			return strings.TrimSpace(s.calls[0].flag("--phase")) == "" && untouched(s)
		},
	},
	{
		why:  "N6: a section that is missing is created in the template's place",
		verb: transitions, place: ` (Current Position > .*|head (gsd_state_version|status|last_updated))$`,
		when: func(s situation) bool {
			_, key, head := strings.Cut(s.place, " head ")
			return strings.TrimSpace(s.got) != "" && (head && s.same && (s.want == "" || key == "last_updated") ||
				!head && s.want == "" && !position.MatchString(s.file()))
		},
	},
	{
		why:  "N6: a name that is given is written, also when the phase goes on; zeros before the number stay",
		verb: `begin-phase$`, place: ` > Phase$`, when: samePhase,
	},
	{
		why:  "F-56: the labels of the position are written wherever they stand",
		verb: `begin-phase$`, place: ` > Phase$`, when: func(s situation) bool {
			m := phaseLine.FindStringSubmatch(s.got)
			return !position.MatchString(s.file()) && m != nil && m[1] == s.calls[0].flag("--phase")
		},
	},
	{
		why:  "N6: N is the id of a phase, without the word before it; zeros before a number do not make another one",
		verb: `begin-phase$`, place: ` > (Phase|Current [Pp]hase|Status|Current focus)$`, when: func(s situation) bool {
			name := strings.TrimPrefix(s.calls[0].flag("--phase"), "Phase ")
			right := regexp.MustCompile(`Phase:?(\*\*)? ` + regexp.QuoteMeta(name) + `\b`).MatchString(s.got)
			bare := func(text string) string {
				return regexp.MustCompile(`(Phase:?(\*\*)? )0+([1-9])`).ReplaceAllString(text, "$1$3")
			}
			return right && name != s.calls[0].flag("--phase") || s.want != "" && bare(s.want) == bare(s.got)
		},
	},
	{
		why:  "N2: a quoted line is not a field of Current Position",
		verb: transitions, place: ` Current Position > $`, got: `^> `, when: kept,
	},
	{
		why:  "GSD-D9, F-58: a current focus that a person wrote, or that is on the phase already, stays",
		verb: transitions, place: ` > Current focus$`, when: func(s situation) bool {
			on := regexp.MustCompile(`Phase 0*` + regexp.QuoteMeta(s.calls[0].flag("--phase")) + `\b`)
			return kept(s) && (strings.Contains(s.said, "left alone: Current focus") || on.MatchString(s.got))
		},
	},
	{
		why:  "F-51: `Roadmap created` and `Completed quick task` are texts of GSD, so the next step replaces them",
		verb: transitions, place: ` > Last [Aa]ctivity$`, want: `(?i)(roadmap created|- completed quick task .*)$`,
	},
	{
		why:  "N6: START execute and FINISH plan write the status into the front matter, also where the body has no line for it",
		verb: `(begin|planned)-phase$`, place: ` head status$`, got: `^executing$`,
	},
	{
		why:  "N6: a label of the position that is missing is added",
		verb: `begin-phase$`, place: ` (Current Position|Current Status) > (Phase|Status)$`, want: `^$`,
		got: `Phase(:\*\*|:)? \S+|Executing Phase`,
	},
	{
		why:  "F-58: transitions set the current focus, with the name that the roadmap has",
		verb: transitions, place: ` > Current [Ff]ocus$`, got: `^\*\*Current [Ff]ocus:\*\* Phase \S+( — .+)?$`,
		when: func(s situation) bool {
			return !strings.HasPrefix(s.calls[0].verb, "state begin") || strings.HasPrefix(s.got, s.want+" — ")
		},
	},
	{
		why:  "N5.5: where a person's status stays in the body, the front matter is written all the same",
		verb: transitions, place: ` head status$`, got: `^(discussing|planning|executing|verifying|completed)$`,
		when: func(s situation) bool { return regexp.MustCompile(`left alone: .*Status is "`).MatchString(s.said) },
	},
	{
		why:  "N5.3: a label that is missing is added after the last one, where the template has it elsewhere",
		verb: transitions, place: ` > `, when: func(s situation) bool {
			name, text := strings.Fields(s.place)[0], s.want+s.got
			return (s.want == "" || s.got == "") && strings.Contains(s.after[name], text) && strings.Contains(s.now[name], text)
		},
	},
	{
		why:  "N5.3: a label that is missing is added after the last one",
		verb: `milestone-switch$`, place: ` Current Position > Plan$`, want: `^Plan: —$`, got: `^$`,
		when: func(s situation) bool { return !strings.Contains(s.file(), "\nPlan: ") },
	},
	{
		why:  "N5.4: the fields of a table are written in their cells",
		verb: `milestone-switch$`, place: ` Current Position > `, got: `^\|`, when: func(s situation) bool {
			_, value, _ := strings.Cut(s.want, ": ")
			return kept(s) || value != "" && strings.HasSuffix(s.got, "| "+value+" |")
		},
	},
}

// written are the shapes of a status that transitions write (N5.5).
const written = `(Discussing|Planning|Executing|Verifying) Phase \S+|All phases complete|\S+ milestone complete|` +
	`Awaiting next milestone`

// position is the heading of the section that GSD knows.
var position = regexp.MustCompile(`(?m)^##\s+Current Position\s*$`)

// phaseLine is the number and the name in a line of the position.
var phaseLine = regexp.MustCompile(`Phase(?::(?:\*\*)?| \|) (\S+)(?: of \d+)?(?: \((.*)\))?(?: — EXECUTING)?(?: \|)?$`)

// phaseOf returns the id of the phase that a call names, without zeros before it.
func phaseOf(s situation) string {
	return strings.TrimLeft(strings.TrimPrefix(s.calls[0].flag("--phase"), "Phase "), "0")
}

// current reports whether baton names the phase of the call, or a name that the call, the roadmap or a
// folder has.
func current(s situation) bool {
	if !strings.HasSuffix(strings.ToLower(s.place), "name") {
		return s.got == "" || regexp.MustCompile(`\b0*`+regexp.QuoteMeta(phaseOf(s))+`\b`).MatchString(s.got)
	}
	value := regexp.MustCompile(`^.*(: |:\*\* |\| )`).ReplaceAllString(strings.TrimSuffix(s.got, " |"), "") // without the label
	known := s.calls[0].flag("--name") + "\n" + s.roadmap()
	for name := range s.before {
		known += "\n" + strings.ReplaceAll(name, "-", " ")
	}
	return strings.Contains(strings.ToLower(known), strings.ToLower(value))
}

// samePhase reports whether both sides name the same phase, baton with the name that the call or the
// original has.
func samePhase(s situation) bool {
	a, b := phaseLine.FindStringSubmatch(s.want), phaseLine.FindStringSubmatch(s.got)
	if a != nil && a[2] != "" && strings.HasSuffix(s.got, " — "+a[2]) {
		return true // a name with parentheses stands behind a dash (F-61 a)
	}
	return a != nil && b != nil && strings.TrimLeft(a[1], "0") == strings.TrimLeft(b[1], "0") &&
		(a[2] == b[2] || a[2] == "" || b[2] != "" && b[2] == s.calls[0].flag("--name"))
}

// completed reports whether baton wrote what COMPLETE writes: the next phase, or the end.
func completed(s situation) bool {
	return strings.Contains(s.said, "Completed phase") || strings.Contains(s.said, "othing to do")
}
