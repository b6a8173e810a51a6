package declaration

import (
	"slices"
	"strings"
	"unicode"

	"baton/internal/frontmatter"
	"baton/internal/statedir"
)

// maxName is the longest name that file systems allow, in bytes.
const maxName = 255

// newRow adds a canonical name, unless a rule of 5.15 forbids it.
func (x *extension) newRow(r statedir.Row, line int) {
	if x.err != nil {
		return
	}
	if what, hint := x.refusal(r.Name); what != "" {
		x.refuse(line, what, hint)
		return
	}
	if r.Writers == nil {
		r.Writers = []string{}
	}
	x.c.add(&r)
	x.evicts(&r, r.Eviction)
}

// evicts adds a project's name to the lists of the rules that move it.
func (x *extension) evicts(r *statedir.Row, by []statedir.EvictRule) {
	r.Eviction = by
	for i, rule := range evictRules() {
		if slices.Contains(by, rule) {
			x.c.evicted[i] = append(x.c.evicted[i], r.Name)
		}
	}
}

func hasControl(name string) bool { return strings.ContainsFunc(name, unicode.IsControl) }

// refusal returns why a name cannot be declared, or "" if it can.
func (x *extension) refusal(name string) (what, hint string) {
	other := "choose another name"
	switch {
	case name == "", name == ".", name == "..":
		return statedir.Say("%s is not a name", name), "a name must be that of one file in the folder"
	case strings.Contains(name, "/"):
		return statedir.Say("%s contains a slash", name),
			"a name must be that of one entry of the folder itself"
	case hasControl(name):
		return statedir.Say("%s contains a control character", name), other
	case len(name) > maxName:
		return statedir.Say("%s is longer than 255 bytes", name), other
	case x.old.rows[name] != nil:
		return statedir.Say("%s is declared already", name),
			"a built-in name cannot be changed, only made exempt: exempt: [" + statedir.Shown(name) + "]"
	case x.c.rows[name] != nil:
		return statedir.Say("%s occurs a second time", name), "remove one of the two"
	}
	if p := firstMatch(x.old.ephemerals, name); p != nil {
		return statedir.Say("%s is the name of a left-over, which every cleanup moves (%s)", name, p.Pattern), other
	}
	if p := firstMatch(x.old.patterns, name); p != nil {
		return statedir.Say("%s is allowed already, by the pattern %s", name, p.Pattern),
			"remove the entry, or choose a name that no pattern allows"
	}
	return "", ""
}

// sidecarList reads pairs. Their names become canonical.
func (x *extension) sidecarList(e frontmatter.Entry) {
	for _, m := range x.mappings(e) {
		x.keys(m, "markdown", "json", "status", "verdict", "agent", "evict")
		markdown, atMarkdown := x.text(m, e.Line, "markdown")
		json, atJSON := x.text(m, e.Line, "json")
		s := statedir.Sidecar{JSON: json, Markdown: markdown, Provenance: fromProject}
		s.Status, s.Verdict, s.Agent = x.allowed(m, "status"), x.allowed(m, "verdict"), x.allowed(m, "agent")
		if x.err == nil && len(s.Status) == 0 {
			x.refuse(atJSON, statedir.Say("the sidecar %s has no status", json),
				"list the statuses that it may have: status: [DONE, BLOCKED]")
		}
		evict := x.evict(m, statedir.EvictList, statedir.EvictScoped)
		x.endings(s, atMarkdown, atJSON)
		x.pairMarkdown(s, atMarkdown)
		x.pairJSON(s, atJSON)
		if x.err != nil {
			return
		}
		r := x.c.rows[markdown]
		if r.Sidecar = json; r.Provenance == fromProject {
			r.Kind = "sidecar-markdown"
		}
		for _, r := range []*statedir.Row{r, x.c.rows[json]} {
			if r.Provenance == fromProject && len(r.Eviction) == 0 {
				x.evicts(r, evict)
			}
		}
		x.c.sidecars = append(x.c.sidecars, s)
	}
}

// allowed returns the words that a field of a sidecar may contain, never nil.
func (x *extension) allowed(m frontmatter.Map, key string) []string {
	words := x.words(m, key)
	if e, ok := m.Get(key); ok && x.err == nil {
		x.oneWord(e, words)
	}
	if words == nil {
		return []string{}
	}
	return words
}

func isMarkdown(name string) bool { return strings.HasSuffix(name, ".md") && name != ".md" }

func (x *extension) endings(s statedir.Sidecar, atMarkdown, atJSON int) {
	if !isMarkdown(s.Markdown) {
		x.refuse(atMarkdown, statedir.Say("%s is not a Markdown file", s.Markdown), "its name must end in .md")
	}
	if !strings.HasSuffix(s.JSON, ".json") || s.JSON == ".json" {
		x.refuse(atJSON, statedir.Say("%s is not a JSON file", s.JSON), "its name must end in .json")
	}
}

// pairMarkdown finds or declares the Markdown file of a pair. Such a file has no status of its own.
func (x *extension) pairMarkdown(s statedir.Sidecar, line int) {
	r := x.c.rows[s.Markdown]
	switch {
	case x.err != nil:
	case r == nil:
		x.newRow(statedir.Row{
			Name: s.Markdown, Type: statedir.TypeFile, Kind: "sidecar-markdown", Writers: s.Agent,
			Eviction: []statedir.EvictRule{}, Provenance: fromProject,
			Purpose: "what " + statedir.Shown(s.JSON) + " says, for people",
		}, line)
	case r.Sidecar != "":
		x.refuse(line, statedir.Say("%s has a sidecar already: %s", s.Markdown, r.Sidecar),
			"a Markdown file has one sidecar; remove the entry")
	case len(r.Statuses) > 0:
		x.refuse(line, statedir.Say("%s contains its own status", s.Markdown),
			"a status must be in one place only; remove the entry")
	}
}

// pairJSON finds or declares the JSON file of a pair, among the names of this contract.yaml.
func (x *extension) pairJSON(s statedir.Sidecar, line int) {
	r := x.c.rows[s.JSON]
	switch {
	case x.err != nil:
	case x.old.rows[s.JSON] != nil:
		x.refuse(line, statedir.Say("%s is a built-in name whose rules cannot be changed", s.JSON),
			"choose another name for the sidecar")
	case r == nil:
		x.newRow(statedir.Row{
			Name: s.JSON, Type: statedir.TypeFile, Kind: "sidecar-json", Writers: s.Agent,
			Eviction: []statedir.EvictRule{}, Provenance: fromProject,
			Purpose: "what " + statedir.Shown(s.Markdown) + " says, for programs",
		}, line)
	case r.Kind == "sidecar-json":
		x.refuse(line, statedir.Say("%s is the sidecar of another file already", s.JSON),
			"choose another name for the sidecar")
	default:
		r.Kind = "sidecar-json"
	}
}
