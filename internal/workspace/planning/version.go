package planning

import (
	"bytes"
	"encoding/json"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Version is a release of GSD, major and minor.
type Version struct{ Major, Minor int }

// seeds is the release of which the rules hold if nothing says which one a project has.
var seeds = Version{1, 10}

// Whole is the first release that works with whole words, counts a phase only with a passed
// verification, and lists every pending to-do (D47).
var Whole = Version{1, 14}

// Before reports whether v is older than other.
func (v Version) Before(other Version) bool {
	return v.Major < other.Major || v.Major == other.Major && v.Minor < other.Minor
}

// String returns a version such as 1.14.
func (v Version) String() string { return strconv.Itoa(v.Major) + "." + strconv.Itoa(v.Minor) }

// mostHook is how much of a hook is read for its version, which is on its second line.
const mostHook = 64 << 10

// VersionOf returns the release of a project's GSD (D47). set is the setting gsd.version, client
// the user's folder of Claude Code, and stamped says that the digest has a state_head.
func VersionOf(root, client, set string, stamped bool) Version {
	for s := range Sources(root, client, set, stamped) {
		return s.Version
	}
	return seeds
}

// Source is a place that says which GSD a project has.
type Source struct {
	Name    string
	Version Version
	Least   bool // or a newer one
}

// Contradicts reports whether no release fits both places. s is the one that decides.
func (s Source) Contradicts(other Source) bool {
	return s.Version != other.Version && !(other.Least && other.Version.Before(s.Version))
}

// Sources returns the places that say which GSD a project has, the one that decides first. Each is
// read only when it is asked for. The parameters are those of VersionOf.
func Sources(root, client, set string, stamped bool) iter.Seq[Source] {
	return func(yield func(Source) bool) {
		if v, ok := parseVersion(set); ok && !yield(Source{Name: "gsd.version", Version: v}) {
			return
		}
		var c struct {
			Version any `json:"version"`
		}
		if json.Unmarshal(ReadFile(filepath.Join(root, ".planning", "config.json"), MostConfig), &c) == nil {
			text, _ := c.Version.(string)
			if v, ok := parseVersion(text); ok && !yield(Source{Name: ".planning/config.json", Version: v}) {
				return
			}
		}
		for _, dir := range [...]string{filepath.Join(root, ".claude"), client} {
			if dir == "" {
				continue
			}
			if v, ok := hookVersion(filepath.Join(dir, "hooks")); ok {
				if !yield(Source{Name: "the hooks of GSD", Version: v}) {
					return
				}
				break // the project's own hooks hide the user's
			}
		}
		if stamped {
			yield(Source{Name: "state_head", Version: Whole, Least: true})
		}
	}
}

// hookVersion returns the newest version of GSD's hooks in a folder.
func hookVersion(dir string) (newest Version, found bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return newest, false
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "gsd-") {
			continue
		}
		text := ReadFile(filepath.Join(dir, e.Name()), mostHook)
		_, rest, marked := bytes.Cut(text[:min(len(text), 512)], []byte("gsd-hook-version:"))
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		if v, ok := parseVersion(strings.TrimSpace(string(line))); marked && ok && (!found || newest.Before(v)) {
			newest, found = v, true
		}
	}
	return newest, found
}

// parseVersion reads a version such as 1.14.0 or v1.14.
func parseVersion(text string) (v Version, ok bool) {
	major, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "v"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	var first, second error
	v.Major, first = strconv.Atoi(major)
	v.Minor, second = strconv.Atoi(minor)
	return v, first == nil && second == nil
}
