package declaration

import (
	"io/fs"
	"maps"
	"slices"
	"strings"

	"baton/internal/frontmatter"
	jsonschema "baton/internal/jsontext/schema"
	"baton/internal/statedir"
	"baton/internal/statedir/record"
)

// What extends may name: the contract to which a contract.yaml adds.
const (
	extendsDevt = "devt"
	extendsNone = "none"
)

// bare returns a contract with the names only that baton needs itself. Any type, phase and tier is
// allowed.
func bare() *Contract {
	all := Declared()
	c := &Contract{
		rows: map[string]*statedir.Row{}, gates: map[string]string{}, ephemerals: all.ephemerals,
		staleDays: all.staleDays, words: &record.Words{}, bare: true,
	}
	writers := map[string][]string{
		record.FileName:        {"baton dir begin", "baton dir update"},
		statedir.LockName:      {"every writer of the record"},
		statedir.ArchiveName:   {"baton dir reset, cleanup, evict, begin"},
		statedir.InstancesName: {"the first command of an instance"},
	}
	for _, r := range all.order {
		if who, needed := writers[r.Name]; needed {
			own := *r
			own.Writers = who
			c.add(&own)
		}
	}
	return c
}

// base reads extends, which decides on the contract to which everything else is added (F-74).
func (x *extension) base(m frontmatter.Map) {
	e, ok := m.Get("extends")
	switch {
	case !ok, e.Value == extendsDevt:
	case e.Value == extendsNone:
		x.old = bare()
		x.c = x.old.copied()
	default:
		x.refuse(e.Line, "extends is neither devt nor none", "write extends: none to begin without devt's names, or "+
			"leave the key out")
	}
}

// taken are the folders of other programs, at any depth, because a project can contain others.
var taken = [...]string{".git", ".baton", ".devt", ".planning", ".specflow"}

// TakenFolders returns the names of folders that have another purpose, so that no declared folder
// is one of them, is inside one, or has one in it.
func TakenFolders() []string { return slices.Clone(taken[:]) }

// folder reads the folder that takes the place of the layout's. The file comes from a repository,
// so the folder must be inside the project and must not be one that has another purpose (D45).
func (x *extension) folder(e frontmatter.Entry) {
	name, isText := e.Value.(string)
	if name = strings.TrimSuffix(name, "/"); !isText {
		x.refuse(e.Line, "folder is not a text", "name one folder, such as work/agents")
	}
	parts := strings.Split(strings.ToLower(name), "/")
	switch {
	case name == "", name == ".", !fs.ValidPath(name), strings.ContainsAny(name, "\\:"), hasControl(name):
		x.refuse(e.Line, statedir.Say("%s is not a folder below the project's root", name),
			"name one with slashes and without . and .., such as work/agents")
	case slices.ContainsFunc(taken[:], func(other string) bool { return slices.Contains(parts, other) }):
		x.refuse(e.Line, statedir.Say("%s is in a folder that has another purpose", name), "choose a folder of its own")
	}
	x.c.dir = name
}

// wordLists reads types, phases and tiers. They are added to those of the extended contract.
func (x *extension) wordLists(m frontmatter.Map) {
	words := record.DevtWords()
	if x.c.words != nil {
		*words = *x.c.words
	}
	for _, list := range []struct {
		key  string
		into *[]string
	}{{"types", &words.Types}, {"phases", &words.Phases}, {"tiers", &words.Tiers}} {
		e, ok := m.Get(list.key)
		if !ok || x.err != nil {
			continue
		}
		if e.Value == "any" {
			*list.into = nil
			continue
		}
		more := x.list(e)
		x.oneWord(e, more)
		for _, w := range more {
			if slices.Contains(*list.into, w) {
				x.refuse(x.lineOf(e.Line, w), statedir.Say("%s is known already", w), "remove it from "+list.key)
			}
		}
		*list.into = slices.Concat(*list.into, more)
	}
	if has(m, "types") || has(m, "phases") || has(m, "tiers") {
		x.c.words = words
	}
}

