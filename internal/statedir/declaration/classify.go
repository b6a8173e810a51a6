package declaration

import (
	"baton/internal/statedir"
)

// ClassifyEntry is Classify for what was found in a folder. A link is asked for by its own name,
// whatever it points to: one that has the name of a declared folder is that folder for the
// contract, so that no sweep but reset takes away what a project linked there, and reset only where
// the folder is not exempt (5.4).
func (c *Contract) ClassifyEntry(e statedir.Entry) statedir.Class {
	if e.Kind == statedir.Link {
		if r := c.rows[e.Name]; e.Instance || r != nil && r.Type == statedir.TypeDir {
			return c.folder(e.Name, r, e.Instance)
		}
	}
	return c.Classify(e.Name, e.Kind == statedir.Dir, e.Instance)
}

// Classify returns the class of a name by the contract (5.4). dir says that it is a folder,
// instance that it is the folder of an instance. The name is matched as it is: case matters. It
// takes about 100 ns, so that a folder of 10,000 entries costs no more than listing it.
func (c *Contract) Classify(name string, dir, instance bool) statedir.Class {
	r := c.rows[name]
	if dir {
		return c.folder(name, r, instance)
	}
	if r != nil && r.Type == statedir.TypeFile {
		return statedir.Class{Bucket: statedir.Canonical, Row: r, Exempt: r.Exempt}
	}
	if p := firstMatch(c.ephemerals, name); p != nil {
		return statedir.Class{Bucket: statedir.Ephemeral, Pattern: p}
	}
	if p := firstMatch(c.patterns, name); p != nil {
		return statedir.Class{Bucket: statedir.PatternAllowed, Pattern: p}
	}
	return statedir.Class{Bucket: statedir.AdHoc}
}

// folder is Classify for folders, which are canonical by the rows of folders and by being an
// instance's, and by nothing else (SD-12).
func (c *Contract) folder(name string, r *statedir.Row, instance bool) statedir.Class {
	switch {
	case r != nil && r.Type == statedir.TypeDir:
		return statedir.Class{Bucket: statedir.Canonical, Row: r, Exempt: r.Exempt}
	case instance:
		return statedir.Class{Bucket: statedir.Canonical, Exempt: true}
	case r != nil || firstMatch(c.patterns, name) != nil && firstMatch(c.ephemerals, name) == nil:
		return statedir.Class{Bucket: statedir.AdHoc, Reason: ReasonFolder}
	}
	return statedir.Class{Bucket: statedir.AdHoc}
}

// ReasonFolder is the reason of a folder that has the name of a file which the contract allows.
const ReasonFolder = "folder"

// SlugVariant reports whether a name is one of several variants of an output, which evict moves by
// its third rule (5.8.3): never one that is canonical. Every form of that rule is the same as the
// forms of some rows together, so that the rows decide; a test holds them to c.slugs.
func (c *Contract) SlugVariant(name string) bool {
	if c.rows[name] != nil {
		return false
	}
	for i := range c.patterns {
		if c.patterns[i].slug && c.patterns[i].matches(name) {
			return true
		}
	}
	return false
}

// firstMatch returns the first pattern that a name has, nil for none.
func firstMatch(forms []form, name string) *statedir.Pattern {
	for i := range forms {
		if forms[i].matches(name) {
			return forms[i].pattern
		}
	}
	return nil
}
