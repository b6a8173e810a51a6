package vectors

import (
	"regexp"
	"strings"
)

// transitions are the verbs that start or finish a stage.
const transitions = `^state (begin-phase|planned-phase|complete-phase|milestone-switch|advance-plan)$`

// gsdRules explains where baton's commands leave another file than gsd-tools.
var gsdRules = []rule{
	{
		why:  "D46, GSD-D8: transitions add the lifecycle fields, which no version of GSD writes",
		verb: transitions, place: ` head (active_phase|next_action|next_phases)$`, want: `^$`,
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
		why:  "N6: START while another phase is active is refused, as is COMPLETE of a phase that is not complete (F-46)",
		verb: transitions, when: func(s situation) bool {
			return strings.Contains(s.said, "cannot be completed") || regexp.MustCompile(`phase \S+ is active`).MatchString(s.said)
		},
	},
	{
		why:  "N6, F-46: a phase that a later one has superseded, or that is complete already, is left alone",
		verb: `complete-phase$`, place: ` (> Last [Aa]ctivity|head last_updated)$`, when: func(s situation) bool {
			return kept(s) && regexp.MustCompile(`othing to do|superseded|is not active|no phase`).MatchString(s.said)
		},
	},
	{
		why:  "N6, D46: FINISH of a phase makes it the current one, because the next step is about it",
		verb: `planned-phase$`, place: ` (head current_phase(_name)?|> (Current Phase|Current Phase Name|Phase))$`,
	},
	{
		why:  "N6: START makes the phase the current one, with the name that the roadmap or its folder has",
		verb: `begin-phase$`, place: ` (head current_phase(_name)?|> Current Phase Name)$`,
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
		why:  "N6: MILESTONE derives the progress from the folders, or sets it to zero",
		verb: `milestone-switch$`, place: ` (> Progress|head progress\..*)$`,
	},
	{
		why:  "N6: a phase that has not been started has `Plan: Not started`",
		verb: `milestone-switch$`, place: ` > (Plan|Current Plan)$`, got: `Not started`,
	},
	{
		why:  "F-56: the labels of the position are written wherever they stand; a second position is not added",
		verb: `milestone-switch$`, place: ` > (Phase|Plan|Status|Last [Aa]ctivity|)$`, when: func(s situation) bool {
			return !strings.Contains(s.file(), "## Current Position")
		},
	},
	{
		why:  "N6: the line is `Phase: N of Y (name)`; that the phase runs is said by Status",
		verb: `begin-phase$`, place: ` > Phase$`, want: ` — EXECUTING$`, when: samePhase,
	},
	{
		why:  "N6: the line is `Plan: A of B in current phase`",
		verb: transitions, place: ` > Plan$`, when: func(s situation) bool {
			return s.got == s.want+" in current phase" || strings.HasSuffix(s.want, " of ?")
		},
	},
	{
		why:  "N6: FINISH plan writes the number of plans into the position",
		verb: `planned-phase$`, place: ` > Plan$`, got: `^Plan: \d+ of \d+ in current phase$`,
	},
	{
		why:   "GSD-D9, N5.5: what a person wrote in Status and Last activity stays, and baton says so",
		place: ` > (Status|Last activity|Last Activity)$`, when: func(s situation) bool {
			return kept(s) && strings.Contains(s.said, "a person wrote")
		},
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
		why:  "N6: COMPLETE moves the position to the next phase, or says that all are complete",
		verb: `complete-phase$`, place: ` (head (status|current_phase|current_phase_name|current_plan)|> (Phase|Plan|Status))$`,
		when: completed,
	},
	{
		why:  "D15 (#4314): the number of plans of one phase is not that of the milestone",
		verb: `planned-phase$`, place: ` head progress\.total_plans$`, when: kept,
	},
	{
		why:   "N3: `v1.0` and `milestone` stand for a milestone that nobody named; they are not written",
		place: ` head milestone(_name)?$`, want: `^(v1\.0|milestone)$`, got: `^$`,
	},
	{
		why:  "N11: body and front matter have the same percentage, the smaller of plans and phases",
		verb: `update-progress$`, place: ` (> Progress|head progress\..*)$`,
	},
	{
		why:  "N9: no command derives the progress alone; sync also derives the phase and its counters",
		verb: `update-progress$`, place: ` (> (Total Plans in Phase|Current Plan|Plan)|head current_.*)$`,
	},
	{
		why:  "N6, N11: FINISH plan and COMPLETE derive the progress from the folders",
		verb: `(planned|complete)-phase$`, place: ` (> Progress|head progress\..*)$`,
	},
	{
		why:  "N5.6: where the last plan is the current one already, there is nothing to write, not even a date",
		verb: `advance-plan$`, place: ` (> Last [Aa]ctivity|head last_updated)$`, when: func(s situation) bool {
			return kept(s) && strings.Contains(s.said, "othing to do")
		},
	},
	{
		why:  "GSD-D11: a digest that is missing is not found; `baton init` creates one",
		verb: `^state `, place: `STATE\.md$`, got: `^$`, when: func(s situation) bool {
			_, there := s.before[s.place]
			return !there
		},
	},
	{
		why:  "N9: a blocker names its phase, the current one unless --phase gives another",
		verb: `add-blocker$`, place: `(Blockers|Concerns) > .*$`, when: prefixed,
	},
	{
		why:  "N9: a missing section stands as H3 under Accumulated Context, or else as H2",
		verb: `add-(blocker|decision)$`, place: ` > $`, want: `^(#+ (Blockers|Decisions))?$`, got: `^(#+ (Blockers|Decisions))?$`,
	},
	{
		why:  "N9: a resolved blocker moves to STATE-ARCHIVE.md",
		verb: `resolve-blocker$`, place: `STATE-ARCHIVE\.md$`, want: `^$`,
	},
	{
		why:  "N9: a patch is all or nothing",
		verb: `state patch$`, when: func(s situation) bool { return kept(s) && strings.Contains(s.said, "baton: ") },
	},
	{
		why:  "GSD-55: `@FILE` reads the file that the user names, wherever it is",
		verb: `state add-`, when: func(s situation) bool {
			return s.same && regexp.MustCompile(`(summary|rationale|text|note)-file`).MatchString(flagsOf(s.calls[0]))
		},
	},
	{
		why:  "N9: sync changes what is derived; the last activity is not",
		verb: `state sync$`, place: ` (> Last Activity|head last_activity)$`,
	},
	{
		why:  "N9, N11: sync counts the plans of the current phase; without one, the number stays",
		verb: `state (sync|update-progress)$`, place: ` > Total Plans in Phase$`, when: kept,
	},
	{
		why:  "F-61 f: the first command that writes adds the front matter, also where no line of the body changes",
		verb: `state (sync|update-progress)$`, place: ` head `, want: `^$`, when: headless,
	},
	{
		why:  "D46: sync moves or clears lifecycle fields that are stale",
		verb: `state (sync|update-progress)$`, place: ` head (active_phase|next_action|next_phases|last_updated)$`,
	},
	{
		why:   "GSD-D2, N5.6: only touched lines change; what the reference derives at every write is the job of sync",
		verb:  `state (add-|resolve-|record-|update$|patch$|advance-plan$|begin-phase$)`,
		place: ` head (gsd_state_version|milestone(_name)?|current_(phase|phase_name|plan)|last_activity(_desc)?|progress\..*)$`,
		when:  func(s situation) bool { return kept(s) && !sourced(s) },
	},
	{
		why:   "N3: stopped_at is that of the body's session; the key is updated where there is one",
		place: ` head stopped_at$`, got: `^$`, when: kept,
	},
	{
		why:  "D39: a metric without a duration that can be added up, or a second one for a plan, is refused",
		verb: `record-metric$`, when: func(s situation) bool {
			return strings.Contains(s.said, "is not a duration") || strings.Contains(s.said, "already has a row")
		},
	},
	{
		why:  "GSD-V5: a phase must be named",
		verb: `(begin|planned)-phase$`, when: func(s situation) bool {
			return strings.TrimSpace(s.calls[0].flag("--phase")) == "" && kept(s)
		},
	},
	{
		why:  "N9: line breaks of a text are folded to a blank",
		verb: `add-(blocker|decision)$`, place: `(Blockers|Concerns|Decisions|Decisions Made) > `, when: func(s situation) bool {
			return strings.Contains(strings.Join(s.argv, " "), "\n")
		},
	},
	{
		why:  "N9: a decision names the current phase unless --phase gives another",
		verb: `add-decision$`, place: ` > -$`, want: `^- \[Phase \?\]: `, got: `^- \[Phase [^\]]+\]: `,
	},
	{
		why:  "D28: looking upward for the project ends at the folder with .git; no command goes on in another worktree",
		verb: `^state `, when: func(s situation) bool { return strings.Contains(s.said, "no digest (STATE.md) was found") },
	},
	{
		why:  "N9, 1.12: a section that is missing is created as in GSD's template, `## Session Continuity`",
		verb: `record-session$`, place: ` Session( Continuity)? > `, when: func(s situation) bool {
			return !strings.Contains(s.file(), "## Session")
		},
	},
}

