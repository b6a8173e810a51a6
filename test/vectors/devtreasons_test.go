package vectors

import (
	"encoding/json"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
)

// source returns the name of the file of a difference as it was before, even if the snapshot has it now.
func (s situation) source() string {
	file, _, _ := s.key()
	return strings.Replace(file, "/.archive/{STAMP}/", "/", 1)
}

// key splits the place of a difference into the file and the key of a record. ofRecord is false for a whole
// file.
func (s situation) key() (file, key string, ofRecord bool) {
	if file, key, ofRecord = strings.Cut(s.place, "workflow.yaml "); ofRecord {
		return file + "workflow.yaml", key, true
	}
	return s.place, "", false
}

// entry returns the entry of the state folder to which a difference belongs, wherever it was moved.
func (s situation) entry() string {
	_, name, _ := strings.Cut(s.place, ".devt/state/")
	if rest, archived := strings.CutPrefix(name, ".archive/"); archived {
		_, name, _ = strings.Cut(rest, "/")
	}
	first, _, _ := strings.Cut(name, "/")
	return first
}

// was returns what the place of a difference held before the call.
func (s situation) was() string {
	_, key, ofRecord := s.key()
	if !ofRecord {
		return s.before[s.place]
	}
	return recordOf(s.before[s.source()])[key]
}

// same reports whether the place of a difference is as it was before the call.
func same(s situation) bool { return s.got == s.was() }

// given returns the last value that the calls gave a key.
func (s situation) given(key string) (value string, ok bool) {
	for _, c := range s.calls {
		for _, word := range c.words {
			if name, text, pair := strings.Cut(word, "="); pair && name == key && strings.HasSuffix(c.verb, "update") {
				value, ok = text, true
			}
		}
	}
	return value, ok
}

// passedOver reports whether a difference of a longer case is what a refused call would have changed.
func (s situation) passedOver(refused step) bool {
	file, key, ofRecord := s.key()
	if !ofRecord {
		return len(s.steps) > 1 && (s.got == refused.before[file] || s.got == refused.before[s.source()])
	}
	return slices.ContainsFunc(refused.call.words, func(word string) bool {
		name, _, pair := strings.Cut(word, "=")
		return pair && len(s.steps) > 1 && (name == key || slices.Contains(derived[name], key))
	})
}

// derived has the keys of a record that follow from other keys.
var derived = map[string][]string{
	"complexity":  {"tier"},
	"created_at":  {"first_created_at"},
	"workflow_id": {"original_workflow_id", "workflow_id_history"},
	"active": {
		"created_at", "first_created_at", "workflow_id", "original_workflow_id", "workflow_id_history",
		"stopped_at", "stopped_phase", "phase", "status", "released_at",
	},
}

// leftTheRing reports whether the answer names the snapshot among those that left the ring.
func leftTheRing(s situation) bool {
	_, name, _ := strings.Cut(s.place, "/.archive/")
	name, _, _ = strings.Cut(name, "/")
	return slices.ContainsFunc(s.swept, func(answer sweepAnswer) bool {
		return slices.ContainsFunc(answer.Dropped, func(left string) bool { return glob(name, left) })
	})
}

// laterName reports whether the original does not know the entry of a difference, nor a pattern for it, but the
// seed or later releases do, and baton left it alone.
func laterName(s situation) bool {
	if !same(s) {
		return false
	}
	_, rest, _ := strings.Cut(s.place, s.entry())
	class := declaration.Declared().Classify(s.entry(), strings.HasPrefix(rest, "/"), false)
	if p := class.Pattern; p != nil && class.Bucket == statedir.PatternAllowed {
		return p.Since != "" || p.Provenance == "baton"
	}
	return class.Row != nil && !class.Row.Declared
}

// movedFolder reports whether a folder with the name of an exempt file was moved as it was.
func movedFolder(s situation) bool {
	moved := s.got == "" || s.source() != s.place && s.got == s.before[s.source()]
	return moved && declaration.Declared().Classify(s.entry(), false, false).Exempt
}

