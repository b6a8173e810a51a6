package planning

import (
	"bytes"
	"encoding/json"
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

// mostHook is how much of a hook is read for its version, which is on its second line.
const mostHook = 64 << 10

// VersionOf returns the release of a project's GSD (D47). set is the setting gsd.version, client
// the user's folder of Claude Code, and stamped says that the digest has a state_head.
func VersionOf(root, client, set string, stamped bool) Version {
	if v, ok := parseVersion(set); ok {
		return v
	}
	var c struct {
		Version any `json:"version"`
	}
	if json.Unmarshal(ReadFile(filepath.Join(root, ".planning", "config.json"), MostConfig), &c) == nil {
		if text, isText := c.Version.(string); isText {
			if v, ok := parseVersion(text); ok {
				return v
			}
		}
	}
	for _, dir := range [...]string{filepath.Join(root, ".claude"), client} {
		if dir == "" {
			continue
		}
		if v, ok := hookVersion(filepath.Join(dir, "hooks")); ok {
			return v
		}
	}
	if stamped {
		return Whole
	}
	return seeds
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
