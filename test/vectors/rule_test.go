package vectors

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// rule names the decision behind a difference. A rule looks at the form of the call, at the place of
// the difference and at what both sides wrote; it never looks at the name of a case.
type rule struct {
	why   string // the decision, and what it says
	verb  string // pattern for the verb; "" is any
	place string // pattern for the place, which begins with the file
	want  string // pattern for what the original wrote; "" is anything
	got   string // pattern for what baton wrote; "" is anything
	when  func(situation) bool
}

// situation is a difference with what is known around it.
type situation struct {
	difference
	calls  []call
	argv   []string // the first call as it was recorded
	env    map[string]*string
	setup  []string
	before map[string]string // the files before the call, by name
	after  map[string]string // the files that the original left
	now    map[string]string // the files that baton left
	said   string            // what baton printed
	swept  []sweepAnswer     // what its sweeps answered
	steps  []step            // the calls one by one
	same   bool              // the original changed nothing
}

// step is one call of a case: the files before it, and what baton printed.
type step struct {
	call   call
	before map[string]string
	said   string
}

// file returns the file of a difference as it was before.
func (s situation) file() string { return s.before[strings.Fields(s.place)[0]] }

// roadmap returns the roadmap beside a digest.
func (s situation) roadmap() string {
	return s.before[strings.Replace(strings.Fields(s.place)[0], "STATE.md", "ROADMAP.md", 1)]
}

// kept reports whether baton left alone what was there before: a line of the body, or a value of the front
// matter.
func kept(s situation) bool {
	v := viewOf(s.file())
	if _, name, ok := strings.Cut(s.place, " head "); ok {
		return v.head[name] == s.got
	}
	return s.got != "" && slices.ContainsFunc(v.body, func(l line) bool { return l.text == s.got })
}

// untouched reports whether baton changed no file.
func untouched(s situation) bool { return maps.Equal(s.before, s.now) }

// headless reports whether the file had no front matter.
func headless(s situation) bool { return len(viewOf(s.file()).head) == 0 }

// explained reports whether a rule names the decision behind a difference.
func (p *place) explained(rules []rule, calls []call, d difference, before map[string]string, said string) bool {
	_, files, _ := recordsAtLinks(p.start, p.files())
	now := map[string]string{}
	for name, text := range files {
		now[anonymous(name, p.start)] = text
	}
	s := situation{
		difference: d, calls: calls, argv: p.c.Argv, env: p.c.Env, setup: p.c.Setup, before: before,
		after: map[string]string{}, now: now, said: said, swept: p.answers, steps: p.steps,
		same: p.c.Unchanged,
	}
	for name, raw := range p.c.After {
		var text string
		if json.Unmarshal(raw, &text) == nil {
			s.after[name] = text
		}
	}
	return slices.ContainsFunc(rules, func(r rule) bool {
		return slices.ContainsFunc(calls, func(c call) bool { return fits(r.verb, c.verb) }) && fits(r.place, d.place) &&
			fits(r.want, d.want) && fits(r.got, d.got) && (r.when == nil || r.when(s))
	})
}

func fits(pattern, text string) bool { return regexp.MustCompile(`(?s)` + pattern).MatchString(text) }

// glob reports whether a name fits a pattern in which `*` stands for any text.
func glob(pattern, name string) bool {
	first, rest, more := strings.Cut(pattern, "*")
	if !more {
		return name == pattern
	}
	name, ok := strings.CutPrefix(name, first)
	for at := 0; ok && at <= len(name); at++ {
		if glob(rest, name[at:]) {
			return true
		}
	}
	return false
}

// native checks the texts that some file must have, those that none may have, and the files that must be
// gone, where baton departs from the original on purpose.
func (p *place) native(rules []rule, calls []call, before, after map[string]string, said string) {
	p.t.Helper()
	named := func(pattern string) []string {
		var texts []string
		for _, name := range slices.Sorted(maps.Keys(after)) {
			if glob(p.put(pattern), name) {
				texts = append(texts, strings.ReplaceAll(after[name], "\r\n", "\n"))
			}
		}
		return texts
	}
	has := func(texts []string, text string) bool {
		text = p.put(strings.ReplaceAll(text, "\r\n", "\n"))
		for _, shape := range nativeShapes {
			text = regexp.MustCompile(shape.theirs).ReplaceAllString(text, shape.ours)
		}
		return slices.ContainsFunc(texts, func(have string) bool {
			return strings.Contains(have, text) || utf8.ValidString(text) && fits(patternOf(text), have)
		})
	}
	about := func(d difference) {
		if !p.explained(rules, calls, d, before, said) {
			p.t.Errorf("%s (%s): %q\n%s\n%s", p.c.About, *p.c.Deviation, p.c.Argv, d, said)
		}
	}
	for pattern, texts := range p.c.Native {
		for _, text := range texts {
			if !has(named(pattern), text) {
				about(difference{pattern, text, strings.Join(named(pattern), "\n")})
			}
		}
	}
	for pattern, texts := range p.c.Lacks {
		for _, text := range texts {
			if has(named(pattern), text) {
				about(difference{pattern + " lacks", "", text})
			}
		}
	}
	for _, pattern := range p.c.Absent {
		if len(named(pattern)) > 0 {
			about(difference{pattern + " absent", "", "there"})
		}
	}
	for name, want := range p.c.Mode {
		info, err := os.Stat(filepath.Join(p.root, p.put(name)))
		p.must(err)
		if mode := strconv.FormatUint(uint64(info.Mode().Perm()), 8); mode != strings.TrimLeft(want, "0") {
			about(difference{name + " mode", want, mode})
		}
	}
	for _, name := range p.c.Links {
		if !strings.HasPrefix(after[name], "-> ") {
			about(difference{name, "a link", after[name]})
		}
	}
}

// nativeShapes are lines that baton writes in a shape of its own, where a case asks for those of the
// original.
var nativeShapes = []struct{ theirs, ours, why string }{
	{`^Phase: \S+ \((.*)\) — EXECUTING$`, `($1)`, "N6: `Phase: N of Y (name)`"},
}