// movedLink reports whether baton moved a link of the folder as a link, or left it alone.
func movedLink(s situation) bool {
	name := ".devt/state/" + s.entry()
	link := s.before[name]
	if s.entry() == "" || !strings.HasPrefix(link, "-> ") {
		return false
	}
	if strings.Contains(s.place, "/.archive/") {
		return s.got == link || s.want == link && s.now[name] == link
	}
	return s.want == link && s.got == "" || s.place == name && s.got == link
}

// readsBack reports whether baton's form of a value reads as the one that was given.
func readsBack(s situation) bool {
	_, key, _ := s.key()
	value, ok := s.given(key)
	read, has := record.Read([]byte(key + ": " + s.got)).Value(key)
	if _, text := read.(string); !text {
		var meant, is any
		list, err := json.Marshal(read)
		return ok && has && err == nil && json.Unmarshal(list, &is) == nil && json.Unmarshal([]byte(value), &meant) == nil &&
			reflect.DeepEqual(is, meant)
	}
	return ok && has && read == value
}

// untouchedLine reports whether baton left alone what no word of the calls names and what no stamp is.
func untouchedLine(s situation) bool {
	_, key, _ := s.key()
	_, given := s.given(key)
	stamped := regexp.MustCompile(`^(created_at|workflow_id|first_created_at|original_workflow_id|validation_.*)$`).MatchString(key)
	released := slices.Contains([]string{"active false", "phase cancelled", "status cancelled", `released_at "{NOW}"`}, key+" "+s.want) &&
		slices.ContainsFunc(s.calls, func(c call) bool { return c.verb == "state release" })
	means := func(value string) string { return strings.Trim(value, `"'`) }
	quoted, _ := record.Read([]byte(key + ": " + s.want)).Value(key)               // the original took quotes and a comment for text
	kept := strings.TrimRight(s.got, "\r\n") == strings.TrimRight(s.was(), "\r\n") // the last line may get an end
	return s.got != "" && kept && !given && !released && (!stamped || means(s.got) == means(s.want) || quoted == s.was())
}

// indented reports whether the key of a difference is only in an indented line, which is still there or went with
// the value of the key above.
func indented(s situation) bool {
	file, key, _ := s.key()
	released := slices.ContainsFunc(s.calls, func(c call) bool { return c.verb == "state release" })
	above, found := "", false
	for line := range strings.Lines(s.before[s.source()]) {
		name, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimLeft(line, " \t\ufeff"), "- "), ":")
		_, given := s.given(above)
		if given = given || released && slices.Contains([]string{"active", "phase", "status", "released_at"}, above); !ok {
			continue
		}
		switch inside := line[0] == ' ' || line[0] == '\t'; {
		case name == key && !inside:
			return false
		case name == key:
			found = found || given || strings.Contains(s.now[file], strings.TrimRight(line, "\r\n"))
		case !inside:
			above = name
		}
	}
	return found
}

// moreErrors reports whether baton's mark says that it found more errors than the original.
func moreErrors(s situation) bool {
	if strings.HasSuffix(s.place, "_status") {
		return s.got == "warned"
	}
	theirs, _ := strconv.Atoi(s.want)
	ours, err := strconv.Atoi(s.got)
	return err == nil && ours > theirs
}

// otherInstance reports whether a difference is in the folder or the register of an instance, and nothing there
// moved.
func otherInstance(s situation) bool {
	last, instance := s.before, s.entry() == ".instances"
	for _, one := range s.steps { // an earlier call may have made it
		last = one.before
		_, record := last[".devt/state/"+s.entry()+"/workflow.yaml"]
		_, registered := last[".devt/state/.instances/"+s.entry()+".json"]
		instance = instance || record || registered
		for name := range last { // its own archive shows one too
			instance = instance || strings.HasPrefix(name, ".devt/state/"+s.entry()+"/.archive/")
		}
	}
	if s.place == ".devt/state/.archive" { // where nothing moves, it stays empty
		instance = slices.ContainsFunc(s.swept, func(a sweepAnswer) bool { return len(a.Spared) > 0 })
	}
	return instance && (same(s) || s.got == last[s.place])
}