// inputs reads JSON files that one step writes for another.
func (x *extension) inputs(e frontmatter.Entry) {
	for _, m := range x.mappings(e) {
		x.keys(m, "name", "writer", "purpose", "required", "recommended", "schema", "exempt", "evict")
		name, line := x.text(m, e.Line, "name")
		if !isJSON(name) {
			x.refuse(line, statedir.Say("%s is not a JSON file", name), "its name must end in .json")
		}
		r := statedir.Row{
			Name: name, Type: statedir.TypeFile, Kind: "input-json", Writers: x.words(m, "writer"),
			Purpose: x.optional(m, "purpose"), Exempt: x.flag(m, "exempt"), Provenance: fromProject,
			Eviction: x.evict(m, statedir.EvictList, statedir.EvictScoped),
		}
		in := input{
			name: name, title: r.Purpose, required: x.words(m, "required"), recommended: x.words(m, "recommended"),
		}
		x.newRow(r, line)
		x.schema(m, name)
		if x.err == nil && (in.required != nil || in.recommended != nil) {
			x.c.inputs = append(x.c.inputs, in)
		}
	}
}

// folders reads names of folders.
func (x *extension) folders(e frontmatter.Entry) {
	for _, m := range x.mappings(e) {
		x.keys(m, "name", "writer", "purpose", "exempt")
		name, line := x.text(m, e.Line, "name")
		x.newRow(statedir.Row{
			Name: strings.TrimSuffix(name, "/"), Type: statedir.TypeDir, Kind: "project", Writers: x.words(m, "writer"),
			Purpose: x.optional(m, "purpose"), Exempt: x.flag(m, "exempt"), Provenance: fromProject,
			Eviction: []statedir.EvictRule{},
		}, line)
	}
}

// leftovers reads patterns of names that every cleanup moves.
func (x *extension) leftovers(e frontmatter.Entry) {
	for _, m := range x.mappings(e) {
		x.keys(m, "pattern", "purpose")
		text, line := x.text(m, e.Line, "pattern")
		p := statedir.Pattern{Pattern: text, Use: x.optional(m, "purpose"), Provenance: fromProject}
		f, what, hint := x.compile(p)
		if what != "" {
			x.refuse(line, what+": "+statedir.Shown(text), hint)
		}
		if x.err != nil {
			return
		}
		x.wide(f, x.c.order, line)
		x.c.ephemerals = append(x.c.ephemerals, f)
	}
}

// evict reads which rule of evict and begin moves the file: "workflow" means that it belongs to one
// workflow, "session" that it belongs to one session (5.8.3).
func (x *extension) evict(m frontmatter.Map, workflow, session statedir.EvictRule) []statedir.EvictRule {
	e, ok := m.Get("evict")
	word, _ := e.Value.(string)
	rule := map[string]statedir.EvictRule{"workflow": workflow, "session": session}[word]
	switch {
	case !ok:
		return []statedir.EvictRule{}
	case rule == "" && workflow == "":
		x.refuse(e.Line, "evict is not session", "write evict: session")
	case rule == "":
		x.refuse(e.Line, "evict is neither workflow nor session", "write evict: workflow for a file that the start of "+
			"the next workflow moves, evict: session for one that stays until the session is over")
	case x.flag(m, "exempt"):
		x.refuse(e.Line, "an exempt file is never evicted", "remove exempt or evict")
	}
	return []statedir.EvictRule{rule}
}

// schema reads the JSON Schema of a file of the project.
func (x *extension) schema(m frontmatter.Map, name string) {
	e, ok := m.Get("schema")
	if !ok || x.err != nil {
		return
	}
	if !isJSON(name) {
		x.refuse(e.Line, statedir.Say("%s is not a JSON file, so it has no schema", name), "its name must end in .json")
		return
	}
	s, fault := jsonschema.Compile(e.Value, e.Line, &x.room)
	if fault != nil {
		x.refuse(fault.Line, statedir.Say("the schema of %s: ", name)+fault.What, fault.Hint)
		return
	}
	if x.c.own == nil {
		x.c.own = map[string]*jsonschema.Schema{}
	}
	x.c.own[name] = s
}

// ownSchemas returns the names of the files for which a project wrote a schema, sorted.
func (c *Contract) ownSchemas() []string { return slices.Sorted(maps.Keys(c.own)) }

func isJSON(name string) bool { return strings.HasSuffix(name, ".json") && name != ".json" }

// Folder returns the folder that takes the place of the layout's, or "".
func (c *Contract) Folder() string { return c.dir }

// Words returns the words of the record, or nil for those of the original tool.
func (c *Contract) Words() *record.Words { return c.words }

// Bare reports whether the contract began without the names of the original tool.
func (c *Contract) Bare() bool { return c.bare }

// prefixes returns the paths of the state folders as they occur in texts.
func (c *Contract) prefixes() []string {
	known := statedir.FolderPrefixes()
	if c.dir == "" {
		return known[:]
	}
	return append(known[:], c.dir+"/")
}
