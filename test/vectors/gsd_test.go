package vectors

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestGSDVectors plays the recorded calls of GSD's programs with baton's commands.
func TestGSDVectors(t *testing.T) {
	t.Parallel()
	for _, c := range load(t, "gsd") {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c, func() time.Time { return time.UnixMilli(c.NowMS) })
			if c.Program == "statusline" {
				p.statusLine()
				return
			}
			p.playGSD()
		})
	}
}

// playGSD runs the native commands of a call and compares the files.
func (p *place) playGSD() {
	called := gsdCall(p.c.Argv)
	row, ok := find(gsdForms, called)
	switch {
	case ok:
	case strings.HasPrefix(called.verb, "state"):
		row = form{native: always(p.c.Argv...)} // an unknown verb is refused
	default:
		row = form{none: "GSD-D17: of gsd-tools, only the commands for the state are played here; test/originals plays `phase complete`"}
	}
	if row.none != "" {
		p.t.Log(row.none)
		return
	}
	if ws := called.global["--ws"]; ws != "" {
		p.env["GSD_WORKSTREAM"] = ws
	}
	native := row.native(called)
	if len(native) == 0 {
		return // the row says why
	}
	before := p.files()
	said := ""
	for _, args := range native {
		if dir := called.global["--cwd"]; dir != "" {
			args = append([]string{"-C", p.put(dir)}, args...)
		}
		for i := range args {
			args[i] = p.put(args[i])
		}
		_, out, errs := p.run(args...)
		said += strings.Join(args, " ") + "\n" + out + errs
	}
	p.judge(called, before, said)
}

// judge compares the files with those of the original, and reports what no row explains.
func (p *place) judge(called call, before map[string]string, said string) {
	p.t.Helper()
	after := p.files()
	if p.c.Deviation != nil {
		p.native(gsdRules(), []call{called}, before, after, said)
		return
	}
	want := before
	if !p.c.Unchanged {
		want = map[string]string{}
		for name, raw := range p.c.After {
			var text string
			p.must(json.Unmarshal(raw, &text))
			want[name] = text
		}
	}
	names := maps.Clone(want)
	maps.Copy(names, after)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, wanted := want[name]
		is, there := after[name]
		var found []difference
		switch {
		case was == is:
		case !wanted || !there:
			found = []difference{{name, was, is}}
		default:
			found = compare(name, was, is)
		}
		if len(found) == 0 && was != is && p.c.Unchanged {
			found = []difference{{name + " bytes", was, is}} // an untouched file stays as it is
		}
		for _, d := range found {
			if !p.explained(gsdRules(), []call{called}, d, before, said) {
				p.t.Errorf("%s: %q\n%s\n%s", p.c.About, p.c.Argv, d, said)
			}
		}
	}
}

// gsdRules explains where baton's commands leave another file than gsd-tools.
func gsdRules() []rule { return slices.Concat(stepRules, valueRules, sectionRules) }

// statusLine compares the line. Nothing but the bridge file may change.
func (p *place) statusLine() {
	before := p.files()
	_, out, _ := p.run("statusline")
	if want := *p.c.Stdout; want != out {
		d := difference{"the line", want, out}
		if p.c.Stdin == nil || strings.TrimSpace(*p.c.Stdin) == "" {
			d.place = "the line without input"
		}
		if !p.explained(lineRules, []call{{}}, d, before, out) {
			p.t.Errorf("%s: %v\n%s", p.c.About, p.c.Env, d)
		}
	}
	if !maps.Equal(before, p.files()) {
		p.t.Errorf("%s: the status line changed a file", p.c.About)
	}
}
