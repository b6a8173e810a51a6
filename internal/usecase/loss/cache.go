package loss

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"baton/internal/workspace"
)

// fateCache keeps git's last answer about missing entries. The hooks around tool use and the status
// line use it because they may not ask git. It is valid until HEAD moves; for hooks, until HEAD
// moves in any other way than by new commits. Outside git, HEAD is "". The count comes before the
// fates, because the status line has no time to read all of them.
type fateCache struct {
	Head  string                `json:"head"`
	Lost  int                   `json:"lost"`  // fates that are lost
	Fates map[string]cachedFate `json:"fates"` // by cacheKey
}

// wholeFamilies lists the families of which the cache of fates has every missing entry. Their other
// entries were in documents at Head, so they belong to this history (D9), and what is missing later
// is lost. Log is the length of HEAD's reflog, which tells whether HEAD was elsewhere since.
type wholeFamilies struct {
	Head     string   `json:"head"`
	Log      int      `json:"log"`
	Families []string `json:"families"`
}

// cachedFate is the cached fate of an entry. Last is when the entry was last seen.
type cachedFate struct {
	Fate Fate      `json:"fate"`
	Last time.Time `json:"last"`
}

func (l *Entry) cacheKey() string { return l.Family + " " + l.Known.Key }

// cacheFates stores git's answer. found is the result of FindAll for some families, or for all if
// families is nil. without lists entries of found that were restored or accepted since. If git gave
// no answer, its last one stays. Failures are ignored, because this is only a cache.
func (p Loss) cacheFates(families []string, found, without []Entry) {
	if p.Git.Busy() {
		return
	}
	if slices.ContainsFunc(found, func(l Entry) bool { return l.Unsure }) {
		families, found = []string{}, nil
	}
	before, cache := p.fateCache(), fateCache{Head: p.Git.Place.Head(), Fates: map[string]cachedFate{}}
	stays := before.Head == cache.Head || p.Git.Place.OnlyCommitted(before.Head)
	if stays && families != nil {
		cache.Fates = before.Fates
		maps.DeleteFunc(cache.Fates, func(key string, _ cachedFate) bool {
			return slices.ContainsFunc(families, func(family string) bool { return strings.HasPrefix(key, family+" ") })
		})
	}
	for i := range found {
		l := &found[i]
		if l.Fate != FateReworded && l.Fate != fateAccepted {
			cache.Fates[l.cacheKey()] = cachedFate{Fate: l.Fate, Last: l.Known.Last.At}
		}
	}
	for i := range without {
		delete(cache.Fates, without[i].cacheKey())
	}
	p.saveFates(cache)
}

// saveFates counts the lost entries of the cache and writes it.
func (p Loss) saveFates(cache fateCache) {
	cache.Lost = 0
	for _, cached := range cache.Fates {
		if cached.Fate == FateLost {
			cache.Lost++
		}
	}
	if len(cache.Fates) == 0 {
		_ = p.Store.RemoveCache(workspace.LossMemoryName)
		return
	}
	if data, err := workspace.Encoded(cache, ""); err == nil {
		_ = p.Store.WriteCache(workspace.LossMemoryName, data)
	}
}

// NoteWhole records that every missing entry of some families was just looked for, and that git's
// answer is cached. It asks git nothing, and writes only if that is new.
func (p Loss) NoteWhole(families []string) {
	if p.Git.Dir == "" || p.Git.Busy() || len(families) == 0 {
		return
	}
	was, head, log := p.wholeFamilies(), p.Git.Place.Head(), p.Git.Place.HeadLog()
	if !p.Git.Place.OnlyCommitted(was.Head) || !log.Stayed(was.Log) {
		was = wholeFamilies{}
	}
	now := wholeFamilies{
		Head: head, Log: log.Len(), Families: workspace.Compact(slices.Concat(was.Families, families)),
	}
	slices.Sort(now.Families)
	if was.Head == head && slices.Equal(now.Families, was.Families) {
		return
	}
	if data, err := workspace.Encoded(now, ""); err == nil {
		_ = p.Store.WriteCache(workspace.WholeMemoryName, data)
	}
}

// wholeFamilies reads what NoteWhole wrote. If it is unreadable, there are none.
func (p Loss) wholeFamilies() wholeFamilies {
	out := wholeFamilies{}
	if data, err := p.Store.ReadCache(workspace.WholeMemoryName); err != nil || json.Unmarshal(data, &out) != nil {
		return wholeFamilies{}
	}
	return out
}

// fateCache reads the cache. An unreadable one is empty.
func (p Loss) fateCache() fateCache {
	cache := fateCache{}
	if data, err := p.Store.ReadCache(workspace.LossMemoryName); err == nil {
		_ = json.Unmarshal(data, &cache)
	}
	if cache.Fates == nil {
		cache.Fates = map[string]cachedFate{}
	}
	return cache
}

// CachedFamilies returns the families with missing entries in the cache, in order. Entries that
// came back are in it until the next search. Names that are not families are left out, because the
// file may contain anything.
func (p Loss) CachedFamilies() []string {
	var out []string
	for _, key := range workspace.SortedKeys(p.fateCache().Fates) {
		family := key[:max(0, strings.LastIndexByte(key, ' '))]
		if of, ok := p.FamilyOf(family); ok && of == family && !slices.Contains(out, family) {
			out = append(out, family)
		}
	}
	return out
}

// of returns git's last answer about an entry, or "" if there is none or if HEAD has moved.
func (c *fateCache) of(l *Entry, head string) Fate {
	if c.Head != head {
		return ""
	}
	return c.last(l)
}

// last is of, wherever HEAD is.
func (c *fateCache) last(l *Entry) Fate {
	cached, ok := c.Fates[l.cacheKey()]
	if ok && cached.Last.Equal(l.Known.Last.At) {
		return cached.Fate
	}
	return ""
}
