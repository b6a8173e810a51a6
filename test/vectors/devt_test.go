package vectors

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestDevtVectors plays the recorded calls of devt's program with baton's commands.
func TestDevtVectors(t *testing.T) {
	t.Parallel()
	for _, c := range load(t, "devt") {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			start := time.Date(2026, 8, 10, 9, 23, 45, 250e6, time.UTC)
			p := newPlace(t, c, func() time.Time { return start }, agos(t, c, start)...)
			p.playDevt(start)
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
	list := []string{"{DEAD_PID}", strconv.Itoa(gone.Process.Pid), "{LIVE_PID}", strconv.Itoa(os.Getppid())}
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

// playDevt runs the native commands of all calls of a case and compares the folder.
func (p *place) playDevt(start time.Time) {
	before := p.files()
	said := ""
	var calls []call
	for _, argv := range append([][]string{p.c.Argv}, thens(p.c)...) {
		for i := range argv {
			argv[i] = p.put(argv[i])
		}
		called := devtCall(argv)
		called.record, called.now = before[".devt/state/workflow.yaml"], start.UTC().Format(milliseconds)
		calls = append(calls, called)
		row, ok := find(devtForms, called)
		if !ok {
			row = form{native: always(argv...)}
		}
		if row.none != "" {
			p.t.Log(row.none)
			return
		}
		native := row.native(called)
		if len(native) == 0 {
			return // the row says why
		}
		for _, args := range native {
			code, out, errs := p.run(args...)
			said += fmt.Sprintf("%q: %d\n", args, code) + out + errs
		}
	}
	p.compareDevt(calls, before, p.files(), start, said)
}

func thens(c recorded) [][]string {
	var list [][]string
	for _, then := range c.Then {
		list = append(list, then.Argv)
	}
	return list
}

// stamped is the name of a snapshot.
var stamped = regexp.MustCompile(`/\.archive/(?:cleanup-|evict-|begin-|prune-)?(20\d\d-\d\d-\d\dT\d\d-\d\d-\d\d-\d\d\dZ)`)

// anonymous replaces the names of the snapshots that a run made by a token.
func anonymous(files map[string]string, start time.Time) map[string]string {
	first := strings.NewReplacer(":", "-", ".", "-").Replace(start.UTC().Format(milliseconds))
	named := map[string]string{}
	for name, text := range files {
		if m := stamped.FindStringSubmatch(name); m != nil && m[1] >= first {
			name = strings.Replace(name, m[0], "/.archive/{STAMP}", 1)
		}
		named[name] = text
	}
	return named
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
	pattern := regexp.QuoteMeta(want)
	for _, t := range tokens {
		pattern = regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(t.token), `\\`, `\`)).ReplaceAllLiteralString(pattern, t.pattern)
	}
	return regexp.MustCompile(`\A(?s:` + pattern + `)\z`).MatchString(got)
}

// compareDevt compares the folder with that of the original.
func (p *place) compareDevt(calls []call, before, after map[string]string, start time.Time, said string) {
	p.t.Helper()
	after = anonymous(after, start)
	if p.c.Deviation != nil && !p.c.Unchanged {
		p.native(devtRules, calls, before, after, said)
		return
	}
	want := before
	if !p.c.Unchanged {
		want = p.recordedAfter()
	}
	names := maps.Clone(want)
	maps.Copy(names, after)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for _, d := range compareFile(name, want, after) {
			if !p.explained(devtRules, calls, d, before, said) {
				p.t.Errorf("%s: %q\n%s\n%s", p.c.About, p.c.Argv, d, said)
			}
		}
	}
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

// recordOf reads a record: the values by their keys, as they are written.
func recordOf(text string) map[string]string {
	record := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		if ok && !strings.HasPrefix(key, " ") {
			record[key] = strings.TrimSpace(value)
		} else {
			record["?"] += line
		}
	}
	return record
}

// recordedAfter returns the files that the original left.
func (p *place) recordedAfter() map[string]string {
	want := map[string]string{}
	for name, raw := range p.c.After {
		var e entry
		if raw[0] == '"' {
			p.must(json.Unmarshal(raw, &e.Text))
		} else {
			p.must(json.Unmarshal(raw, &e))
		}
		if own(name, true) {
			continue
		}
		name = strings.Replace(p.put(name), "/.archive/cleanup-{STAMP}", "/.archive/{STAMP}", 1)
		switch {
		case e.Text != nil:
			want[name] = p.put(*e.Text)
		case e.Link != nil:
			want[name] = "-> " + p.put(*e.Link)
		case e.Fifo:
			want[name] = "p---------"
		}
	}
	return want
}
