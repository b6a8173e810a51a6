package declaration

import (
	"path"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/statedir/record"
)

// Explanation is the answer about one name (5.15).
type Explanation struct {
	Name   string          `json:"name"`
	Bucket statedir.Bucket `json:"bucket"`
	// Row is the canonical name or the pattern that decides, as in an audit, or nil.
	Row        *string           `json:"row"`
	Detail     Detail            `json:"detail"`
	Schema     string            `json:"schema,omitempty"` // the name for --schema
	Sweeps     map[string]string `json:"sweeps"`           // what cleanup, reset, evict and begin do with it, in words
	Suggestion *string           `json:"suggestion"`       // the most similar allowed name, or nil
	// Why says why it is allowed, or why not and what to do instead (SD-D23).
	Why string `json:"why"`
}

// Detail is the row or pattern that decides about a name. At most one of the two is set.
type Detail struct {
	Row     *statedir.Row     `json:"row"`
	Pattern *statedir.Pattern `json:"pattern"`
}

// Explain returns the answer about a name. A name that ends in "/", or that only a folder can have,
// counts as a folder. Folders stay or move as a whole, so the answer for "notes/x.md" is that for
// "notes/". A name with the path of a state folder, or with "./", before it is the name alone.
// Errors: Usage name_invalid if there is no name, Violation path_outside if it is outside the
// folder.
func (c *Contract) Explain(name string) (Explanation, error) {
	bare, folder, inside, err := c.located(name)
	if err != nil {
		return Explanation{}, err
	}
	class := c.Classify(bare, folder, false)
	e := Explanation{Name: name, Bucket: class.Bucket, Sweeps: c.sweeps(bare, class, folder)}
	if _, ok := c.Schema(bare); ok && !folder {
		e.Schema = bare
	}
	if row := class.Name(); row != "" {
		e.Row = &row
	}
	if class.Row != nil {
		r := *class.Row
		e.Detail.Row = &r
	}
	if class.Pattern != nil {
		p := *class.Pattern
		e.Detail.Pattern = &p
	}
	if near := c.meant(bare, class, folder); near != "" {
		e.Suggestion = &near
	}
	e.Why = c.why(bare, class, folder)
	if inside {
		e.Why = "It is in the folder " + statedir.PlainName(bare+"/") + ", which stays or moves as a whole. " + e.Why
	}
	return e, nil
}

// located returns the entry of the state folder to which a name refers: its bare name, whether it
// is a folder, and whether the name is that of something inside it.
func (c *Contract) located(name string) (bare string, folder, inside bool, err error) {
	clean := path.Clean(name)
	for _, state := range c.prefixes() {
		if rest, ok := strings.CutPrefix(clean, state); ok {
			clean = rest
			break
		}
		if clean+"/" == state {
			clean = "."
			break
		}
	}
	switch {
	case name == "", clean == ".":
		return "", false, false, &report.Error{
			Op: "dir.contract", Kind: report.Usage, Code: report.CodeNameInvalid,
			Message: strconv.Quote(statedir.CutText(name)) + " is not the name of an entry of the state folder",
			Hint:    "give the name of a file or folder in it, such as plan.md",
		}
	case clean == "..", strings.HasPrefix(clean, "../"), strings.HasPrefix(clean, "/"):
		return "", false, false, &report.Error{
			Op: "dir.contract", Kind: report.Violation, Code: report.CodePathOutside,
			Message: strconv.Quote(statedir.CutText(name)) + " is outside the state folder",
			Hint:    "the contract is about the entries of the state folder; give the name alone, such as plan.md",
		}
	}
	bare, _, inside = strings.Cut(clean, "/")
	folder = inside || strings.HasSuffix(name, "/")
	if r := c.rows[bare]; r != nil && r.Type == statedir.TypeDir {
		folder = true
	}
	return bare, folder, inside, nil
}

// meant returns the allowed name that was probably meant instead of a name that is not allowed, or
// "".
func (c *Contract) meant(name string, class statedir.Class, folder bool) string {
	switch {
	case class.Bucket != statedir.AdHoc:
		return ""
	case folder:
		return c.Nearest(name + "/")
	}
	return c.Nearest(name)
}

