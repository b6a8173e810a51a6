package phases

import "strings"

// window is the set of roadmap lines that belong to the milestone (1.2, step 1).
type window struct {
	all     []bool // including the text before the milestones
	own     []bool // the milestone's own part; equal to all if the roadmap is not divided
	bounded bool   // there is a heading for the version
	foreign bool   // the roadmap has only other versions, so nothing in it and no folder belongs to this one
}

// window returns the part of the roadmap that belongs to a version. "" means the whole roadmap.
func (o *outline) window(version string) window {
	w := window{all: make([]bool, o.lines), own: make([]bool, o.lines)}
	at := o.milestone(version)
	w.bounded = at >= 0
	switch block := o.foldOf(version); {
	case version != "" && at >= 0:
		end := o.sectionEnd(at)
		mark(w.own, o.headings[at].line, end)
		o.details(version, end, w.own)
		o.preamble(min(o.firstMilestone(), o.headings[at].line), o.hasPhases(w.own), w.all)
		merge(w.all, w.own)
	case version != "" && block >= 0:
		mark(w.own, o.folds[block].from, o.folds[block].to+1)
		o.preamble(o.firstMilestone(), o.hasPhases(w.own), w.all)
		merge(w.all, w.own)
	default:
		for i := range w.all {
			w.all[i] = !o.folded[i]
		}
		if version == "" || !o.divided() {
			w.own = w.all
		}
		w.foreign = o.foreign(version)
	}
	return w
}

func mark(lines []bool, from, to int) {
	for i := from; i < to; i++ {
		lines[i] = true
	}
}

func merge(to, from []bool) {
	for i, in := range from {
		to[i] = to[i] || in
	}
}

// milestone returns the heading of a version: the first that is not marked as closed, else the
// first, else -1.
func (o *outline) milestone(version string) int {
	first := -1
	for i, h := range o.headings {
		if version == "" || h.level > 3 || h.phase || !mentions(h.text, version, false) {
			continue
		}
		if !closed(h.text) {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	return first
}

// foldOf returns the folded block whose summary names the version, or -1.
func (o *outline) foldOf(version string) int {
	for i, f := range o.folds {
		if version != "" && mentions(f.summary, version, false) {
			return i
		}
	}
	return -1
}

// sectionEnd returns the line at which a milestone's section ends: the next heading of the same or
// a higher level that begins another milestone.
func (o *outline) sectionEnd(at int) int {
	for _, h := range o.headings[at+1:] {
		if h.level <= o.headings[at].level && h.milestone() {
			return h.line
		}
	}
	return o.lines
}

// milestone reports whether a heading begins a milestone, because it has a version or one of the
// marks.
func (h heading) milestone() bool {
	return !h.phase && (version(h.text) != "" || containsAny(h.text, "✅", "📋", "🚧"))
}

// firstMilestone returns the line of the first heading that begins a milestone.
func (o *outline) firstMilestone() int {
	for _, h := range o.headings {
		if h.level <= 3 && h.milestone() {
			return h.line
		}
	}
	return o.lines
}

// divided reports whether the roadmap is divided into milestones.
func (o *outline) divided() bool {
	if o.firstMilestone() < o.lines {
		return true
	}
	for _, f := range o.folds {
		if version(f.summary) != "" {
			return true
		}
	}
	return false
}

// versioned reports whether a heading or a folded block of the roadmap has a version. Without any,
// the whole roadmap is the milestone (F-47).
func (o *outline) versioned() bool {
	for _, h := range o.headings {
		if !h.phase && version(h.text) != "" {
			return true
		}
	}
	for _, f := range o.folds {
		if version(f.summary) != "" {
			return true
		}
	}
	return false
}

// foreign reports whether the roadmap has milestones with versions, but not the stored one. Then
// the stored milestone has just begun, and the folders belong to earlier ones. A suffix such as
// -mvp does not make another version here.
func (o *outline) foreign(stored string) bool {
	if stored = version(stored); stored == "" {
		return false
	}
	others := false
	for _, h := range o.headings {
		if v := version(h.text); v != "" && h.level >= 2 && h.level <= 3 && !h.phase {
			if strings.EqualFold(v, stored) {
				return false
			}
			others = true
		}
	}
	for _, f := range o.folds {
		if v := version(f.summary); v != "" {
			if strings.EqualFold(v, stored) {
				return false
			}
			others = true
		}
	}
	return others
}

// details adds a later section "v1.1 (Phase Details)" of exactly that version.
func (o *outline) details(version string, from int, lines []bool) {
	for i, h := range o.headings {
		if h.line >= from && h.level <= 3 && strings.Contains(strings.ToLower(h.text), "(phase details)") &&
			mentions(h.text, version, true) && !closed(h.text) {
			mark(lines, h.line, o.sectionEnd(i))
			return
		}
	}
}

// preamble marks the lines before the milestones, except folded blocks. If the milestone has phases
// of its own, the details of phases are left out, because they belong to another milestone.
func (o *outline) preamble(end int, own bool, lines []bool) {
	for i := range end {
		lines[i] = !o.folded[i]
	}
	for i, h := range o.headings {
		if h.line >= end {
			return
		}
		if strings.EqualFold(h.text, "phase details") {
			lines[h.line] = false
		}
		if _, _, ok := phaseHeading(h.text); !own || !ok {
			continue
		}
		to := end
		if i+1 < len(o.headings) {
			to = min(end, o.headings[i+1].line)
		}
		for l := h.line; l < to; l++ {
			lines[l] = false
		}
	}
}

// hasPhases reports whether there is a heading of a phase on the given lines.
func (o *outline) hasPhases(lines []bool) bool {
	for _, m := range o.mentions {
		if m.heading && lines[m.line] {
			return true
		}
	}
	return false
}

// onlyPhases reports whether every heading of levels 2 and 3 is about a phase, so that the roadmap
// is one flat list.
func (o *outline) onlyPhases() bool {
	for _, h := range o.headings {
		if (h.level == 2 || h.level == 3) && !h.phase {
			return false
		}
	}
	return true
}
