package protocol

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Orientation words the facts for the start of a session, within the limit: facts about the state
// as it is, and no commands that imitate a system's instructions (agents.md 2.3). Who and what, the
// next step and blockers come within the first 2,000 characters, which is what clients show of a
// text that is too long for them.
func Orientation(f Facts, l Limit) Packed {
	return compose(wording{Facts: f}.sections(), l)
}

// Pack words the facts and everything that a session of the task needs, within the limit: what is
// always needed is in it, what rarely is is named with the command that prints it.
func Pack(f Facts, l Limit) Packed {
	return compose(wording{Facts: f, pack: true}.sections(), l)
}

// wording makes sections of facts, for the start of a session or for a pack.
type wording struct {
	Facts

	pack bool
}

// rank chooses between the two kinds of text.
func (w wording) rank(start, pack int) int {
	if w.pack {
		return pack
	}
	return start
}

// sections returns all parts in the order in which they stand.
func (w wording) sections() []section {
	out := []section{w.project(), w.task(), w.next(), w.lost(), w.blockers(), w.open()}
	if w.Task != nil {
		out = append(out, w.requirements(), w.failed())
		out = append(out, w.inputs()...)
	}
	out = append(out, w.git(), w.commits(), w.since(), w.did(), w.decisions(), w.warnings(), w.kept())
	if w.pack {
		out = append(out, w.done(), w.links())
	}
	return append(out, w.manner())
}

// one is a unit of one line.
func one(rank int, format string, args ...any) unit {
	return unit{rank: rank, lines: []string{fmt.Sprintf(format, args...)}}
}

// list makes items of texts, each cut at most units; those of the first few are of rank first,
// others of rank then.
func list(texts []string, most, few, first, then int) []unit {
	var out []unit
	for _, text := range texts {
		text, cut := brief(text, most)
		if text == "" {
			continue
		}
		u := one(first, "- %s", text)
		if u.cut = cut; len(out) >= few {
			u.rank = then
		}
		out = append(out, u)
	}
	return out
}

// room is what a list may take that stands before other things that have to be seen.
type room struct{ each, all int }

// within makes items as list does, the first three of rank first, and drops those for which the
// list has no room.
func within(texts []string, r room, first, then int) (out []unit, dropped int) {
	used := 0
	for _, u := range list(texts, r.each, 3, first, then) {
		if used += units(u.lines[0]); len(out) > 0 && used > r.all {
			dropped++
			continue
		}
		out = append(out, u)
	}
	return out, dropped
}

// roomFor chooses between the room at the start of a session, where everything that matters most
// has to come within the first 2,000 characters, and that in a pack.
func (w wording) roomFor(each, all int) room {
	if w.pack {
		return room{each: 2 * each, all: 1 << 20}
	}
	return room{each: each, all: all}
}

// limited returns the first of many, and how many are beyond.
func limited[T any](all []T, most int) (kept []T, beyond int) {
	if len(all) <= most {
		return all, 0
	}
	return all[:most], len(all) - most
}

func (w wording) project() section {
	d := w.Project
	name := short(d.Name, 60)
	if name == "" {
		name = "this project"
	}
	s := section{name: "project", command: "baton status", units: []unit{one(0, "# baton: where %s stands", name)}}
	if w.Source == "compact" {
		s.units = append(s.units,
			one(0, "The conversation was compacted. This is the state as baton's files have it now."))
	}
	var facts []string
	for _, fact := range [...]struct{ before, text string }{
		{"milestone ", d.Milestone}, {d.stage() + " ", d.Phase}, {"", d.Status},
	} {
		if text := short(fact.text, 64); text != "" {
			facts = append(facts, fact.before+text)
		}
	}
	if d.Percent >= 0 && len(facts) > 0 {
		facts = append(facts, strconv.Itoa(min(d.Percent, 100))+"%")
	}
	if len(facts) > 0 {
		line := "Project: " + strings.Join(facts, ", ") + "."
		if d.Path != "" {
			line = strings.TrimSuffix(line, ".") + " (" + short(d.Path, 80) + ")."
		}
		s.units = append(s.units, one(0, "%s", line))
	}
	if d.Next != "" {
		s.units = append(s.units, one(0, "Next step of the project: %s", short(d.Next, 180)))
	}
	if d.Folder != "" {
		s.units = append(s.units, one(1, "Workflow: %s", short(d.Folder, 160)))
	}
	return s
}

// stage is what a digest calls the thing that is worked on.
func (d Digest) stage() string {
	if d.Kind == KindSpecflow {
		return "specification"
	}
	return "phase"
}

