package agentconfig

import (
	"slices"

	"baton/internal/sorting"
)

// inOrder sorts the edits of a removal, which runs backwards, into the order of writing, so that
// both outputs look alike.
func (p *planner) inOrder() {
	place := map[string]int{}
	for _, client := range append([]Client{""}, Clients()...) {
		for _, t := range targets(client, p.scope, false) {
			for _, name := range t.names {
				if _, there := place[name]; !there {
					place[name] = len(place)
				}
			}
		}
	}
	sorting.By(p.edits, func(a, b Edit) int { return place[a.Name] - place[b.Name] })
	for _, e := range p.edits {
		slices.Reverse(e.Items)
	}
}

// own reports whether a file contained only unedited text of baton's before the edit. Then a
// removal would leave nothing of it.
func (p *planner) own(e Edit) bool {
	look := &planner{scope: p.scope, files: Files{e.Name: e.Before}}
	for _, client := range slices.Backward(append([]Client{""}, Clients()...)) {
		look.remove(client)
	}
	edited := slices.ContainsFunc(look.edits, func(e Edit) bool {
		return slices.ContainsFunc(e.Items, func(i Item) bool { return i.Status == Modified })
	})
	return !edited && len(look.files) == 0
}
