package sessions

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/workspace"
)

// Limits of entries without a task.
const (
	mostUnboundShown = 3
	mostUnbound      = 64                 // files that a session start looks at
	mostUnboundText  = 4000               // characters of one text
	unboundShown     = 7 * 24 * time.Hour // how long a project without tasks mentions an entry
)

// UnboundFile returns the name of the cache with the entry of an id.
func UnboundFile(id string) string { return agentsession.UnboundFolder + "/" + id + ".json" }

// UnboundOf returns the entry with an id, or an empty one. readable is false if there is a file
// that is no such entry.
func (p Sessions) UnboundOf(id string) (u agentsession.Unbound, readable bool) {
	data, err := p.Store.ReadCache(UnboundFile(id))
	if err == nil && len(data) == 0 {
		return u, true
	}
	if err != nil || len(data) > agentsession.MostBytes || json.Unmarshal(data, &u) != nil || u.ID != id {
		return agentsession.Unbound{}, false
	}
	for _, texts := range [...][]string{u.Did, u.Next} { // the file may contain anything
		for i, text := range texts {
			texts[i] = safetext.Runes(safetext.Line(text), mostUnboundText)
		}
	}
	return u, true
}

// Unbound returns the entries of sessions that worked on no task, the newest first. Those that were
// dismissed are among them only if all is set.
func (p Sessions) Unbound(all bool) []agentsession.Unbound { return p.newestUnbound(all, math.MaxInt) }

// newestUnbound returns the same of the files that were written last.
func (p Sessions) newestUnbound(all bool, most int) []agentsession.Unbound {
	out := []agentsession.Unbound{}
	files, err := p.Store.ListCaches(agentsession.UnboundFolder)
	if err != nil {
		return out
	}
	written := map[string]time.Time{}
	var ids []string
	for _, f := range files {
		if id := strings.TrimSuffix(f.Name, ".json"); agentsession.IsUnboundID(id) {
			ids, written[id] = append(ids, id), f.ModTime
		}
	}
	sorting.By(ids, func(a, b string) int { return written[b].Compare(written[a]) })
	for _, id := range ids[:min(len(ids), most)] {
		if u, _ := p.UnboundOf(id); u.Session != "" && (all || u.Dismissed == "") {
			out = append(out, u)
		}
	}
	sorting.By(out, func(a, b agentsession.Unbound) int { return strings.Compare(b.To, a.To) })
	return out
}

// UnboundNotes tells a session that starts about the work that belongs to no task.
func (p Sessions) UnboundNotes() []string {
	var notes []string
	all := p.newestUnbound(false, mostUnbound)
	adopt := "; `baton session adopt %s TASK` moves it into a task"
	if len(p.Dirs) == 0 { // nothing can adopt it, so it is mentioned for some time
		adopt = ""
		all = slices.DeleteFunc(all, func(u agentsession.Unbound) bool {
			return p.Now().Sub(workspace.ParseStamp(u.To)) > unboundShown
		})
	}
	for _, u := range all[:min(len(all), mostUnboundShown)] {
		note := "the " + strings.TrimSpace(workspace.PlainWord(u.Client, 20)+" session") + " of " +
			workspace.Moment(u.To, p.Now()) + " left work that belongs to no task"
		if len(u.Did) > 1 {
			note += " (" + safetext.Runes(workspace.FactLine(strings.Join(u.Did[1:], "; ")), 300) + ")"
		}
		if adopt != "" {
			note += fmt.Sprintf(adopt, u.ID)
		}
		notes = append(notes, note)
	}
	if more := len(all) - len(notes); more > 0 && adopt != "" {
		left := safetext.Count(more, "earlier session") + " left such work, too"
		notes = append(notes, left+": `baton session adopt` lists it")
	}
	return notes
}
