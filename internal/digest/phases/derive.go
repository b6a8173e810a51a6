package phases

import (
	"slices"
	"strings"

	"baton/internal/sorting"
)

// Derive computes the facts (1.2, N11). The time is proportional to the roadmap and the number of
// files.
func Derive(in Input) Facts {
	o := outlineOf(in.Roadmap)
	f := Facts{HasPhases: in.HasPhases}
	version, bound := in.Milestone, in.Milestone
	f.Milestone, f.MilestoneName = in.Milestone, o.nameOf(string(in.Roadmap), in.Milestone)
	if in.Milestone == "" && in.HasRoadmap {
		version = marked(string(in.Roadmap))
		f.Milestone, f.MilestoneName = o.current(string(in.Roadmap))
		if bound = f.Milestone; bound == "" {
			bound = "v1.0" // the version of a roadmap without versions
		}
	}
	if f.MilestoneName == unnamed && in.MilestoneName != "" {
		f.MilestoneName = in.MilestoneName
	}
	f.version = version
	w := o.window(version)
	f.Bounded = !in.HasRoadmap || in.Milestone == "" || !o.versioned() || o.milestone(bound) >= 0
	f.summaries = map[string][]string{}
	b := builder{outline: o, window: w, retired: o.retired(w.all), summaries: f.summaries}
	b.fromRoadmap()
	dirs := b.fromDirs(in.Dirs)
	f.Phases = b.list()
	f.total(dirs, b.countHeadings(), f.Bounded || o.onlyPhases() && !w.foreign, in.Verified)
	f.known, f.planned = known(o, in.Dirs), known(o, nil)
	return f
}

// total adds up the folders. The headings of the roadmap count only if it is known which of them
// belong to the milestone (1.2, step 5).
func (f *Facts) total(dirs []*Phase, headings int, trusted, verified bool) {
	f.TotalPhases = len(dirs)
	if trusted {
		f.TotalPhases = max(len(dirs), headings)
	}
	for _, p := range dirs {
		f.TotalPlans += p.Plans
		f.CompletedPlans += p.Summaries
		if p.executed() && (!verified || p.Verification == "passed") {
			f.CompletedPhases++
		}
	}
	if f.Bounded {
		f.Percent = Percent(f.CompletedPlans, f.TotalPlans, f.CompletedPhases, f.TotalPhases)
	}
}

// strikes has the keys of retired phases. If a key has a project code, its number is in numbers,
// too.
type strikes struct{ keys, numbers map[string]bool }

// retired returns the phases that are struck out on the given lines.
func (o *outline) retired(lines []bool) strikes {
	out := strikes{map[string]bool{}, map[string]bool{}}
	for _, s := range o.struck {
		if !lines[s.line] {
			continue
		}
		out.keys[s.key] = true
		if code, rest := splitCode(s.key); code != "" {
			out.numbers[rest] = true
		}
	}
	return out
}

// has reports whether a key is one of them, compared as in Same.
func (s strikes) has(k string) bool {
	code, rest := splitCode(k)
	return s.keys[k] || code != "" && s.keys[rest] || code == "" && s.numbers[k]
}

// builder builds the phases of a milestone from roadmap and folders.
type builder struct {
	*outline
	window  window
	retired strikes
	phases  []*Phase
	byKey   map[string]*Phase
	ids     map[string]bool // ids in the milestone's own part, which folders must match; empty matches all
	hyphens bool            // the roadmap uses ids such as 46-06

	summaries map[string][]string // as in Facts
}

// out reports whether a phase is never part of the milestone, whatever the roadmap says.
func (b *builder) out(id string) bool { return sentinel(id) || b.retired.has(key(id)) }

// fromRoadmap adds the phases in the milestone's part of the roadmap, with what bullets anywhere in
// the window say about them.
func (b *builder) fromRoadmap() {
	b.byKey, b.ids = map[string]*Phase{}, map[string]bool{}
	for _, m := range b.mentions {
		if !m.strong || !b.window.own[m.line] || strings.HasPrefix(m.id, "999") {
			continue
		}
		k := key(m.id)
		b.ids[k] = true
		_, rest := splitCode(m.id)
		b.hyphens = b.hyphens || strings.Contains(rest, "-") && hasDigit(rest)
		if b.byKey[k] == nil && !b.out(m.id) {
			b.add(k, &Phase{ID: plain(m.id), InRoadmap: true})
		}
	}
	for _, m := range b.mentions {
		p := b.byKey[key(m.id)]
		if p == nil || !b.window.all[m.line] {
			continue
		}
		p.Checked = p.Checked || m.checked
		if p.Name == "" {
			p.Name = m.name
		}
	}
}

func (b *builder) add(k string, p *Phase) {
	b.byKey[k] = p
	b.phases = append(b.phases, p)
}

// countHeadings returns the number of different phases with a heading in the window (1.2, step 5).
func (b *builder) countHeadings() int {
	seen := map[string]bool{}
	for _, m := range b.mentions {
		if m.heading && b.window.all[m.line] && hasDigit(m.id) && !b.out(m.id) {
			seen[key(m.id)] = true
		}
	}
	return len(seen)
}

// list returns the phases in order.
func (b *builder) list() []Phase {
	sorting.By(b.phases, func(x, y *Phase) int { return compare(x.ID, y.ID) })
	out := make([]Phase, 0, len(b.phases))
	for _, p := range b.phases {
		out = append(out, *p)
	}
	return out
}

// known returns the keys of all phases that are mentioned anywhere.
func known(o *outline, dirs []Dir) []string {
	var out []string
	for _, m := range o.mentions {
		out = append(out, key(m.id))
	}
	for _, s := range o.struck {
		out = append(out, s.key)
	}
	for _, d := range dirs {
		out = append(out, candidates(d.Name, true)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
