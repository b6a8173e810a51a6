package loss

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"baton/internal/workspace"
)

// lossMemory is that cache. It holds as long as HEAD stays where it is; outside git HEAD is "". The count stands before the fates: they
// may be many, and the status line has no time for them.
type lossMemory struct {
	Head  string             `json:"head"`
	Lost  int                `json:"lost"`  // fates that are lost
	Fates map[string]lossSet `json:"fates"` // by family and key
}

// lossSet is the fate of an entry that was there last at a time.
type lossSet struct {
	Fate Fate      `json:"fate"`
	Last time.Time `json:"last"`
}

func (l *Entry) remembered() string { return l.Family + " " + l.Known.Key }

// rememberLosses keeps what git said for the hooks around tool use and the status line, which may not ask it. found is what fatedLosses
// gave with git of some families, nil for all; settled are those of it that were put back or accepted since. Where git gave no answer, what
// it said before stays. It is a cache: a failure is nobody's concern.
func (p Loss) rememberLosses(families []string, found, settled []Entry) {
	if p.Git.Busy() {
		return
	}
	if slices.ContainsFunc(found, func(l Entry) bool { return l.Unsure }) {
		families, found = []string{}, nil
	}
	before, memory := p.lossMemory(), lossMemory{Head: p.Git.Place.Head(), Fates: map[string]lossSet{}}
	if before.Head == memory.Head && families != nil {
		memory.Fates = before.Fates
		maps.DeleteFunc(memory.Fates, func(name string, _ lossSet) bool {
			return slices.ContainsFunc(families, func(family string) bool { return strings.HasPrefix(name, family+" ") })
		})
	}
	for i := range found {
		l := &found[i]
		if l.Fate != FateReworded && l.Fate != lossAccepted {
			memory.Fates[l.remembered()] = lossSet{Fate: l.Fate, Last: l.Known.Last.At}
		}
	}
	for i := range settled {
		delete(memory.Fates, settled[i].remembered())
	}
	for _, was := range memory.Fates {
		if was.Fate == FateLost {
			memory.Lost++
		}
	}
	if len(memory.Fates) == 0 {
		_ = p.Store.RemoveCache(workspace.LossMemoryName)
		return
	}
	if data, err := workspace.Encoded(memory, ""); err == nil {
		_ = p.Store.WriteCache(workspace.LossMemoryName, data)
	}
}

// lossMemory reads the cache; anything unreadable is empty.
func (p Loss) lossMemory() lossMemory {
	memory := lossMemory{}
	if data, err := p.Store.ReadCache(workspace.LossMemoryName); err == nil {
		_ = json.Unmarshal(data, &memory)
	}
	if memory.Fates == nil {
		memory.Fates = map[string]lossSet{}
	}
	return memory
}

// RememberedFamilies gives the families of which something was missing, in order: what came back since is remembered no longer only
// when somebody looks again. The cache may hold anything, so names that are none of families are left out.
func (p Loss) RememberedFamilies() []string {
	var out []string
	for _, name := range workspace.SortedKeys(p.lossMemory().Fates) {
		family := name[:max(0, strings.LastIndexByte(name, ' '))]
		if of, ok := p.FamilyOf(family); ok && of == family && !slices.Contains(out, family) {
			out = append(out, family)
		}
	}
	return out
}

// of gives what git said of an entry when HEAD was where it is, "" for nothing.
func (m lossMemory) of(l *Entry, head string) Fate {
	was, known := m.Fates[l.remembered()]
	if known && m.Head == head && was.Last.Equal(l.Known.Last.At) {
		return was.Fate
	}
	return ""
}

// rememberedFates settles entries without asking git: as it said last, else lost where they were seen at HEAD itself. Of all others
// nothing is told.
func (p Loss) rememberedFates(open []*Entry) {
	memory, head := p.lossMemory(), p.Git.Place.Head()
	for _, l := range open {
		switch fate := memory.of(l, head); {
		case fate != "":
			l.Fate = fate
		case l.Known.Last.Head == head:
			l.Fate = FateLost
		default:
			l.Fate = FateElsewhere
		}
	}
}
