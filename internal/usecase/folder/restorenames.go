package folder

import (
	"slices"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir/record"
	"baton/internal/workspace"
)

// Choose returns the requested entries, each once. A word is the bytes of a name, or the form in
// which answers or a terminal show it. A word that could refer to several entries is refused, even
// if it is the exact name of one of them. Otherwise the same command could restore another entry
// the second time. All words are looked up in one map, because a manifest may list any number of
// entries.
func (j *Restore) Choose(all []string) ([]string, error) {
	known, shown, chosen := map[string]bool{}, map[string][]string{}, map[string]bool{}
	for _, name := range all {
		if known[name] {
			continue // a manifest written by hand may list a name twice
		}
		known[name] = true
		form := workspace.ShownEntry(name)
		if form != name {
			shown[form] = append(shown[form], name)
		}
		if picture := pictured(form); picture != form {
			shown[picture] = append(shown[picture], name)
		}
	}
	var out []string
	for _, word := range j.R.Names {
		found := shown[word]
		if len(found) == 0 && !known[word] {
			found = shown[upperEscapes(word)]
		}
		if known[word] {
			found = append(found, word)
		}
		if len(found) != 1 {
			return nil, j.unchosen(word, len(found))
		}
		name := found[0]
		// The folder has an entry with exactly these bytes, which may have come from the snapshot.
		// A manifest would still list it; without one, nobody can know.
		if _, here := j.V.items[word]; here && name != word && j.manifest == nil {
			return nil, j.unchosen(word, 2)
		}
		if !chosen[name] {
			chosen[name] = true
			out = append(out, name)
		}
	}
	return out, nil
}

// unchosen returns the error for a word that matches n entries, none or several.
func (j *Restore) unchosen(word string, n int) error {
	if n == 0 {
		return &report.Error{
			Kind: report.NotFound, Code: report.CodeEntryUnknown, Path: j.A.dir(j.snapshot),
			Message: safetext.Quote(word) + " is not in the snapshot " + j.snapshot,
			Hint:    "`baton dir restore " + j.snapshot + "` shows what is in it",
		}
	}
	return &report.Error{
		Kind: report.Usage, Code: report.CodeEntryAmbiguous, Path: j.A.dir(j.snapshot),
		Message: strconv.Itoa(n) + " entries of the snapshot and the folder are called or shown as " +
			safetext.Quote(word),
		Hint: "give the exact name of one of them, or restore the whole snapshot",
	}
}

// upperEscapes returns a word with escapes in the case in which answers show them: \xff as \xFF.
func upperEscapes(word string) string {
	b := []byte(word)
	for i := 0; i+3 < len(b); i++ {
		if b[i] == '\\' && b[i+1] == 'x' {
			copy(b[i+2:i+4], strings.ToUpper(word[i+2:i+4]))
		}
	}
	return string(b)
}

// pictured returns a name as a terminal shows it, with symbols for control characters.
func pictured(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20:
			return 0x2400 + r
		case r == 0x7f:
			return 0x2421
		}
		return r
	}, name)
}

// leavesCopy reports whether an entry is the record's copy made by a begin, which stays in the
// snapshot. A restore without names should bring back the files of the previous workflow, but must
// not replace the present record.
func (j *Restore) leavesCopy(name string) bool {
	_, taken := j.V.items[name]
	if name != record.FileName || !taken || j.R.Swap || len(j.R.Names) > 0 {
		return false
	}
	i, known := j.listed[name]
	return known && j.manifest.Entries[i].Reason == reasonCopy
}

// unread reports an entry that has the manifest's name but is not a file.
func (j *Restore) unread() []report.Finding {
	name := j.A.manifest(j.snapshot)
	return slices.DeleteFunc(j.A.oddities(), func(f report.Finding) bool {
		return f.Code != report.CodeManifestInvalid || f.Path != name
	})
}
