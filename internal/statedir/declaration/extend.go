package declaration

import (
	"maps"
	"slices"
	"strconv"

	"baton/internal/frontmatter"
	jsonschema "baton/internal/jsontext/schema"
	"baton/internal/report"
	"baton/internal/statedir"
)

// Extend reads a project's contract.yaml and returns the extended contract; c does not change. The
// file may only add (SD-D22). name is used in messages. Errors: Corrupt contract_invalid, with file
// and line, for a file that is invalid or takes something away. Then nothing in it applies (SD-56).
func (c *Contract) Extend(name string, src []byte) (*Contract, error) {
	x := extension{file: name, src: src, old: c, c: c.copied(), room: jsonschema.MostRoom, left: NewEffort()}
	if len(src) > mostContract {
		x.refuse(0, "the file is larger than 1 MB", "a pattern can stand for many names")
		return nil, x.err
	}
	m, err := frontmatter.ParseYAMLExact(src)
	if err != nil {
		e := report.As(err)
		x.refuse(e.Line, e.Message, e.Hint)
	}
	x.read(m)
	if x.err != nil {
		return nil, x.err
	}
	return x.c, nil
}

// extension is the state of reading a contract.yaml. Reading ends at the first error.
type extension struct {
	file string
	src  []byte
	old  *Contract // the contract to extend
	c    *Contract // old and the additions so far
	room jsonschema.Room
	left Effort // for comparing patterns with declared names
	err  error
}

// mostContract is the largest size of a contract.yaml, in bytes. Every command reads it.
const mostContract = 1 << 20

// compile compiles a pattern of the file if there is room for it.
func (x *extension) compile(p statedir.Pattern) (f form, what, hint string) {
	before := x.room
	if re2, wrong, _ := translate(p.Pattern); wrong == "" && !x.room.Take(re2) {
		return form{}, jsonschema.TooLarge, jsonschema.TooLargeHint
	}
	f, what, hint = compile(p)
	f.weight = int(before - x.room)
	return f, what, hint
}

// copied returns a copy of c that can be extended.
func (c *Contract) copied() *Contract {
	n := *c
	n.order, n.rows = make([]*statedir.Row, len(c.order)), maps.Clone(c.rows)
	for i, r := range c.order {
		row := *r
		n.order[i], n.rows[r.Name] = &row, &row
	}
	n.patterns, n.later = copiedForms(c.patterns), copiedForms(c.later)
	n.letters, n.sidecars = slices.Clone(c.letters), slices.Clone(c.sidecars)
	n.ephemerals, n.inputs, n.slugs = slices.Clone(c.ephemerals), slices.Clone(c.inputs), slices.Clone(c.slugs)
	n.own = maps.Clone(c.own)
	for i := range n.evicted {
		n.evicted[i] = slices.Clone(c.evicted[i])
	}
	return &n
}

func copiedForms(forms []form) []form {
	out := make([]form, len(forms))
	for i, f := range forms {
		p := *f.pattern
		f.pattern = &p
		out[i] = f
	}
	return out
}

// refuse sets the error, unless one is already set. line 0 means the whole file.
func (x *extension) refuse(line int, what, hint string) {
	if x.err != nil {
		return
	}
	where := x.file
	if line > 0 {
		where += ":" + strconv.Itoa(line)
	}
	x.err = &report.Error{
		Op: "dir.contract", Kind: report.Corrupt, Code: report.CodeContractInvalid, Message: where + ": " + what,
		Path: x.file,
		Line: line, Hint: hint,
	}
}

// read reads the whole file. Sidecars come after names, because they may pair names from anywhere
// in the file. Retention comes before patterns, which take their default age from it.
func (x *extension) read(m frontmatter.Map) {
	x.keys(m, "version", "extends", "folder", "types", "phases", "tiers", "canonical", "inputs", "folders", "patterns",
		"leftovers", "sidecars", "exempt", "retention")
	x.version(m)
	x.base(m)
	x.wordLists(m)
	if e, ok := m.Get("retention"); ok {
		x.retention(e)
	}
	for _, part := range []struct {
		key  string
		take func(frontmatter.Entry)
	}{
		{"folder", x.folder},
		{"canonical", x.canonical},
		{"inputs", x.inputs},
		{"folders", x.folders},
		{"patterns", x.patternList},
		{"sidecars", x.sidecarList},
		{"leftovers", x.leftovers},
		{"exempt", x.exempt},
	} {
		if e, ok := m.Get(part.key); ok && x.err == nil {
			part.take(e)
		}
	}
}

func (x *extension) version(m frontmatter.Map) {
	e, ok := m.Get("version")
	switch {
	case !ok:
		x.refuse(0, "the version is missing", "begin the file with: version: 1")
	case e.Value != int64(1):
		x.refuse(e.Line, "the version is not 1", "write version: 1; other versions are not known to this program")
	}
}