func (w wording) blockers() section {
	kept, beyond := limited(w.Project.Blockers, 8)
	all, dropped := within(kept, w.roomFor(240, 360), 0, 3)
	command := "baton blocker list"
	if w.Project.Kind == KindSpecflow { // its warnings, which have no command of their own
		command = "baton state show"
	}
	return section{
		name: "blockers", title: "In the way:", what: "blocker", many: "blockers", command: command,
		units: all, beyond: beyond + dropped,
	}
}

// lost is what somebody's edit took away: it comes early, since work that goes on without it may
// decide it again.
func (w wording) lost() section {
	s := section{name: "lost", command: "baton lost"}
	if text := short(w.Lost, mostLost); text != "" {
		s.units = []unit{{rank: 0, lines: []string{"", text}}}
	}
	return s
}

// mostLost bounds the line about what is gone, in UTF-16 units.
const mostLost = 300

func (w wording) decisions() section {
	kept := w.Project.Decisions
	kept = kept[max(0, len(kept)-5):]
	return section{
		name: "decisions", title: "Decided lately, oldest first:", what: "decision", many: "decisions",
		command: "baton decision list",
		units:   list(kept, 240, 5, w.rank(6, 4), 6),
	}
}

func (w wording) warnings() section {
	kept, beyond := limited(slices.Concat(w.moved(), w.Facts.Warnings), 12)
	return section{
		name: "warnings", title: "Worth knowing:", what: "warning", many: "warnings", command: "baton status",
		units: list(kept, 240, 2+len(w.Moved), 0, 3), beyond: beyond,
	}
}

// moved returns what baton itself moved, so that it is not taken for lost or for somebody else's
// work (D38).
func (w wording) moved() []string {
	kept, _ := limited(w.Moved, 4)
	out := make([]string, 0, len(kept))
	for _, what := range kept {
		out = append(out, "baton moved "+short(what, 200)+" just now.")
	}
	return out
}

// kept is the summary of the last compaction, which no command prints.
func (w wording) kept() section {
	s := section{name: "summary", title: "The summary of the last compaction begins:", command: "baton context"}
	if text := short(w.Summary, 400); text != "" {
		s.units = []unit{one(2, "> %s", text)}
	}
	return s
}

// manner is the protocol in a few lines, at most 500 characters.
func (w wording) manner() section {
	id := "ID"
	if w.Task != nil {
		id = w.id()
	}
	word := word(w.words(), false)
	s := section{
		name: "protocol", title: "How sessions work here (`baton protocol` says it in full):",
		command: "baton protocol",
	}
	if w.taskless() {
		s.units = w.tasklessManner()
		return s
	}
	s.units = []unit{
		one(0, "- One open %s at a time, from the files as they are; it counts once you have verified it: `baton "+
			"task check %s N`.", word, id),
		one(0, "- Before the end: `baton task log %s --did TEXT --next TEXT`. The next session knows only what is "+
			"written there.", id),
	}
	return s
}

// tasklessManner is the protocol where no tasks are kept: with the commands that the digest, or the
// state folder, has.
func (w wording) tasklessManner() []unit {
	switch {
	case w.Project.Path == "":
		return []unit{
			one(0, "- `baton dir read` prints the record of the workflow, `baton dir update KEY=VALUE` changes it, "+
				"`baton dir contract` lists the names of files."),
			one(0, "- Before the end: what was done and what comes next is written down. The next session knows only "+
				"what it can read."),
		}
	case w.Project.Kind == KindSpecflow:
		return []unit{
			one(0, "- `baton decision add TEXT` keeps a decision, `baton state show` prints where things stand."),
			one(0, "- Before the end: `baton state active set ID --next TEXT` writes what comes next. The next "+
				"session knows only what it can read."),
		}
	}
	return []unit{
		one(0, "- `baton decision add TEXT` keeps a decision, `baton blocker add TEXT` what is in the way, `baton "+
			"state show` prints where things stand."),
		one(0, "- Before the end: `baton session end --stopped-at TEXT` writes where it stopped. The next session "+
			"knows only what it can read."),
	}
}

// words is how a task calls its criteria.
func (w wording) words() string {
	if w.Task != nil && w.Task.Words != "" {
		return w.Task.Words
	}
	return ""
}

// word writes "criterion" or "feature", as one or as many.
func word(words string, many bool) string {
	switch {
	case words == "feature" && many:
		return "features"
	case words == "feature":
		return "feature"
	case many:
		return "criteria"
	}
	return "criterion"
}
