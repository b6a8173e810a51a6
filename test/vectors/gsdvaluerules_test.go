package vectors

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// valueRules are about the front matter and the fields of the body.
var valueRules = []rule{
	{
		why:   "GSD-D9, N5.5: what a person wrote in Status and Last activity stays, and baton says so",
		place: ` > (Status|Last activity|Last Activity)$`, when: func(s situation) bool {
			return kept(s) && strings.Contains(s.said, "neither GSD nor baton wrote")
		},
	},
	{
		why:   "N3: `v1.0` and `milestone` stand for a milestone that nobody named; that of the roadmap is read there, not written",
		place: ` head milestone(_name)?$`, got: `^$`, when: func(s situation) bool {
			return regexp.MustCompile(`^(v1\.0|milestone)$`).MatchString(s.want) || headless(s)
		},
	},
	{
		why:  "N11, F-47: body and front matter have one percentage, the smaller of plans and phases of the milestone",
		verb: `(update-progress|sync|planned-phase|complete-phase)$`, place: ` (> Progress|head progress\.percent)$`, when: reckoned,
	},
	{
		why:  "N11: without folders no percentage is known, and the one that is there stays",
		verb: `update-progress$`, place: ` (> Progress|head progress\..*)$`, when: func(s situation) bool { return kept(s) && !folders(s) },
	},
	{
		why:  "N11, GSD-D15: headings inside fences are no phases, and `REPLAN-INPUTS.md` is no plan",
		verb: `(update-progress|sync|planned-phase|complete-phase)$`, place: ` (> Progress|head progress\..*)$`,
		when: func(s situation) bool {
			for name := range s.before {
				if strings.HasSuffix(name, "/REPLAN-INPUTS.md") {
					return true
				}
			}
			return strings.Contains(s.roadmap(), "\n```\n")
		},
	},
	{
		why:  "GSD-D16: counts that are stored and higher stay, and the percentage is that of the counts",
		verb: `(update-progress|sync)$`, place: ` > Progress$`,
		when: func(s situation) bool { return strings.Contains(s.said, "are stored and") },
	},
	{
		why:  "N11: before there are folders, the roadmap says how many phases there are, and no plan is written",
		verb: `(update-progress|sync|-phase)$`, place: ` head progress\.(total|completed)_`, when: func(s situation) bool {
			return !folders(s) && s.roadmap() != "" && (s.got == "0" || strings.HasSuffix(s.place, "total_phases"))
		},
	},
	{
		why:  "F-47: a roadmap without headings of versions is that of the milestone, so its phases count",
		verb: `(update-progress|sync|-phase|milestone-switch)$`, place: ` head progress\.total_phases$`, when: func(s situation) bool {
			versions := regexp.MustCompile(`(?m)^#{2,3} .*\bv\d`).MatchString(s.roadmap())
			headings := regexp.MustCompile(`(?m)^#{2,4}\s*Phase \S*\d[^:]*:`).FindAllString(s.roadmap(), -1)
			return !versions && s.got == strconv.Itoa(len(headings))
		},
	},
	{
		why:  "N11 and the seed: a phase is complete if it has a plan, so one that has only superseded plans is not",
		verb: `(update-progress|sync|-phase|milestone-switch)$`, place: ` (> Progress|head progress\.(completed_phases|percent))$`,
		when: func(s situation) bool {
			for name, text := range s.before {
				if strings.Contains(name, "PLAN") && strings.Contains(text, "status: superseded") {
					return true
				}
			}
			return false
		},
	},
	{
		why:  "GSD-31: a roadmap that has only other milestones says nothing about that of the digest, so the counts stay",
		verb: `(update-progress|sync|planned-phase|complete-phase)$`, place: ` (> Progress|head progress\..*)$`,
		when: func(s situation) bool {
			return strings.Contains(s.said, "has no heading in the roadmap") && (kept(s) || s.got == "")
		},
	},
	{
		why:  "N3, GSD-17: a real name of a milestone stays; the word `milestone` is none, where the roadmap or the digest has one",
		verb: `(-phase|sync|update-progress|milestone-switch)$`, place: ` head milestone_name$`, when: func(s situation) bool {
			return s.got != "" && (kept(s) || s.want == "milestone" && strings.Contains(s.roadmap(), s.got))
		},
	},
	{
		why:  "N3: keys that the body has values for are updated where they are",
		verb: `(sync|update-progress|update|patch)$`, place: ` head (last_activity(_desc)?|current_(phase|phase_name|plan))$`,
		got: `^$`, when: kept,
	},
	{
		why:  "N11: a set of Progress writes one percentage",
		verb: `state (update|patch)$`, place: ` head progress\.percent$`, when: func(s situation) bool {
			set := func(word string) bool { return strings.HasSuffix(word, s.got+"%") }
			return s.got != "" && slices.ContainsFunc(s.calls[0].words, set)
		},
	},
	{
		why:  "N9: no command derives the progress alone; sync also derives the phase and its counters",
		verb: `update-progress$`, place: ` (> (Total Plans in Phase|Current Plan|Plan)|head current_.*)$`,
	},
	{
		why:  "GSD-D11: a digest that is missing is not found; `baton init` creates one",
		verb: `^state `, place: `STATE\.md$`, got: `^$`, when: func(s situation) bool {
			_, there := s.before[s.place]
			return !there
		},
	},
	{
		why:  "N9: a patch is all or nothing",
		verb: `state patch$`, when: func(s situation) bool { return untouched(s) && strings.Contains(s.said, "baton: ") },
	},
	{
		why:  "N9: sync changes what is derived; the last activity is not",
		verb: `state sync$`, place: ` (> Last [Aa]ctivity|head last_activity)$`, when: func(s situation) bool {
			return kept(s) || headless(s) && s.got != "" && strings.Contains(s.file(), s.got)
		},
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
		why:  "D28: looking upward for the project ends at the folder with .git; no command goes on in another worktree",
		verb: `^state `, when: func(s situation) bool {
			return strings.Contains(s.said, "no digest (STATE.md) was found") && untouched(s)
		},
	},
	{
		why:  "GSD-V6: a patch changes the field of the body that it names, which the reference only reports",
		verb: `state patch$`, when: func(s situation) bool {
			_, key, head := strings.Cut(s.place, " head ")
			was := viewOf(s.file())
			if head {
				return key == "status" && s.want == was.head[key] || key == "progress.percent" && s.got+"%" == s.calls[0].word(1)
			}
			value, words := strings.TrimSuffix(s.got, " |"), s.calls[0].words
			for _, pair := range pairs(s.calls[0]) {
				_, word, _ := strings.Cut(pair, "=")
				words = append(words, word)
			}
			return slices.ContainsFunc(words, func(word string) bool { return strings.HasSuffix(value, " "+word) }) || kept(s)
		},
	},
	{
		why:   "1.0: a variable that has only blanks names no workstream",
		place: `STATE\.md`, when: func(s situation) bool {
			name := s.env["GSD_WORKSTREAM"]
			return s.same && name != nil && *name != "" && strings.TrimSpace(*name) == ""
		},
	},
	{
		why:   "GSD-D2: a front matter that has no version of its schema gets none, as every line that is not the command's",
		place: ` head gsd_state_version$`, got: `^$`, when: func(s situation) bool { return !headless(s) },
	},
	{
		why:  "N3: stopped_at is what the session says, and a milestone or a plan does not end it",
		verb: transitions, place: ` head stopped_at$`, want: `^$`, when: func(s situation) bool { return kept(s) || headless(s) },
	},
	{
		why:   "GSD-D2, GSD-14: a key that the schema does not own stays as it is",
		place: ` head `, when: func(s situation) bool {
			return kept(s) && s.got != "" && !owned.MatchString(strings.SplitN(s.place, " head ", 2)[1])
		},
	},
	{
		why:   "N3: last_updated is written where the key is, and where the front matter changes",
		place: ` head last_updated$`, got: `^$`, when: func(s situation) bool { return kept(s) && !headless(s) },
	},
	{
		why: "N2: a block that never ends, or that does not begin on the first line, is text, and baton says so",
		when: func(s situation) bool {
			return kept(s) && regexp.MustCompile(`is never closed|front matter begins on line|blanks follow the mark`).MatchString(s.said)
		},
	},
	{
		why:   "F-53: a status that is missing or `unknown` is what sync and transitions write",
		place: ` head status$`, got: `^(unknown|null)?$`, when: func(s situation) bool { return kept(s) && !headless(s) },
	},
	{
		why:  "D46: the body's status is that of the project, also if the command does not change it",
		verb: `state (sync|update-progress)$`, place: ` head status$`, when: func(s situation) bool {
			at := slices.IndexFunc(viewOf(s.file()).body, func(l line) bool { return strings.HasSuffix(l.place, " > Status") })
			return at >= 0 && s.want == viewOf(s.file()).head["status"] &&
				strings.Contains(strings.ToLower(viewOf(s.file()).body[at].text), strings.ToLower(s.got))
		},
	},
	{
		why:  "GSD-D4, N4: from a text without a known word follows `unknown`, which never replaces a known word",
		verb: `state (sync|update-progress)$`, place: ` head status$`, got: `^(planning|discussing|executing|verifying|paused|completed)$`,
		when: func(s situation) bool {
			return kept(s) && strings.Contains(s.file(), s.want) && !known.MatchString(s.want)
		},
	},
	{
		why:  "N9: a name in lower case addresses the front matter",
		verb: `state update$`, place: ` head `, when: func(s situation) bool {
			_, key, _ := strings.Cut(s.place, " head ")
			name := s.calls[0].word(0)
			return s.same && isKey.MatchString(name) && (key == name || key == "last_updated" || headless(s))
		},
	},
	{
		why:   "N5.4: a pipe in the cell of a table is escaped, so that the value stays whole",
		place: ` (> [A-Z].*|head status)$`, when: func(s situation) bool {
			word := s.calls[0].word(1)
			return strings.Contains(word, "|") && (s.got == word || strings.Contains(s.got, strings.ReplaceAll(word, "|", `\|`)))
		},
	},
	{
		why:  "N2: text inside a fence or a comment is not a field",
		verb: `state (update|patch|advance-plan|.*-phase)$`, place: ` > \w`, when: func(s situation) bool {
			_, name, _ := strings.Cut(s.place, " > ")
			return regexp.MustCompile("(?s)(```|~~~|<!--).*\\n" + regexp.QuoteMeta(name) + ":.*(```|~~~|-->)").MatchString(s.file())
		},
	},
	{
		why:   "N2: the template's text in brackets is not filled in, so it is no value, and a command fills it",
		place: ` (> |head (status|current_phase_name|last_activity)$)`, when: func(s situation) bool {
			unfilled := regexp.MustCompile(`\[[^\]]+\]`).MatchString(s.want) && strings.Contains(s.file(), s.want)
			return unfilled && !strings.Contains(s.got, "[") ||
				(kept(s) || s.got == "unknown") && strings.HasSuffix(s.place, " status") &&
					regexp.MustCompile(`\n(\*\*)?Status:(\*\*)? \[`).MatchString(s.file())
		},
	},
	{
		why:   "N11: body and front matter have one percentage; that of the folders is the job of sync",
		place: ` head progress\.percent$`, when: func(s situation) bool {
			return headless(s) && s.got != "" && regexp.MustCompile(`Progress:(\*\*)? (\[.*\] )?`+s.got+`%`).MatchString(s.file())
		},
	},
	{
		why:   "N5.6: a command whose result equals the file writes nothing",
		place: ` head `, when: func(s situation) bool { return strings.Contains(s.said, "othing to do") && untouched(s) },
	},
	{
		why:   "F-61 f: the front matter is derived from a text; an empty file has none",
		place: ` head (status|last_updated)$`, got: `^$`, when: func(s situation) bool { return s.file() == "" },
	},
	{
		why:  "N9, N11: sync counts the plans of the current phase: the first without a summary, of how many",
		verb: `state (sync|update-progress)$`, place: ` (> (Total Plans in Phase|Current Plan|Plan)|head current_plan)$`, when: counted,
	},
	{
		why:  "N9: sync derives the progress also where the body has no line for it; stored counts that are higher stay (GSD-D16)",
		verb: `state (sync|update-progress)$`, place: ` head progress\.`,
		when: func(s situation) bool { return s.same || strings.Contains(s.said, "are stored and") },
	},
	{
		why:  "N9: sync derives the current phase, with its name as a whole (F-61 a), where the front matter has it",
		verb: `state (sync|update-progress)$`, place: ` head current_phase(_name)?$`, when: func(s situation) bool {
			return s.same || s.want+")" == s.got || s.got == "" && kept(s)
		},
	},
	{
		why:  "GSD-9: the status is that of Current Position; those of an archive never win",
		verb: `state (sync|update-progress)$`, place: ` head status$`, when: func(s situation) bool {
			return kept(s) && position.MatchString(s.file()) && strings.Count(s.file(), "Status:") > 1
		},
	},
	{
		why:  "N3: paused_at comes from `pause` and from the session's section",
		verb: `state (update|patch)$`, place: ` head (paused_at|status)$`, when: func(s situation) bool {
			return strings.Contains(strings.Join(s.argv, " "), "Paused At") && sessionOf(s) == ""
		},
	},
	{
		why:  "N3: the description is read from the body where the front matter does not have it",
		verb: `state (update|patch)$`, place: ` head last_activity_desc$`, got: `^$`, when: kept,
	},
	{
		why:  "D16: an object is written as its JSON",
		verb: `state patch$`, want: `\[object Object\]`,
	},
	{
		why:   "N1: a stored workstream pointer is never deleted",
		place: `active-workstream$`, want: `^$`, when: func(s situation) bool { return s.before[s.place] == s.got },
	},
}