func (x *extension) retention(e frontmatter.Entry) {
	m := x.mapping(e.Value, e.Line, "retention")
	x.keys(m, "stale_days", "archive_runs")
	if days, ok := x.number(m, "stale_days", 0); ok {
		x.c.staleDays = days
		for i := range x.c.patterns {
			x.c.patterns[i].pattern.StaleDays = days
		}
		for i := range x.c.later {
			x.c.later[i].pattern.StaleDays = days
		}
	}
	if runs, ok := x.number(m, "archive_runs", 1); ok {
		x.c.runs = runs
	}
}

// canonical reads the names.
func (x *extension) canonical(e frontmatter.Entry) {
	for _, m := range x.mappings(e) {
		x.keys(m, "name", "writer", "purpose", "statuses", "schema", "exempt", "evict")
		name, line := x.text(m, e.Line, "name")
		r := statedir.Row{
			Name: name, Type: statedir.TypeFile, Kind: "project", Writers: x.words(m, "writer"),
			Purpose:  x.optional(m, "purpose"),
			Statuses: x.words(m, "statuses"), Exempt: x.flag(m, "exempt"), Provenance: fromProject,
			Eviction: x.evict(m, statedir.EvictList, statedir.EvictScoped),
		}
		x.statuses(m, r)
		if held := x.old.rows[name]; x.err == nil && held != nil && held.Exempt && !r.Exempt && has(m, "exempt") {
			x.refuse(line, statedir.Say("%s is exempt from reset and cannot lose that", name),
				"a contract.yaml only adds; remove the entry")
		}
		x.newRow(r, line)
		x.schema(m, name)
	}
}

// statuses checks the words for the status line of a Markdown file.
func (x *extension) statuses(m frontmatter.Map, r statedir.Row) {
	e, ok := m.Get("statuses")
	if !ok || x.err != nil {
		return
	}
	if len(r.Statuses) > 0 && !isMarkdown(r.Name) {
		x.refuse(e.Line, statedir.Say("statuses are read from Markdown files only, and %s is not one", r.Name),
			"declare the words of a JSON file under sidecars")
	}
	x.oneWord(e, r.Statuses)
}

// patternList reads the patterns.
func (x *extension) patternList(e frontmatter.Entry) {
	for _, m := range x.mappings(e) {
		x.keys(m, "pattern", "purpose", "stale_days", "evict")
		text, line := x.text(m, e.Line, "pattern")
		p := statedir.Pattern{
			Pattern: text, Use: x.optional(m, "purpose"), StaleDays: x.c.staleDays, Provenance: fromProject,
		}
		if days, ok := x.number(m, "stale_days", 0); ok {
			p.StaleDays = days
		}
		if x.err != nil {
			return
		}
		if has(m, "evict") {
			p.Eviction = x.evict(m, "", statedir.EvictSlug)
		}
		f, what, hint := x.compile(p)
		if what != "" {
			x.refuse(line, what+": "+statedir.Shown(text), hint)
			return
		}
		x.wide(f, x.old.order, line)
		if f.slug = len(p.Eviction) > 0; f.slug {
			x.c.slugs = append(x.c.slugs, text)
		}
		x.c.patterns = append(x.c.patterns, f)
	}
}

// wide refuses a pattern that also matches names whose class the contract already defines.
func (x *extension) wide(f form, rows []*statedir.Row, line int) {
	narrow := "make it narrower: begin it with a word with which only its files begin"
	if f.matches("") {
		x.refuse(line, "the pattern matches the empty name: "+statedir.Shown(f.pattern.Pattern), narrow)
	}
	for _, r := range rows {
		if x.left.spend([]form{f}, r.Name); x.left < 0 {
			x.refuse(line, jsonschema.TooLarge, jsonschema.TooLargeHint)
			return
		}
		if f.matches(r.Name) {
			x.refuse(line, statedir.Say("the pattern matches %s, which is declared: %s", r.Name, f.pattern.Pattern),
				narrow)
		}
	}
	for _, p := range slices.Concat(x.old.ephemerals, x.old.patterns) {
		for _, example := range p.pattern.Examples {
			if f.matches(example) {
				x.refuse(line, statedir.Say("the pattern matches %s, which the pattern %s already covers: %s", example,
					p.pattern.Pattern, f.pattern.Pattern), narrow)
			}
		}
	}
}

// exempt exempts canonical names from reset.
func (x *extension) exempt(e frontmatter.Entry) {
	if _, isMap := e.Value.(frontmatter.Map); isMap {
		x.refuse(e.Line, "exempt is not a list of names",
			"write exempt: [NAME, NAME]; exemptions can only be added")
		return
	}
	for _, name := range x.list(e) {
		bare := name
		if n := len(name) - 1; n > 0 && name[n] == '/' {
			bare = name[:n]
		}
		r := x.c.rows[bare]
		if r == nil {
			x.refuse(x.lineOf(e.Line, name), statedir.Say("%s is not a declared name, so it cannot be exempt", name),
				x.meant(name, "declare it under canonical first"))
			return
		}
		r.Exempt = true
	}
}
