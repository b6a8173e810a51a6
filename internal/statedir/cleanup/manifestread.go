package cleanup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"baton/internal/report"
	"baton/internal/statedir"
)

// ReadManifest reads a manifest. name is used in messages. Errors: Corrupt manifest_invalid if the
// text is not a valid manifest. It is also invalid if a name leads outside the folder, because
// restoring moves entries to these names (SD-9), or if a name occurs twice.
func ReadManifest(name string, src []byte) (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(src, &m); err != nil {
		return Manifest{}, manifestInvalid(name, manifestLine(src, err), "it is not the JSON of a manifest", err)
	}
	if m.Version != ManifestVersion {
		return Manifest{}, manifestInvalid(name, 0, fmt.Sprintf("its version is %d, and this program knows version %d",
			m.Version, ManifestVersion), nil)
	}
	if !knownSweep(m.Kind) {
		return Manifest{}, manifestInvalid(name, 0, fmt.Sprintf("%q is not a kind of sweep", string(m.Kind)), nil)
	}
	known := make(map[string]bool, len(m.Entries))
	for i, e := range m.Entries {
		what := e.fault()
		if what == "" && known[e.RawName()] {
			what = fmt.Sprintf("the name %q occurs twice", e.Name)
		}
		if what != "" {
			return Manifest{}, manifestInvalid(name, 0, fmt.Sprintf("entry %d: %s", i+1, what), nil)
		}
		known[e.RawName()] = true
	}
	return m, nil
}

// fault returns what is wrong with an entry, or "" if it is valid.
func (e ManifestEntry) fault() string {
	raw := e.RawName()
	if shown, rest := statedir.ShownName(raw); shown != e.Name || !bytes.Equal(rest, e.NameBytes) {
		return fmt.Sprintf("name_bytes does not match the name %q", e.Name)
	}
	if raw == "" || raw == "." || raw == ".." || strings.ContainsAny(raw, "/\x00") {
		return fmt.Sprintf("%q is not a valid name", e.Name)
	}
	if !slices.Contains([]statedir.Kind{statedir.File, statedir.Dir, statedir.Link, statedir.Other}, e.Kind) {
		return fmt.Sprintf("%q is not a kind of file", string(e.Kind))
	}
	if !knownState(e.State) {
		return fmt.Sprintf("%q is not a state", e.State)
	}
	return ""
}

func knownSweep(s statedir.Sweep) bool {
	return slices.Contains([]statedir.Sweep{
		statedir.SweepCleanup, statedir.SweepReset, statedir.SweepEvict, statedir.SweepBegin, statedir.SweepPrune,
		statedir.SweepRestore,
	}, s)
}

// knownState reports whether a word is a state of an entry in a manifest.
func knownState(state string) bool {
	switch state {
	case StatePlanned, StateMoved, StateVanished, StateChanged, StateFailed, StateRestored, StateTaken, StateMissing:
		return true
	}
	return false
}

// manifestLine returns the 1-based line of an error in the JSON, or 0 if the error has no position.
func manifestLine(src []byte, err error) int {
	var at int64
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = e.Offset
	} else if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at = e.Offset
	} else {
		return 0
	}
	return 1 + bytes.Count(src[:min(max(int(at)-1, 0), len(src))], []byte("\n"))
}

func manifestInvalid(name string, line int, what string, err error) *report.Error {
	shown, _ := statedir.ShownName(name)
	return &report.Error{
		Op: "dir.restore", Kind: report.Corrupt, Code: report.CodeManifestInvalid, Path: shown, Line: line,
		Message: "the manifest " + shown + " cannot be used: " + what,
		Hint: "the entries are in the folder next to it; move them back by hand, or remove the manifest to restore " +
			"the snapshot as it is",
		Err: err,
	}
}

// CompleteManifest adds the outcomes of the entries to a manifest. The store calls it after the
// last move, and also when it finishes an interrupted sweep, so calling it twice gives the same
// result. Entries are identified by the bytes of their names, and the first outcome of a name
// counts. Outcomes of unknown entries or with unknown states are ignored. An unreadable manifest is
// returned unchanged.
func CompleteManifest(src []byte, outcomes []Outcome) []byte {
	m, err := ReadManifest("", src)
	if err != nil {
		return src
	}
	open := make(map[string]*ManifestEntry, len(m.Entries))
	for i := range m.Entries {
		open[m.Entries[i].RawName()] = &m.Entries[i]
	}
	for _, o := range outcomes {
		if e := open[o.Name]; e != nil && knownState(o.State) {
			e.State, e.Error = o.State, ""
			if o.State == StateFailed {
				e.Error = strings.ToValidUTF8(o.Error, string(utf8.RuneError))
			}
			delete(open, o.Name)
		}
	}
	m.Complete = true
	return m.Encode()
}
