package selftest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// netRemains is what was left after all processes ended, before and after lost entries were
// restored.
type netRemains struct {
	before, after map[string][]byte // documents by name
	offered       []byte            // answer of "lost --all --json"
	still         []byte            // answer of "lost --json" after "lost --restore"
	leftovers     []string          // files that should not be there
}

// finish makes one more change, which finishes or undoes what killed processes left, and collects
// what is there. Nothing writes or kills any more, so everything has to answer.
func (g *guarded) finish(ctx context.Context) (left netRemains, err error) {
	w := netWriter{g: g, n: g.o.Writers, rng: dice(g.o.Seed, uint64(3000+g.o.Writers)), immortal: true}
	if _, err := w.change(ctx, decide); err != nil {
		return left, err
	}
	ask := func(line string) (out []byte) {
		if err != nil {
			return nil
		}
		var a answer
		a, err = g.ask(ctx, line)
		return a.stdout
	}
	read := func() (docs map[string][]byte) {
		if err == nil {
			docs, err = contents(g.root)
		}
		return docs
	}
	left.offered = ask("lost --all --json")
	left.before = read()
	ask("lost --restore --json")
	left.after = read()
	left.still = ask("lost --json")
	ask("log --check --json")
	ask("status --json")
	if err == nil {
		err = g.versions(ctx, ask("snapshot list --limit 0 --json"))
	}
	if err == nil {
		left.leftovers, err = leftovers(g.root)
	}
	return left, err
}

// netVersions is the number of kept versions that are read, spread over all of them.
const netVersions = 12

// versions checks that each version that is listed as written has its bytes.
func (g *guarded) versions(ctx context.Context, answered []byte) error {
	var view struct {
		Versions []struct {
			Revision string `json:"revision"`
			Kind     string `json:"kind"`
		} `json:"versions"`
	}
	if err := json.Unmarshal(answered, &view); err != nil {
		g.h.fault("the list of kept versions is no JSON: %v", err)
		return nil
	}
	step := max(1, len(view.Versions)/netVersions)
	for i := 0; i < len(view.Versions); i += step {
		if view.Versions[i].Kind == "appended" { // the text before it may be gone from the file
			continue
		}
		if _, err := g.ask(ctx, "snapshot show "+view.Versions[i].Revision+" --raw"); err != nil {
			return err
		}
	}
	return nil
}

// contents returns the bytes of all documents of a project.
func contents(root string) (map[string][]byte, error) {
	names, err := documents(root)
	if err != nil {
		return nil, cannotMake(root, err)
	}
	docs := map[string][]byte{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, cannotMake(name, err)
		}
		docs[name] = data
	}
	return docs, nil
}

// lostList has the fields of "lost --json" that the checker uses.
type lostList struct {
	Lost []struct {
		Text  string `json:"text"`
		Label string `json:"label"`
		Fate  string `json:"fate"`
	} `json:"lost"`
}

func (l lostList) text(fate string) []byte {
	var b strings.Builder
	for _, e := range l.Lost {
		if fate == "" || e.Fate == fate {
			b.WriteString(e.Text + "\n")
		}
	}
	return []byte(b.String())
}

// guard compares what is there and what is offered with what was acknowledged, and writes tally and
// failures into the report.
func (r *Report) guard(h *history, left netRemains) {
	for _, name := range left.leftovers {
		if !strings.Contains(name, "/conflicts/") { // what an editor wrote in the instant of a write is set aside there
			r.fail("%s was left behind in the project whose documents were damaged", name)
		}
	}
	var offered, still lostList
	for data, into := range map[*[]byte]*lostList{&left.offered: &offered, &left.still: &still} {
		if err := json.Unmarshal(*data, into); err != nil {
			r.fail("what is lost cannot be listed: %v", err)
			return
		}
	}
	for _, e := range still.Lost {
		r.fail("%s is still lost after it was put back", e.Label)
	}
	for _, kind := range [...]deed{decide, entry, obstruct} {
		r.guardKind(h, kind, left, offered)
	}
}

func (r *Report) guardKind(h *history, kind deed, left netRemains, list lostList) {
	before, after, put := left.counts(kind)
	offered, lost := map[string]int{}, map[string]int{}
	markers(list.text(""), kind, offered)
	markers(list.text("lost"), kind, lost)
	for _, c := range h.changes {
		if c.deed != kind {
			continue
		}
		m := c.marker
		if c.outcome == acknowledged {
			r.Net.Acknowledged++
			switch {
			case before[m] > 0:
				r.Net.Present++
			case offered[m] > 0:
				r.Net.Offered++
			default:
				r.Net.Lost++
				r.fail("%s was acknowledged, and is in no document and not offered by `baton lost`", nameOf(c))
			}
		}
		switch {
		case put[m] > lost[m]:
			// a part of it that damage left is an entry too, so that it may be offered more than
			// once
			r.Net.Doubled++
			r.fail("%s was offered %d times and put back %d times", nameOf(c), lost[m], put[m])
		case before[m]+lost[m] > 0 && after[m] == 0:
			r.fail("%s was there %d times and offered %d times, and is gone since what was lost is put back", nameOf(
				c,
			), before[m], lost[m])
		}
	}
}

// counts counts markers before and after lost entries were restored, and how many more there are in
// documents that were not deleted. A deleted one comes back as a whole, whatever other documents
// have.
func (l netRemains) counts(kind deed) (before, after, put map[string]int) {
	before, after, put = map[string]int{}, map[string]int{}, map[string]int{}
	for _, data := range l.before {
		markers(data, kind, before)
	}
	for name, data := range l.after {
		markers(data, kind, after)
		was, now := map[string]int{}, map[string]int{}
		if len(bytes.TrimSpace(l.before[name])) == 0 {
			continue
		}
		markers(l.before[name], kind, was)
		markers(data, kind, now)
		for m, n := range now {
			put[m] += n - was[m]
		}
		for m, n := range was {
			if now[m] == 0 {
				put[m] -= n
			}
		}
	}
	return before, after, put
}

func nameOf(c *change) string { return fmt.Sprintf("%s %s", c.deed, c.marker) }
