package phases

import (
	"slices"
	"strings"

	"baton/internal/markdown"
)

// Roadmap is what the roadmap and the folders say about each phase of the milestone.
type Roadmap struct {
	Facts
	Details    []Detail    // of Facts.Phases, in the same order
	Milestones []Milestone // headings of level 2 that have a version, in the order of the roadmap
	Missing    []string    // ids of phases that have a bullet but no section
	others     []Detail    // sections of phases outside the milestone
}

// Milestone is the heading of a milestone.
type Milestone struct {
	Heading string
	Version string
}

// Detail is one phase with what its section and its folder say.
type Detail struct {
	Phase
	Goal         string
	DependsOn    string
	Requirements string
	Criteria     []string   // success criteria, in order
	Section      string     // the section as written, or "" if there is none
	Line         int        // 1-based line of its heading, or 0
	PlanFiles    []PlanFile // except superseded ones, in the folder's order
	HasContext   bool
	HasResearch  bool
}

// PlanFile is a plan in a phase's folder.
type PlanFile struct {
	Name    string // relative to the folder
	Summary bool
}

// The stages that a phase's folder shows, in GSD's words.
const (
	DiskComplete   = "complete"
	DiskPartial    = "partial"
	DiskPlanned    = "planned"
	DiskResearched = "researched"
	DiskDiscussed  = "discussed"
	DiskEmpty      = "empty"
	DiskNone       = "no_directory"
)

// Disk returns how far a phase is by its folder. A checked box counts as complete.
func (d Detail) Disk() string {
	switch {
	case d.Complete():
		return DiskComplete
	case d.Dir == "":
		return DiskNone
	case d.Summaries > 0:
		return DiskPartial
	case d.Plans > 0:
		return DiskPlanned
	case d.HasResearch:
		return DiskResearched
	case d.HasContext:
		return DiskDiscussed
	}
	return DiskEmpty
}

// ReadRoadmap reads roadmap and folders phase by phase. It takes the phases and counts of Derive.
func ReadRoadmap(in Input) Roadmap {
	r := Roadmap{Facts: Derive(in)}
	o, doc := outlineOf(in.Roadmap), markdown.Parse(in.Roadmap)
	version := in.Milestone
	if version == "" && in.HasRoadmap {
		version = marked(string(in.Roadmap))
	}
	w := o.window(version)
	dirs := make(map[string]Dir, len(in.Dirs))
	for _, dir := range in.Dirs {
		dirs[dir.Name] = dir
	}
	sections := o.sections()
	for _, p := range r.Phases {
		d := Detail{Phase: p}
		if m, found := o.sectionOf(p.ID, sections, w); found {
			d.read(doc, o, m)
		}
		d.files(dirs[p.Dir])
		r.Details = append(r.Details, d)
	}
	known, missing := places{}, map[string]bool{}
	for i, p := range r.Phases {
		known.add(p.ID, i)
	}
	for _, m := range o.mentions {
		isPhase := slices.ContainsFunc(known.of(m.id), func(i int) bool { return Same(r.Phases[i].ID, m.id) })
		switch {
		case m.heading && !isPhase:
			d := Detail{Phase: Phase{ID: plain(m.id), Name: m.name, InRoadmap: true}}
			d.read(doc, o, m)
			r.others = append(r.others, d)
		case !m.heading && m.strong && w.own[m.line] && isPhase && !missing[plain(m.id)]:
			if _, found := o.sectionOf(m.id, sections, w); !found {
				r.Missing, missing[plain(m.id)] = append(r.Missing, plain(m.id)), true
			}
		}
	}
	for _, h := range o.headings {
		if v := versionIn(h); v != "" {
			r.Milestones = append(r.Milestones, Milestone{Heading: h.text, Version: v})
		}
	}
	return r
}

// versionIn returns the version of a heading that begins a milestone, or "".
func versionIn(h heading) string {
	if h.level != 2 || h.phase {
		return ""
	}
	return version(h.text)
}

// Detail returns a phase of the milestone, or else of another one in the roadmap.
func (r Roadmap) Detail(id string) (Detail, bool) {
	for _, list := range [...][]Detail{r.Details, r.others} {
		for _, d := range list {
			if Same(d.ID, id) {
				return d, true
			}
		}
	}
	return Detail{}, false
}

// InWork returns the first phase that has plans but is not complete, and the first one without
// plans that is not complete; "" if there is none.
func (r Roadmap) InWork() (current, next string) {
	for _, d := range r.Details {
		switch d.Disk() {
		case DiskComplete:
		case DiskPartial, DiskPlanned:
			if current == "" {
				current = d.ID
			}
		default:
			if next == "" {
				next = d.ID
			}
		}
	}
	return current, next
}

// sections returns the positions of the mentions that begin a section.
func (o *outline) sections() places {
	at := places{}
	for i, m := range o.mentions {
		if m.heading {
			at.add(m.id, i)
		}
	}
	return at
}