// written are the shapes of a status that transitions write (N5.5).
const written = `(Discussing|Planning|Executing|Verifying) Phase \S+|All phases complete|\S+ milestone complete|` +
	`Awaiting next milestone`

// sources are the fields of the body from which keys of the front matter are derived.
var sources = map[string]string{
	"current_phase": "Current Phase|Phase", "current_phase_name": "Current Phase Name|Phase", "current_plan": "Current Plan",
	"last_activity": "Last Activity", "last_activity_desc": "Last Activity|Last Activity Description",
	"progress.percent": "Progress",
}

// sourced reports whether the call changed the field from which a key is derived.
func sourced(s situation) bool {
	_, key, _ := strings.Cut(s.place, " head ")
	pattern, ok := sources[key]
	for _, word := range s.calls[0].words {
		if ok && regexp.MustCompile(`(?i)^(--)?(`+pattern+`)$`).MatchString(word) {
			return true
		}
	}
	return false
}

// flagsOf returns the names of the flags of a call.
func flagsOf(c call) string {
	var names []string
	for name := range c.flags {
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// phaseLine is the number and the name in a line of the position.
var phaseLine = regexp.MustCompile(`Phase:(?:\*\*)? (\S+)(?: of \d+)?(?: \((.*)\))?(?: — EXECUTING)?$`)

// samePhase reports whether both sides name the same phase.
func samePhase(s situation) bool {
	a, b := phaseLine.FindStringSubmatch(s.want), phaseLine.FindStringSubmatch(s.got)
	if a != nil && a[2] != "" && strings.HasSuffix(s.got, " — "+a[2]) {
		return true // a name with parentheses stands behind a dash (F-61 a)
	}
	return a != nil && b != nil && a[1] == b[1] && (a[2] == b[2] || a[2] == "")
}

// completed reports whether baton wrote what COMPLETE writes: the next phase, or the end.
func completed(s situation) bool {
	return strings.Contains(s.said, "Completed phase") || strings.Contains(s.said, "othing to do")
}

// prefixed reports whether both sides have the same blocker, ours with its phase.
func prefixed(s situation) bool {
	if s.got == "" { // the other half of a line whose label differs
		return strings.HasPrefix(s.want, "- ") && strings.Contains(s.said, strings.TrimPrefix(s.want, "- "))
	}
	return regexp.MustCompile(`^- \[Phase [^\]]+\]: `).MatchString(s.got)
}

// lineRules explains where the status line is another one than GSD's.
var lineRules = []rule{
	{
		why:   "D23: somebody who runs it by hand gets a line",
		place: `^the line without input$`, want: `^$`,
	},
}
