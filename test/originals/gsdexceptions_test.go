//go:build originals

package originals

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// exceptions are the values that baton and GSD read differently on purpose.
func (g *gsd) exceptions() []exception {
	return []exception{
		{
			"current_plan", "N3", "GSD never takes it from the line Plan: A of B",
			func(d difference) bool { return d.original == `""` },
		},
		{
			"current_plan", "GSD-18", "GSD moves the line Plan: A of B and leaves the key; what the body says now wins",
			func(d difference) bool {
				return g.says(d.baton, g.planLine()) && g.says(d.original, g.front("current_plan"))
			},
		},
		{
			"current_plan", "N11", "the plan counter is that of the folder, as a sync would write it",
			func(d difference) bool {
				return g.says(d.baton, g.planOnDisk()) && g.says(d.original, g.front("current_plan"))
			},
		},
		{
			"stopped_at", "N3", "the line of the session's section wins over the front matter",
			func(d difference) bool {
				return g.says(d.baton, g.body("Stopped at")) && g.says(d.original, g.front("stopped_at"))
			},
		},
		{
			"last_activity", "N3", "a newer date in the front matter wins over the line",
			func(d difference) bool { return g.says(d.baton, g.front("last_activity")) && g.frontIsNewer() },
		},
		{
			"last_activity_desc", "N3", "what was done goes with the date that wins",
			func(d difference) bool { return g.says(d.baton, g.front("last_activity_desc")) && g.frontIsNewer() },
		},
		{
			"last_activity_desc", "D47", "before 1.14, GSD forgot it if the line has only a date",
			func(d difference) bool { return d.original == `""` && g.version < "1.14" },
		},
		{
			"status", "D46", "a person's status in the body wins over the front matter",
			g.foreignStatus,
		},
		{
			"snapshot.status", "D46", "a person's status in the body wins over the front matter",
			g.foreignStatus,
		},
		{
			"paused_at", "D46", "a pause that baton wrote is over once another program writes a status",
			func(d difference) bool {
				return d.baton == `""` && g.front("paused_status") != "" && g.front("status") != "paused"
			},
		},
		{
			"progress.", "D47", "1.11 counts a phase once its verification has passed, baton from 1.14 on",
			g.unverified,
		},
	}
}

// says reports whether a value that was read is this text.
func (g *gsd) says(read, text string) bool { return read == strconv.Quote(text) }

// front returns a plain value of the front matter.
func (g *gsd) front(key string) string {
	block, _, _ := strings.Cut(strings.TrimPrefix(g.read("STATE.md"), "---\n"), "\n---\n")
	for line := range strings.SplitSeq(block, "\n") {
		if value, ok := strings.CutPrefix(line, key+": "); ok {
			if text, err := strconv.Unquote(value); err == nil {
				return text
			}
			return strings.Trim(value, "'")
		}
	}
	return ""
}

// body returns the rest of the first line of the body that begins with a label.
func (g *gsd) body(label string) string {
	_, text, _ := strings.Cut(g.read("STATE.md"), "\n---\n")
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.ReplaceAll(line, "**", "")
		if value, ok := strings.CutPrefix(line, label+": "); ok {
			return value
		}
	}
	return ""
}

// planLine returns A of the line Plan: A of B.
func (g *gsd) planLine() string {
	plan, _, _ := strings.Cut(g.body("Plan"), " of ")
	return plan
}

// planOnDisk returns the number of the plan that comes next in the folder of the current phase.
func (g *gsd) planOnDisk() string {
	found := regexp.MustCompile(`^\d+`).FindString(g.body("Phase"))
	n, _ := strconv.Atoi(found)
	plans, summaries := g.count(n)
	return strconv.Itoa(min(summaries+1, plans))
}

// count returns how many plans a phase has, and how many of them are carried out.
func (g *gsd) count(n int) (plans, summaries int) {
	names, _ := filepath.Glob(g.path(fmt.Sprintf("phases/%02d-*/*-PLAN.md", n)))
	done, _ := filepath.Glob(g.path(fmt.Sprintf("phases/%02d-*/*-SUMMARY.md", n)))
	return len(names), len(done)
}

// frontIsNewer reports whether the front matter has a later date than Last activity.
func (g *gsd) frontIsNewer() bool {
	line, front := g.body("Last activity"), g.front("last_activity")
	return len(line) < 10 || len(front) >= 10 && front[:10] > line[:10]
}

// foreignStatus reports whether baton reads the word of the body's status, and GSD another one from
// the front matter.
func (g *gsd) foreignStatus(d difference) bool {
	status := strings.ToLower(g.body("Status"))
	for _, pair := range [][2]string{
		{"executing", "executing"},
		{"in progress", "executing"},
		{"planning", "planning"},
		{"ready to plan", "planning"},
		{"discussing", "discussing"},
		{"verif", "verifying"},
		{"complete", "completed"},
		{"ready to execute", "executing"},
	} {
		if strings.Contains(status, pair[0]) {
			return g.says(d.baton, pair[1]) && g.says(d.original, g.front("status"))
		}
	}
	return false
}

// completed returns how many phases have all their summaries, and how many of those are verified.
func (g *gsd) completed() (carriedOut, verified int) {
	for n := range gsdPhases {
		plans, summaries := g.count(n + 1)
		if plans == 0 || plans > summaries {
			continue
		}
		carriedOut++
		if passed, _ := filepath.Glob(g.path(fmt.Sprintf("phases/%02d-*/*-VERIFICATION.md", n+1))); len(passed) > 0 {
			verified++
		}
	}
	return carriedOut, verified
}

// unverified reports whether a number of the progress differs because a phase is carried out and not
// verified, which counts for baton before 1.14 (D47). GSD shows all stored numbers while more phases
// are stored than it counts, and baton never lowers that one (GSD-D16).
func (g *gsd) unverified(d difference) bool {
	carriedOut, verified := g.completed()
	if g.version >= "1.14" {
		carriedOut = verified
	}
	stored, _ := strconv.Atoi(g.front("  completed_phases"))
	switch key := strings.TrimPrefix(d.key, "progress."); key {
	case "completed_phases":
		return carriedOut > verified && d.baton == strconv.Quote(strconv.Itoa(max(carriedOut, stored)))
	case "percent":
		return carriedOut > verified || stored > verified
	default:
		return stored > verified && g.says(d.original, g.front("  "+key))
	}
}