// sectionOf returns the heading of a phase: in the milestone's own part, or else in the window.
func (o *outline) sectionOf(id string, sections places, w window) (mention, bool) {
	for _, lines := range [...][]bool{w.own, w.all} {
		for _, i := range sections.of(id) {
			if m := o.mentions[i]; lines[m.line] && Same(m.id, id) {
				return m, true
			}
		}
	}
	return mention{}, false
}

// read reads the section of a phase: up to the next phase, or the next heading that is not below.
func (d *Detail) read(doc *markdown.Document, o *outline, m mention) {
	at, _ := slices.BinarySearchFunc(o.headings, m.line, func(h heading, line int) int { return h.line - line })
	end := o.lines
	for _, h := range o.headings[at+1:] {
		if _, _, ok := phaseHeading(h.text); ok || h.level <= o.headings[at].level {
			end = h.line
			break
		}
	}
	lines := doc.Lines()
	d.Line = m.line + 1
	d.Section = strings.TrimSpace(doc.View(markdown.Span{Start: lines[m.line].Start, End: lines[end-1].End}))
	listing := false
	for i := m.line + 1; i < end; i++ {
		if lines[i].Class == markdown.FenceBody {
			continue
		}
		text := strings.TrimRight(doc.View(markdown.Span{Start: lines[i].Start, End: lines[i].End}), " \t\r")
		if name, value, ok := labelled(text); ok {
			listing = d.label(name, value)
		} else if listing && text != "" {
			listing = d.criterion(text)
		}
	}
}

// label takes a labelled line, and reports whether a list of criteria follows.
func (d *Detail) label(name, value string) bool {
	into := map[string]*string{
		"goal": &d.Goal, "depends on": &d.DependsOn, "dependencies": &d.DependsOn, "requirements": &d.Requirements,
	}[name]
	if into != nil && *into == "" {
		*into = value
	}
	return strings.HasPrefix(name, "success criteria") && len(d.Criteria) == 0
}

// criterion takes a line of the list of criteria, and reports whether the list goes on.
func (d *Detail) criterion(text string) bool {
	body := strings.TrimLeft(text, " \t")
	rest := strings.TrimLeft(body, "0123456789")
	switch {
	case rest != body && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")):
		body = rest[2:]
	case strings.HasPrefix(body, "- ") || strings.HasPrefix(body, "* "):
		body = body[2:]
	case body != text && len(d.Criteria) > 0: // a continued line
		d.Criteria[len(d.Criteria)-1] += " " + strings.TrimSpace(body)
		return true
	default:
		return false
	}
	body = strings.TrimLeft(body, " \t")
	for _, box := range [...]string{"[ ] ", "[x] ", "[X] "} {
		body = strings.TrimPrefix(body, box)
	}
	d.Criteria = append(d.Criteria, strings.TrimSpace(body))
	return true
}

// labelled reads "**Goal**: text", "**Goal:** text" and "Goal: text", with or without a list mark.
// The name is in lower case, without what is in parentheses.
func labelled(text string) (name, value string, ok bool) {
	text = strings.TrimLeft(text, " \t")
	if rest, listed := strings.CutPrefix(text, "- "); listed {
		text = strings.TrimLeft(rest, " \t")
	}
	if bold, strong := strings.CutPrefix(text, "**"); strong {
		name, value, ok = strings.Cut(bold, "**")
		if !ok || !strings.HasSuffix(name, ":") && !strings.Contains(value, ":") {
			return "", "", false
		}
		if !strings.HasSuffix(name, ":") {
			_, value, _ = strings.Cut(value, ":")
		}
	} else if name, value, ok = strings.Cut(text, ":"); !ok {
		return "", "", false
	}
	name, _, _ = strings.Cut(strings.TrimSuffix(name, ":"), "(")
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "" || len(strings.Fields(name)) > 3 || digit(name[0]) {
		return "", "", false
	}
	return name, strings.TrimSpace(value), true
}

// files reads the plans of a folder and what prepares them.
func (d *Detail) files(dir Dir) {
	for _, f := range dir.Files {
		d.HasContext = d.HasContext || strings.HasSuffix(f.Name, "CONTEXT.md")
		d.HasResearch = d.HasResearch || strings.HasSuffix(f.Name, "RESEARCH.md")
	}
	d.plans(dir.Files, "", plan)
	d.plans(dir.Plans, "plans/", nestedPlan)
}

func (d *Detail) plans(files []File, folder string, isPlan func(string) bool) {
	summaries := map[string]bool{}
	for _, f := range files {
		if strings.Contains(f.Name, "SUMMARY") {
			summaries[f.Name] = true
		}
	}
	for _, f := range files {
		if isPlan(f.Name) && f.Status != "superseded" {
			d.PlanFiles = append(d.PlanFiles, PlanFile{Name: folder + f.Name, Summary: summarised(f.Name, summaries)})
		}
	}
}