// why returns the reason why a name is allowed, or what to do instead. Its purpose is in the row or
// the pattern.
func (c *Contract) why(name string, class statedir.Class, folder bool) string {
	what := "name"
	if folder {
		what = "folder"
	}
	switch {
	case class.Bucket == statedir.Canonical && class.Row.Provenance == fromProject:
		return "The project's contract.yaml declares the name."
	case class.Bucket == statedir.Canonical:
		return "The " + what + " is declared."
	case class.Bucket == statedir.PatternAllowed && class.Pattern.Provenance == fromProject:
		return "A pattern of the project's contract.yaml allows the name."
	case class.Bucket == statedir.PatternAllowed:
		return "A pattern allows the name."
	case class.Bucket == statedir.Ephemeral:
		return "This is the name of a left-over file, on which nothing should rely. Temporary files belong in the " +
			"system's temporary folder."
	case class.Reason == ReasonFolder:
		return "The contract allows the name for a file, not for a folder. " + whereToLook
	case folder:
		return "No declared folder has the name, and only the folders of instances need no declaration. " + whereToLook
	}
	return "No declared name and no pattern matches. Use a declared name, a name that a pattern allows, or the JSON " +
		"file with the status " +
		"of a Markdown file. " + whereToLook + " A project can declare further names in " +
		".devt/contract.yaml or .baton/contract.yaml."
}

// whereToLook ends the answer about a name that is not allowed.
const whereToLook = "`baton dir contract` lists what is allowed."

// sweeps returns what each sweep does with an entry, according to its class.
func (c *Contract) sweeps(name string, class statedir.Class, folder bool) map[string]string {
	return map[string]string{
		string(statedir.SweepCleanup): cleanupWords(class),
		string(statedir.SweepReset):   resetWords(class),
		string(statedir.SweepEvict):   c.evictWords(name, class, folder),
		string(statedir.SweepBegin):   c.beginWords(name, class, folder),
	}
}

func cleanupWords(class statedir.Class) string {
	switch class.Bucket {
	case statedir.Canonical:
		return "stays"
	case statedir.PatternAllowed:
		return "moves when it is older than " + days(class.Pattern.StaleDays)
	}
	return "moves"
}

func resetWords(class statedir.Class) string {
	if class.Exempt {
		return "stays: it is exempt"
	}
	return "moves"
}

// evictWords returns what the first matching rule of evict does (5.8.3).
func (c *Contract) evictWords(name string, class statedir.Class, folder bool) string {
	switch {
	case folder:
		return "stays"
	case evicts(class, statedir.EvictList), evicts(class, statedir.EvictGraph):
		return "moves; while a workflow is running, only when it is older than its start"
	case evicts(class, statedir.EvictScoped), c.SlugVariant(name):
		return sessionWords
	}
	return "stays"
}

// sessionWords describes what happens to outputs depending on the session's anchor.
const sessionWords = "moves when it is older than the start of the session"

// beginWords returns what the start of a workflow does (5.8.4).
func (c *Contract) beginWords(name string, class statedir.Class, folder bool) string {
	older := "moves when it is older than the start of the previous workflow, or than " +
		days(statedir.BeginStaleDays) + " if that is unknown"
	always := ", and with --new-session in any case"
	switch {
	case !folder && (evicts(class, statedir.EvictList) || evicts(class, statedir.EvictGraph)):
		return "moves"
	case !folder && evicts(class, statedir.EvictScoped):
		return sessionWords + always
	case class.Bucket == statedir.Ephemeral:
		return "moves"
	case class.Bucket == statedir.PatternAllowed && c.SlugVariant(name):
		return older + always
	case class.Bucket == statedir.PatternAllowed, class.Bucket == statedir.AdHoc:
		return older
	case name == record.FileName:
		return "is rewritten; a copy of the old one goes into the snapshot"
	}
	return "stays"
}

// evicts reports whether an evict rule lists the name.
func evicts(c statedir.Class, rule statedir.EvictRule) bool {
	if c.Row == nil {
		return false
	}
	for _, r := range c.Row.Eviction {
		if r == rule {
			return true
		}
	}
	return false
}

func days(n int) string {
	return safetext.Count(n, "day")
}
