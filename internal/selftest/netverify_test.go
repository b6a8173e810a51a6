package selftest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

const (
	keptMark    = "baton-selftest:decision:0:1:00000011."
	wipedMark   = "baton-selftest:log:1:1:00000012."
	wornMark    = "baton-selftest:blocker:0:2:00000013."
	perhapsMark = "baton-selftest:decision:1:2:00000014."
)

// netScene is a history of three acknowledged entries and one of a killed process. The first one is in a document, the
// second was wiped and is offered, the third was reworded, and the killed one was never written.
type netScene struct {
	h             *history
	before, after string // a document
	revived       string // another one, which was deleted and restored
	offered       lostList
	still         lostList
	left          netRemains
}

func newNetScene() *netScene {
	s := &netScene{h: &history{}}
	for _, c := range []*change{
		{deed: decide, marker: keptMark, outcome: acknowledged},
		{deed: entry, marker: wipedMark, outcome: acknowledged},
		{deed: obstruct, marker: wornMark, outcome: acknowledged},
		{deed: decide, marker: perhapsMark, outcome: killed},
	} {
		how := c.outcome
		s.h.begin(c)
		s.h.end(c, how)
	}
	s.before = "| today | " + keptMark + " words |\n"
	s.after = s.before + "**Did:** " + wipedMark + " words\n"
	s.offer(wipedMark, "lost")
	s.offer(wornMark, "reworded")
	return s
}

func (s *netScene) offer(marker, fate string) {
	s.offered.Lost = append(s.offered.Lost, struct {
		Text  string `json:"text"`
		Label string `json:"label"`
		Fate  string `json:"fate"`
	}{"words " + marker + " words\n", marker, fate})
}

func (s *netScene) guard(t *testing.T) Report {
	t.Helper()
	s.left.before = map[string][]byte{"STATE.md": []byte(s.before + " "), "gone.md": nil}
	s.left.after = map[string][]byte{"STATE.md": []byte(s.after), "gone.md": []byte(s.revived)}
	for list, into := range map[*lostList]*[]byte{&s.offered: &s.left.offered, &s.still: &s.left.still} {
		if *into != nil {
			continue
		}
		data, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		*into = data
	}
	var r Report
	r.guard(s.h, s.left)
	return r
}

func TestNetCheckerAcceptsWhatIsThereOrOffered(t *testing.T) {
	t.Parallel()
	s := newNetScene()
	s.revived = keptMark                                           // as it was when the other document had it too
	s.left.leftovers = []string{".baton/local/conflicts/STATE.md"} // what an editor wrote in the instant of a write
	r := s.guard(t)
	if len(r.Failures) != 0 {
		t.Errorf("failures on a sound scene: %q", r.Failures)
	}
	if want := (Net{Acknowledged: 3, Present: 1, Offered: 2}); r.Net != want {
		t.Errorf("%+v, want %+v", r.Net, want)
	}
}

// TestNetCheckerCatches makes each kind of fault in the scene and checks that it is found, because a check that cannot
// fail is useless.
func TestNetCheckerCatches(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		doctor func(*netScene)
		want   string // part of a failure
		net    Net
	}{
		"a decision that is nowhere": {
			func(s *netScene) { s.before, s.after = "words", "**Did:** "+wipedMark },
			keptMark + " was acknowledged, and is in no document",
			Net{Acknowledged: 3, Offered: 2, Lost: 1},
		},
		"an entry that is wiped and not offered": {
			func(s *netScene) { s.offered.Lost, s.after = s.offered.Lost[1:], s.before },
			wipedMark + " was acknowledged, and is in no document",
			Net{Acknowledged: 3, Present: 1, Offered: 1, Lost: 1},
		},
		"an offer without its text": {
			func(s *netScene) { s.offered.Lost[1].Text = "words\n" },
			wornMark + " was acknowledged, and is in no document",
			Net{Acknowledged: 3, Present: 1, Offered: 1, Lost: 1},
		},
		"an entry that is cut in the middle": {
			func(s *netScene) { s.before = s.before[:25]; s.after = s.before + wipedMark },
			keptMark + " was acknowledged, and is in no document",
			Net{Acknowledged: 3, Offered: 2, Lost: 1},
		},
		"an entry put where it was already": {
			func(s *netScene) { s.after += s.before },
			keptMark + " was offered 0 times and put back 1 times",
			Net{Acknowledged: 3, Present: 1, Offered: 2, Doubled: 1},
		},
		"an entry put back twice": {
			func(s *netScene) { s.after += wipedMark },
			wipedMark + " was offered 1 times and put back 2 times",
			Net{Acknowledged: 3, Present: 1, Offered: 2, Doubled: 1},
		},
		"an offered entry that is not put back": {
			func(s *netScene) { s.after = s.before },
			wipedMark + " was there 0 times and offered 1 times, and is gone",
			Net{Acknowledged: 3, Present: 1, Offered: 2},
		},
		"an entry that went when another was put back": {
			func(s *netScene) { s.after = wipedMark },
			keptMark + " was there 1 times and offered 0 times, and is gone",
			Net{Acknowledged: 3, Present: 1, Offered: 2},
		},
		"a killed entry that went when another was put back": {
			func(s *netScene) { s.before += perhapsMark },
			perhapsMark + " was there 1 times and offered 0 times, and is gone",
			Net{Acknowledged: 3, Present: 1, Offered: 2},
		},
		"an entry that is still lost": {
			func(s *netScene) { s.still.Lost = s.offered.Lost[:1] },
			wipedMark + " is still lost",
			Net{Acknowledged: 3, Present: 1, Offered: 2},
		},
		"a list that does not parse": {
			func(s *netScene) { s.left.offered = []byte("{") }, "what is lost cannot be listed", Net{},
		},
		"a file left behind": {
			func(s *netScene) { s.left.leftovers = []string{".baton/local/journal"} },
			".baton/local/journal was left behind",
			Net{Acknowledged: 3, Present: 1, Offered: 2},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newNetScene()
			c.doctor(s)
			r := s.guard(t)
			if !slices.ContainsFunc(r.Failures, func(f string) bool { return strings.Contains(f, c.want) }) {
				t.Errorf("no failure contains %q: %q", c.want, r.Failures)
			}
			if r.Net != c.net {
				t.Errorf("%+v, want %+v", r.Net, c.net)
			}
		})
	}
}

func TestMarkersBehindATornOneAreFound(t *testing.T) {
	t.Parallel()
	found := map[string]int{}
	markers([]byte("- baton-selftest:decision:2:17:23\n- "+keptMark+" words\n"), decide, found)
	if found[keptMark] != 1 || len(found) != 2 {
		t.Errorf("%v", found)
	}
}

func TestNetExcusesDamageOnly(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]bool{-1: false, 1: false, 2: false, 3: true, 4: true, 5: true, 6: true, 7: true, 8: false, 9: false} {
		if excused(code) != want {
			t.Errorf("exit status %d: excused %t, want %t", code, !want, want)
		}
	}
}
