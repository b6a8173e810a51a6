package vectors

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
)

// TestDevtVectors plays the recorded calls of devt's program with baton's commands.
func TestDevtVectors(t *testing.T) {
	t.Parallel()
	for _, c := range load(t, "devt") {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			start := time.Date(2026, 8, 10, 9, 23, 45, 250e6, time.UTC)
			text, _ := json.Marshal(c)
			if strings.Contains(string(text), "{LIVE_PID}") {
				start = time.Now().UTC().Truncate(time.Millisecond) // the process is as old as it is
			}
			clock := start
			now := func() time.Time { return clock }
			if began := time.Now(); strings.Contains(string(text), "/.lock\"") { // a call that waits sees the lock get older
				now = func() time.Time { return clock.Add(time.Since(began).Truncate(time.Second)) }
			}
			p := newPlace(t, c, now, agos(t, c, start)...)
			p.playDevt(start, &clock)
		})
	}
}

// milliseconds is the form of a moment in a record.
const milliseconds = "2006-01-02T15:04:05.000Z"

// ago is a moment before the start of a case, as text or as a folder's stamp.
var ago = regexp.MustCompile(`\{(AGO|SAGO):(-?[0-9.]+)\}`)

// agos returns the tokens of a case and what replaces them.
func agos(t *testing.T, c recorded, start time.Time) []string {
	t.Helper()
	text, _ := json.Marshal(c)
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Skip("there is no program true: ", err)
	}
	list := []string{"{DEAD_PID}", strconv.Itoa(gone.Process.Pid), "{LIVE_PID}", "1"}
	for _, m := range ago.FindAllStringSubmatch(string(text), -1) {
		var seconds float64
		fmt.Sscan(m[2], &seconds)
		at := start.Add(-time.Duration(seconds * 1e9)).UTC().Format(milliseconds)
		if m[1] == "SAGO" {
			at = strings.NewReplacer(":", "-", ".", "-").Replace(at)
		}
		list = append(list, m[0], at)
	}
	return list
}

// between is how long the recorded calls ran after the moment from which ages count, and after each other.
const between = 300 * time.Millisecond

// playDevt runs the native commands of all calls of a case and compares the folder.
func (p *place) playDevt(start time.Time, clock *time.Time) {
	before := p.files()
	p.start = before
	said := ""
	var calls []call
	for _, argv := range append([][]string{p.c.Argv}, thens(p.c)...) {
		for i := range argv {
			argv[i] = p.put(argv[i])
		}
		*clock = clock.Add(between)
		called := devtCall(argv)
		called.record, called.recorded = p.record()
		called.now = clock.UTC().Format(milliseconds)
		calls = append(calls, called)
		row, ok := find(devtForms, called)
		if !ok {
			row = unknownForm
		}
		if row.none != "" {
			p.t.Log(row.none)
			return
		}
		instance, chosen := p.env["DEVT_WORKFLOW_ID"]
		if row.whole {
			delete(p.env, "DEVT_WORKFLOW_ID")
		}
		for _, args := range row.native(called) { // where there are none, the row says why
			step := step{call: called, before: p.files()}
			code, out, errs := p.run(args...)
			step.said = out + errs
			p.steps = append(p.steps, step)
			said += fmt.Sprintf("%q: %d\n", args, code) + out + errs
			var answer sweepAnswer
			if json.Unmarshal([]byte(out), &answer) == nil {
				p.answers = append(p.answers, answer)
			}
		}
		if chosen {
			p.env["DEVT_WORKFLOW_ID"] = instance
		}
	}
	p.compareDevt(calls, before, start, said)
}

// sweepAnswer is what a sweep of baton answers.
type sweepAnswer struct {
	Spared  []struct{ Name, Reason string }
	Dropped []string // snapshots that left the ring
}

// record returns the record that the original would read, and whether there is one.
func (p *place) record() (string, bool) {
	dir := filepath.Join(p.root, ".devt", "state")
	if id := p.env["DEVT_WORKFLOW_ID"]; instance.MatchString(id) {
		dir = filepath.Join(dir, id)
	}
	text, err := os.ReadFile(filepath.Join(dir, "workflow.yaml"))
	return string(text), err == nil
}

// instance is the form of an instance's id.
var instance = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func thens(c recorded) [][]string {
	var list [][]string
	for _, then := range c.Then {
		list = append(list, then.Argv)
	}
	return list
}

// stamped is the name of a snapshot.
var stamped = regexp.MustCompile(`/\.archive/(?:cleanup-|evict-|begin-|prune-)?(20\d\d-\d\d-\d\dT\d\d-\d\d-\d\d-\d\d\dZ)(?:-\d+)?`)

// anonymous replaces the name of a snapshot that a run made by a token.
func anonymous(name string, before map[string]string) string {
	snapshot := stamped.FindString(name)
	if snapshot == "" {
		return name
	}
	for old := range before {
		if stamped.FindString(old) == snapshot {
			return name
		}
	}
	return strings.Replace(name, snapshot, "/.archive/{STAMP}", 1)
}

// tokens are the texts that differ in each run, and what they look like.
var tokens = []struct{ token, pattern string }{
	{`\{NOW\}`, `20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ`},
	{`\{ID\d\}`, `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`},
	{`\{WID\d\}`, `[0-9A-Za-z_-]+`},
	{`"\{(MT:[^}]*|NOW|ANY|AGEMS:[^}]*)\}"`, `.*`},
}

// alike reports whether a text is the one that was recorded, apart from what differs in each run.
func alike(want, got string) bool {
	if want == got || !strings.Contains(want, "{") {
		return want == got
	}
	return regexp.MustCompile(`\A(?s:` + patternOf(want) + `)\z`).MatchString(got)
}

