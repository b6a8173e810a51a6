package specflow

import "strings"

// Resolution says which specification a command refers to (5.11).
type Resolution struct {
	Action  string   // use, ask or error
	ID      string   // use; error SPEC_NOT_ACTIVE
	Code    string   // error: NO_ACTIVE_SPEC or SPEC_NOT_ACTIVE
	Options []Active // ask
}

// Resolve returns the active specification that a command refers to: the named one, or the only
// one. An option without a title takes its title from the queue.
func (d *Doc) Resolve(id string) Resolution {
	_, active := d.active()
	id = strings.TrimSpace(id)
	if id != "" {
		for _, a := range active {
			if sameSpec(a, id) {
				return Resolution{Action: "use", ID: nameOf(a)}
			}
		}
		return Resolution{Action: "error", Code: "SPEC_NOT_ACTIVE", ID: id}
	}
	switch len(active) {
	case 0:
		return Resolution{Action: "error", Code: "NO_ACTIVE_SPEC"}
	case 1:
		return Resolution{Action: "use", ID: nameOf(active[0])}
	}
	titles := map[string]string{}
	for _, r := range d.Queue() {
		titles[idKey(r.ID)] = r.Title
	}
	for k, a := range active {
		if title, queued := titles[idKey(a.ID)]; queued && a.Title == "" {
			active[k].Title = title
		}
	}
	return Resolution{Action: "ask", Options: active}
}