// folders reports whether a case has a folder of phases with something in it.
func folders(s situation) bool {
	for name := range s.before {
		if strings.Contains(name, "/phases/") {
			return true
		}
	}
	return false
}

// owned are the keys of the schema.
var owned = regexp.MustCompile(`^(gsd_state_version|milestone|milestone_name|current_phase|current_phase_name|current_plan|status|` +
	`stopped_at|paused_at|last_updated|last_activity|last_activity_desc|active_phase|next_action|next_phases|` +
	`progress\.(total_phases|completed_phases|total_plans|completed_plans|percent))$`)

// known are the words from which a status follows (N4).
var known = regexp.MustCompile(`(?i)paused|stopped|executing|in progress|planning|ready to|discussing|verif|complete|done`)

// isKey is a name in lower case.
var isKey = regexp.MustCompile(`^[a-z][a-z0-9_.-]*$`)

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

// reckoned reports whether the percentage that baton wrote follows from the counts in the front matter that
// the original or baton left: the smaller share of plans and phases, rounded.
func reckoned(s situation) bool {
	name := strings.Fields(s.place)[0]
	return shareOf(or(s.after[name], s.before[name]), s.got) || shareOf(s.now[name], s.got)
}

// shareOf reports whether a line has the percentage of the counts in a digest.
func shareOf(text, line string) bool {
	head := viewOf(text).head
	share, known := 100, false
	for _, what := range []string{"plans", "phases"} {
		total, _ := strconv.Atoi(head["progress.total_"+what])
		done, _ := strconv.Atoi(head["progress.completed_"+what])
		if total > 0 {
			share, known = min(share, (200*done+total)/(2*total)), true
		}
	}
	return known && regexp.MustCompile(`(^|\D)`+strconv.Itoa(share)+`%?( \|)?( .*)?$`).MatchString(line)
}

// counted reports whether the numbers that baton wrote are those of a folder: its plans, and the first
// one without a summary.
func counted(s situation) bool {
	plans, done := map[string]int{}, map[string]int{}
	for name, text := range s.before {
		dir, base := strings.TrimSuffix(path.Dir(name), "/plans"), path.Base(name)
		switch {
		case strings.Contains(base, "SUMMARY"):
			done[dir]++
		case regexp.MustCompile(`(^|-)PLAN(-\d.*)?\.md$`).MatchString(base) && !strings.Contains(text, "status: superseded"):
			plans[dir]++
		}
	}
	found := regexp.MustCompile(`\d+`).FindAllString(s.got, -1)
	for dir, n := range plans {
		right := len(found) > 0
		for _, number := range found {
			right = right && (number == strconv.Itoa(n) || number == strconv.Itoa(min(done[dir]+1, n)))
		}
		if right {
			return true
		}
	}
	return false
}