// longerHistory reports whether baton's list has what was there before and what the original has, and more, or
// the same with the original id first.
func longerHistory(s situation) bool {
	got := idsIn(s.got)
	all := append(idsIn(s.want), idsIn(s.was())...)
	if text := s.was(); !strings.Contains(text, "[") && text != "" && text != "null" {
		all = append(all, strings.Trim(text, `"'`))
	}
	if slices.ContainsFunc(all, func(id string) bool { return !slices.Contains(got, id) }) {
		return false
	}
	file, _, _ := s.key()
	first := recordOf(s.now[file])["original_workflow_id"]
	return len(got) > strings.Count(s.want, ",")+1 || s.want == `"[]"` || !strings.Contains(s.want, "[") || len(got) > 0 && got[0] == first
}

// idsIn returns the texts in a list of a record.
func idsIn(list string) []string {
	var texts []string
	for _, m := range regexp.MustCompile(`\\*"([^"\\{}\[\],]+)\\*"`).FindAllStringSubmatch(list, -1) {
		texts = append(texts, m[1])
	}
	return texts
}

// noAnchor reports whether the session has no moment as its start, and baton's list has nothing but ids of the
// original's.
func noAnchor(s situation) bool {
	_, anchored := record.Read([]byte(s.before[s.source()])).Time("first_created_at", time.Now().AddDate(1000, 0, 0))
	return !anchored && !slices.ContainsFunc(idsIn(s.got), func(id string) bool {
		return !slices.Contains(idsIn(s.want), id) && !strings.Contains(s.want, "{ID")
	})
}

// spared returns a condition: the difference is only that a file is still there, and the answer says that evict
// spares it for one of these reasons.
func spared(reasons ...string) func(situation) bool {
	return func(s situation) bool {
		for _, answer := range s.swept {
			for _, kept := range answer.Spared {
				file := ".devt/state/" + kept.Name
				text, there := s.before[file]
				if slices.Contains(reasons, kept.Reason) && there && s.now[file] == text && (s.place == file+" absent" ||
					strings.Contains(s.place, "/.archive/") && s.want != "" && strings.Contains(text, s.want)) {
					return true
				}
			}
		}
		return false
	}
}

// recordsAtLinks returns the files with records that are links inside the project, and stayed links, as if the
// link were the record: baton writes where it leads, and the original in its place (4.4). The times of these
// files say nothing.
func recordsAtLinks(before, after map[string]string) (was, is map[string]string, timeless []string) {
	was, is = maps.Clone(before), maps.Clone(after)
	for name, text := range before {
		target, link := led(before, name)
		old, there := before[target]
		_, now := after[target]
		switch {
		case !link || path.Base(name) != "workflow.yaml" || after[name] != text || !now || old == emptyFolder:
			continue
		case there:
			was[name], is[name], is[target] = old, after[target], old
		default: // it led nowhere
			is[name] = after[target]
			delete(was, name)
			delete(is, target)
		}
		timeless = append(timeless, name, target)
	}
	return was, is, timeless
}

// led returns where a link leads, or a link there.
func led(files map[string]string, name string) (target string, link bool) {
	for range 10 {
		to, another := strings.CutPrefix(files[name], "-> ")
		if !another {
			break
		}
		name, link = path.Join(path.Dir(name), to), true
	}
	return name, link
}

// goneManifest reports whether a file is the manifest of a snapshot that is not there.
func goneManifest(s situation) bool {
	snapshot := strings.TrimSuffix(s.place, ".manifest.json")
	for name := range s.now {
		if strings.HasPrefix(name, snapshot+"/") {
			return false
		}
	}
	return snapshot != s.place
}

// foreignFolder reports whether the archive had a folder or a file that no tool made as a snapshot.
func foreignFolder(s situation) bool {
	for name := range s.before {
		_, rest, inside := strings.Cut(name, "/.archive/")
		first, _, _ := strings.Cut(rest, "/")
		if _, snapshot := cleanup.ParseSnapshot(first); inside && !snapshot {
			return same(s) || strings.Contains(s.place, "/.archive/{STAMP}/") // SD-K1
		}
	}
	return false
}
