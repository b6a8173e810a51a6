package project

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// lossMemoryName is the cache of what git said last of missing entries, for those who may not ask it (D9).
const lossMemoryName = "lost.json"

// lossCountBytes is what its beginning takes at most, up to the count.
const lossCountBytes = 256

// lossMemory is that cache. It holds as long as HEAD stays where it is; outside git HEAD is "". The count stands before the fates: they
// may be many, and the status line has no time for them.
type lossMemory struct {
	Head  string             `json:"head"`
	Lost  int                `json:"lost"`  // fates that are lost
	Fates map[string]lossSet `json:"fates"` // by family and key
}

// lossSet is the fate of an entry that was there last at a time.
type lossSet struct {
	Fate lossFate  `json:"fate"`
	Last time.Time `json:"last"`
}

func (l *loss) remembered() string { return l.Family + " " + l.Known.Key }

// rememberLosses keeps what git said for the hooks around tool use and the status line, which may not ask it. found is what fatedLosses
// gave with git of some families, nil for all; settled are those of it that were put back or accepted since. Where git gave no answer, what
// it said before stays. It is a cache: a failure is nobody's concern.
func (p *Project) rememberLosses(families []string, found, settled []loss) {
	if p.git.Busy() {
		return
	}
	if slices.ContainsFunc(found, func(l loss) bool { return l.Unsure }) {
		families, found = []string{}, nil
	}
	before, memory := p.lossMemory(), lossMemory{Head: p.git.Place.Head(), Fates: map[string]lossSet{}}
	if before.Head == memory.Head && families != nil {
		memory.Fates = before.Fates
		maps.DeleteFunc(memory.Fates, func(name string, _ lossSet) bool {
			return slices.ContainsFunc(families, func(family string) bool { return strings.HasPrefix(name, family+" ") })
		})
	}
	for i := range found {
		l := &found[i]
		if l.Fate != lossReworded && l.Fate != lossAccepted {
			memory.Fates[l.remembered()] = lossSet{Fate: l.Fate, Last: l.Known.Last.At}
		}
	}
	for i := range settled {
		delete(memory.Fates, settled[i].remembered())
	}
	for _, was := range memory.Fates {
		if was.Fate == lossLost {
			memory.Lost++
		}
	}
	if len(memory.Fates) == 0 {
		_ = p.store.RemoveCache(lossMemoryName)
		return
	}
	if data, err := encoded(memory, ""); err == nil {
		_ = p.store.WriteCache(lossMemoryName, data)
	}
}

// lossMemory reads the cache; anything unreadable is empty.
func (p *Project) lossMemory() lossMemory {
	memory := lossMemory{}
	if data, err := p.store.ReadCache(lossMemoryName); err == nil {
		_ = json.Unmarshal(data, &memory)
	}
	if memory.Fates == nil {
		memory.Fates = map[string]lossSet{}
	}
	return memory
}

// rememberedFamilies gives the families of which something was missing, in order: what came back since is remembered no longer only
// when somebody looks again. The cache may hold anything, so names that are none of families are left out.
func (p *Project) rememberedFamilies() []string {
	var out []string
	for _, name := range sortedKeys(p.lossMemory().Fates) {
		family := name[:max(0, strings.LastIndexByte(name, ' '))]
		if of, ok := p.familyOf(family); ok && of == family && !slices.Contains(out, family) {
			out = append(out, family)
		}
	}
	return out
}

// lossCount reads from the beginning of the cache how many entries are lost, and where HEAD was then; 0 for none, and for what is not
// as baton writes it.
func lossCount(data []byte) (lost int, head string) {
	start, _, ok := bytes.Cut(data[:min(len(data), lossCountBytes)], []byte(`,"fates":{`))
	var memory struct {
		Head string `json:"head"`
		Lost int    `json:"lost"`
	}
	if !ok || json.Unmarshal(slices.Concat(start, []byte("}")), &memory) != nil || memory.Lost < 0 {
		return 0, ""
	}
	return memory.Lost, memory.Head
}

// of gives what git said of an entry when HEAD was where it is, "" for nothing.
func (m lossMemory) of(l *loss, head string) lossFate {
	was, known := m.Fates[l.remembered()]
	if known && m.Head == head && was.Last.Equal(l.Known.Last.At) {
		return was.Fate
	}
	return ""
}

// rememberedFates settles entries without asking git: as it said last, else lost where they were seen at HEAD itself. Of all others
// nothing is told.
func (p *Project) rememberedFates(open []*loss) {
	memory, head := p.lossMemory(), p.git.Place.Head()
	for _, l := range open {
		switch fate := memory.of(l, head); {
		case fate != "":
			l.Fate = fate
		case l.Known.Last.Head == head:
			l.Fate = lossLost
		default:
			l.Fate = lossElsewhere
		}
	}
}
