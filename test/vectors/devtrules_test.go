package vectors

import (
	"slices"
	"strings"
)

// devtRules explains where baton's commands leave another folder than devt-tools.
var devtRules = []rule{
	{why: "5.9: each sweep writes a manifest beside its snapshot", place: `/\.archive/.*\.manifest\.json$`, want: `^$`},
	{
		why:   "D48: the snapshots of all sweeps are one ring, and they leave it once they are in kept versions",
		verb:  `state (cleanup|reset)$`,
		place: `/\.archive/`, got: `^$`, when: leftTheRing,
	},
	{
		why:   "D48: the manifest of a snapshot goes with it",
		verb:  `state (cleanup|reset)$`,
		place: `/\.archive/`, got: `^$`, when: goneManifest,
	},
	{
		why:   "D48, SD-K1: the ring goes by the time in the names, and never loses the newest",
		verb:  `state reset$`,
		place: `/\.archive/`, want: `^$`, got: `.`,
		when: func(s situation) bool {
			return slices.ContainsFunc(s.swept, func(a sweepAnswer) bool { return len(a.Dropped) > 0 })
		},
	},
	{
		why:   "SD-D8: folders and files without a stamp in their names are not part of the ring, and fill no place in it",
		verb:  `state reset$`,
		place: `/\.archive/`, want: `^$`, when: foreignFolder,
	},
	{
		why:   "SD-D15: the folders of instances stay, and so does their register",
		verb:  `state (cleanup|reset)$`,
		place: `/state/`, when: otherInstance,
	},
	{
		why:   "3.1, SD-D3, SD-D4: names that later releases declare are known, and some of them are exempt",
		verb:  `state (cleanup|reset)$`,
		place: `/state/`, when: laterName,
	},
	{
		why:   "SD-11, SD-D19: a link moves as what it is, wherever it leads; 5.4: by its own name and time",
		verb:  `state cleanup$`,
		place: `/state/`, when: movedLink,
	},
	{
		why:   "SD-12: a folder with the name of a file is moved whole, even if the file is exempt",
		verb:  `state reset$`,
		place: `/[^/]+\.(md|txt|jsonl?|yaml)(/|$)`,
		when:  movedFolder,
	},
	{
		why:   "5.6.3: a value is written in a form that reads back as it was given",
		verb:  `state update$`,
		place: `workflow\.yaml `, when: readsBack,
	},
	{
		why:   "5.6.3, SD-D16: only lines whose value changes are touched, every other one stays byte for byte",
		verb:  `state (update|release)$`,
		place: `workflow\.yaml `, when: untouchedLine,
	},
	{
		why:   "5.6.4 rule 3, SD-D12, SD-28: every update heals the history, and nothing ever leaves it",
		verb:  `state (update|release)$`,
		place: `workflow\.yaml workflow_id_history$`, when: longerHistory,
	},
	{
		why:   "4.2, 5.6.4 rule 3: an anchor that is no moment counts as absent, and then the trace says nothing",
		verb:  `state (update|release)$`,
		place: `workflow\.yaml workflow_id_history$`, when: noAnchor,
	},
	{
		why:   "5.6.4 rule 6: the mark counts the errors of 5.17, which has more of them than the original",
		verb:  `state (update|release)$`,
		place: `workflow\.yaml validation_(status|warnings)$`, when: moreErrors,
	},
	{
		why:   "5.6.2 rules 6 and 7: an indented line is a field of a lane or belongs to the key above, and stays",
		verb:  `state (update|release)$`,
		place: `workflow\.yaml `, when: indented,
	},
	{
		why:   "SD-K36: a workflow that goes on is no longer marked as stopped",
		verb:  `state update$`,
		place: `workflow\.yaml stopped_(at|phase)$`, got: `^null$`,
		when: func(s situation) bool { active, _ := s.given("active"); return active == "true" },
	},
	{
		why:   "5.6.1: the old name of the tier is shown as tier, and stays as it is",
		verb:  `state (update|release)$`,
		place: `workflow\.yaml tier$`, got: `^(null|"")?$`,
		when: func(s situation) bool { file, _, _ := s.key(); return recordOf(s.now[file])["complexity"] != "" },
	},
	{
		why:   "4.4: a temporary name is new; a file that is there stays",
		verb:  `state (update|release)$`,
		place: `workflow\.yaml\.tmp$`, when: same,
	},
	{
		why:   "5.12: the first command of an instance adds it to the register",
		place: `/\.instances/[^/]*\.json$`, want: `^$`,
	},
	{
		why:   "5.8.3: while a workflow is active, a native evict spares the listed names that are newer than its start",
		verb:  `evict-workflow-artifacts$`,
		place: `/state/`, when: spared("fresh", "no_start", "future"),
	},
	{
		why:  "3.1: patterns are never asked about canonical names, so a scope stays although it is called review-",
		verb: `evict-workflow-artifacts$`,
		when: func(s situation) bool {
			const scope = ".devt/state/review-scope.md"
			text := s.before[scope]
			return text != "" && s.now[scope] == text && (s.place == scope+" absent" || s.want == text)
		},
	},
	{
		why:   "SD-24: without an anchor, nothing is older than it",
		verb:  `evict-workflow-artifacts$`,
		place: `/state/`, when: spared("no_anchor"),
	},
	{
		why:  "5.6.3: keys outside [A-Za-z0-9_-]+ are refused",
		verb: `update$`,
		when: refused("cannot be a key of the record", " is not KEY=VALUE"),
	},
	{why: "5.6.3: without a value to change there is nothing to write", verb: `update$`, when: refused("dir update needs KEY=VALUE")},
	{
		why:  "5.6.3, SD-29: the kind of a known key decides what it takes",
		verb: `update$`,
		when: refused(" is not allowed", " is not a whole number", " is not a time", " is not a version 4 UUID", " is not JSON"),
	},
	{
		why:  "5.6.3, SD-D11: anchors, the history, marks and lanes cannot be set",
		verb: `update$`,
		when: refused(" cannot be set by an update"),
	},
	{
		why:  "5.6.4 rule 5: `active=null` ends a workflow as false does",
		verb: `update$`,
		when: func(s situation) bool {
			value, _ := s.given("active")
			return value == "null" && refused("the workflow cannot end")(s)
		},
	},
	{why: "5.8.1: a limit below 0 is a usage error", verb: `cleanup$`, when: refused("days cannot be negative")},
	{
		why:  "5.12, SD-53: what is no id of an instance is refused, and so is a canonical name",
		when: refused("cannot be the id of an instance", "so it names no instance"),
	},
	{why: "D16: a project is where a layout has its folder; `.git` alone makes none", when: refused("no baton project was found")},
	{why: "D36: a link as state folder leads to a folder of the same name", when: refused("which is not a state folder")},
	{why: "SD-D19: an archive that is a link is an error before anything moves", when: refused(".archive is a link")},
	{why: "4.4: a link that leads outside the project is refused", when: refused("is a link that leads outside the project")},
	{why: "5.11: a lock that is no file is an error, and is never removed", when: refused("cannot be used as a lock")},
	{why: "5.11: a lock that names nobody is waited for until it is 3 s old", when: refused("did not become free in time")},
	{why: "5.11: every writer takes the lock", verb: `cleanup$|evict`, when: refused("holds the lock file")},
}

// refused returns a condition: baton refused a call with one of these messages, and what the place names is
// as it was before that call, or the call gave it a value.
func refused(messages ...string) func(situation) bool {
	return func(s situation) bool {
		return slices.ContainsFunc(s.steps, func(was step) bool {
			says := func(message string) bool { return strings.Contains(was.said, message) }
			return slices.ContainsFunc(messages, says) && (same(s) || s.passedOver(was))
		})
	}
}