// patternOf returns a pattern for a text with tokens.
func patternOf(want string) string {
	pattern := regexp.QuoteMeta(want)
	for _, t := range tokens {
		pattern = regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(t.token), `\\`, `\`)).ReplaceAllLiteralString(pattern, t.pattern)
	}
	return pattern
}

// compareDevt compares the folder with that of the original.
func (p *place) compareDevt(calls []call, before map[string]string, start time.Time, said string) {
	p.t.Helper()
	after, names := map[string]string{}, map[string]string{}
	for name, text := range p.files() {
		after[anonymous(name, before)], names[anonymous(name, before)] = text, name
	}
	if p.c.Deviation != nil && !p.c.Unchanged {
		p.c.Native = withoutKind(p.c.Native)
		p.native(devtRules, calls, before, after, said)
		return
	}
	raw, want, entries := before, before, map[string]entry{}
	before, after, timeless := recordsAtLinks(raw, after)
	if !p.c.Unchanged {
		want, entries = p.recordedAfter()
	}
	if len(timeless) > 0 {
		_, want, _ = recordsAtLinks(raw, want)
	}
	for _, name := range timeless {
		delete(entries, name)
	}
	all := maps.Clone(want)
	maps.Copy(all, after)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		differences := compareFile(name, want, after)
		if len(differences) == 0 {
			differences = p.compareInfo(name, entries[name], names[name], start)
		}
		for _, d := range differences {
			if !p.explained(devtRules, calls, d, before, said) {
				p.t.Errorf("%s: %q\n%s\n%s", p.c.About, p.c.Argv, d, said)
			}
		}
	}
}

// withoutKind removes the kind of sweep from the names of snapshots that a case expects, because baton's names
// have none (D48).
func withoutKind(native map[string][]string) map[string][]string {
	kind := regexp.MustCompile(`/\.archive/(?:cleanup|evict|begin|prune)-(\{STAMP\}|\*)`)
	found := map[string][]string{}
	for pattern, texts := range native {
		pattern = kind.ReplaceAllString(pattern, "/.archive/$1")
		found[pattern] = append(found[pattern], texts...)
	}
	return found
}

// compareInfo returns where the time or the mode of a file is not the recorded one. A file that was moved or
// left alone keeps both.
func (p *place) compareInfo(name string, want entry, now string, start time.Time) []difference {
	if want.Age == nil && want.Mode == "" {
		return nil
	}
	info, err := os.Lstat(filepath.Join(p.root, now))
	p.must(err)
	var found []difference
	if want.Age != nil {
		at := start.Add(-time.Duration(*want.Age * 1e9))
		if off := info.ModTime().Sub(at).Abs(); off > time.Microsecond {
			found = append(found, difference{name + " time", at.UTC().String(), info.ModTime().UTC().String()})
		}
	}
	if mode := fmt.Sprintf("%03o", info.Mode().Perm()); want.Mode != "" && mode != fmt.Sprintf("%03s", want.Mode) {
		found = append(found, difference{name + " mode", want.Mode, mode})
	}
	return found
}

// compareFile returns where two versions of a file of the folder disagree. A record is compared key by
// key.
func compareFile(name string, want, got map[string]string) []difference {
	was, wanted := want[name]
	is, there := got[name]
	switch {
	case wanted && there && alike(was, is):
		return nil
	case !wanted || !there || !strings.HasSuffix(name, "workflow.yaml"):
		return []difference{{name, was, is}}
	}
	a, b := recordOf(was), recordOf(is)
	names := maps.Clone(a)
	maps.Copy(names, b)
	var found []difference
	for _, key := range slices.Sorted(maps.Keys(names)) {
		if !alike(a[key], b[key]) {
			found = append(found, difference{name + " " + key, a[key], b[key]})
		}
	}
	return found
}

// recordOf reads a record as the original does: the values by their keys, as they are written. Lines that
// are no keys, and those below a key, come together under "?".
func recordOf(text string) map[string]string {
	record := map[string]string{}
	blank := func(r rune) bool { return unicode.IsSpace(r) && r != 0x85 || r == 0xfeff }
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		key, value, ok := strings.Cut(strings.TrimFunc(line, blank), ":")
		below := strings.HasPrefix(line, "  ") && strings.Contains(text, "lanes:")
		if ok && !below && recordKey.MatchString(key) {
			value = strings.TrimFunc(value, blank)
			if value != "" || record[key] == "" { // a line without a value says nothing
				record[key] = value
			}
		} else {
			record["?"] += line
		}
	}
	return record
}

// recordKey is the form of a key.
var recordKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// recordedAfter returns the files that the original left, as text and as they were recorded.
func (p *place) recordedAfter() (want map[string]string, entries map[string]entry) {
	want, entries = map[string]string{}, map[string]entry{}
	for name, raw := range p.c.After {
		var e entry
		if raw[0] == '"' {
			p.must(json.Unmarshal(raw, &e.Text))
		} else {
			p.must(json.Unmarshal(raw, &e))
		}
		if slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return own(part, true) }) {
			continue
		}
		name = strings.Replace(p.put(name), "/.archive/cleanup-{STAMP}", "/.archive/{STAMP}", 1)
		entries[name] = e
		switch {
		case e.Base64 != nil:
			text, err := base64.StdEncoding.DecodeString(*e.Base64)
			p.must(err)
			want[name] = string(text)
		case e.Text != nil:
			want[name] = p.put(*e.Text)
		case e.Link != nil:
			want[name] = "-> " + p.put(*e.Link)
		case e.Fifo:
			want[name] = "p---------"
		case e.Dir:
			want[name] = emptyFolder
		}
	}
	return want, entries
}
