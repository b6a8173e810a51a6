package declaration

import (
	"slices"

	jsonschema "baton/internal/jsontext/schema"
	"baton/internal/statedir"
	"baton/internal/statedir/record"
)

// Contract is the program's declaration together with a project's additions (5.15). It does not
// change. Callers must not change what its rows and patterns refer to.
type Contract struct {
	order      []*statedir.Row          // in the order of the declaration, followed by the project's
	letters    []letterCount            // of the names in order, for Nearest
	rows       map[string]*statedir.Row // by name; a file and a folder never have the same name
	patterns   []form
	later      []form // forms of the original tool that only its later releases use
	ephemerals []form
	sidecars   []statedir.Sidecar
	evicted    [3][]string // names of the three evict lists in order
	never      []string    // outputs of several workflows, which only reset moves, in order
	slugs      []string    // forms of evict rule 3 in order
	gates      map[string]string
	staleDays  int // StaleDays unless the project's contract sets another number
	runs       int // from the project's contract, or 0 if it sets none
	inputs     []input
	own        map[string]*jsonschema.Schema // of the project's own files
	words      *record.Words                 // nil: those of the original tool
	dir        string                        // takes the place of the layout's, or ""
	bare       bool                          // without the names of the original tool
}

// Declared returns the program's contract without additions.
func Declared() *Contract {
	declared := declaredRows()
	c := &Contract{
		rows: make(map[string]*statedir.Row, len(declared)), gates: make(map[string]string),
		staleDays: statedir.StaleDays, inputs: declaredInputs(),
	}
	for _, d := range declared {
		c.add(d.row())
		if d.gate != "" {
			c.gates[d.name] = d.gate
		}
	}
	for _, d := range declared {
		if d.sidecar == nil {
			continue
		}
		p := *d.sidecar
		c.sidecars = append(c.sidecars, statedir.Sidecar{
			JSON: d.name, Markdown: p.markdown, Status: p.status, Verdict: p.verdict, Agent: p.agent,
			Provenance: d.from,
		})
		c.rows[p.markdown].Sidecar = d.name
	}
	for i, rule := range evictRules() {
		c.evicted[i] = inPlace(declared, func(d declaredRow) (string, int) { return d.name, d.place(rule) })
	}
	c.never = inPlace(declared, func(d declaredRow) (string, int) { return d.name, d.never })
	patterns := declaredPatterns()
	for _, d := range patterns {
		d.StaleDays = statedir.StaleDays
		if d.slug > 0 {
			d.Eviction = []statedir.EvictRule{statedir.EvictSlug}
		}
		c.patterns = append(c.patterns, declaredForm(d.Pattern, d.slug > 0))
	}
	for _, d := range laterPatterns() {
		d.StaleDays = statedir.StaleDays
		c.later = append(c.later, declaredForm(d.Pattern, false))
	}
	c.slugs = inPlace(patterns, func(d declaredPattern) (string, int) {
		if d.wide != "" {
			return d.wide, d.slug
		}
		return d.Pattern.Pattern, d.slug
	})
	for _, p := range declaredEphemerals() {
		c.ephemerals = append(c.ephemerals, declaredForm(p, false))
	}
	return c
}

// add appends a canonical name. Only a contract that is not shared yet may change.
func (c *Contract) add(r *statedir.Row) {
	c.order = append(c.order, r)
	c.letters = append(c.letters, lettersOf(r.Name))
	c.rows[r.Name] = r
}

// evictRules returns the evict rules that are lists of names.
func evictRules() [3]statedir.EvictRule {
	return [3]statedir.EvictRule{statedir.EvictList, statedir.EvictScoped, statedir.EvictGraph}
}

// inPlace returns the texts of the elements that have a position, in the order of the positions,
// which start at 1.
func inPlace[T any](all []T, place func(T) (string, int)) []string {
	list := make([]string, len(all))
	for _, one := range all {
		if text, at := place(one); at > 0 {
			list[at-1] = text
		}
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// EvictionList returns the names that an evict rule moves, in order (5.8.3).
func (c *Contract) EvictionList(rule statedir.EvictRule) []string {
	for i, r := range evictRules() {
		if r == rule {
			return slices.Clone(c.evicted[i])
		}
	}
	return nil
}

// ArchiveRuns returns the number of snapshots in a ring according to the project's contract, or 0
// if it sets none.
func (c *Contract) ArchiveRuns() int { return c.runs }

// Rows returns the canonical names in the order of the declaration, followed by the project's.
func (c *Contract) Rows() []statedir.Row {
	rows := make([]statedir.Row, len(c.order))
	for i, r := range c.order {
		rows[i] = *r
	}
	return rows
}

// Patterns returns the allowed patterns in order, followed by the project's and by those of later
// releases of the original tool.
func (c *Contract) Patterns() []statedir.Pattern { return append(texts(c.patterns), texts(c.later)...) }

// Ephemerals returns the patterns of left-overs.
func (c *Contract) Ephemerals() []statedir.Pattern { return texts(c.ephemerals) }

// Sidecars returns the pairs, followed by the project's.
func (c *Contract) Sidecars() []statedir.Sidecar { return slices.Clone(c.sidecars) }

func texts(forms []form) []statedir.Pattern {
	patterns := make([]statedir.Pattern, len(forms))
	for i, f := range forms {
		patterns[i] = *f.pattern
	}
	return patterns
}
