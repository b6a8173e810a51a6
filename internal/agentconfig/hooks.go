package agentconfig

import "strconv"

// applyHooks adds the hooks of a client. New ones go after all others of their event (agents.md 8.2
// rule 5), because Codex bases trust on positions, which must not shift.
func (f *jsonFile) applyHooks() {
	if len(f.t.hooks) == 0 || f.plugin() {
		return
	}
	if at := f.root.member("hooks"); at >= 0 && f.root.kids[at].value.kind != f.hooksKind() {
		f.say("hooks", Conflict, f.root.kids[at].start,
			"\"hooks\" does not have the shape that "+string(f.t.client)+" reads")
		return
	}
	for _, h := range f.t.hooks {
		f.applyHook(h)
	}
	f.applyOthers()
}

// hooksKind returns the kind of "hooks": an object by event, or one list in Kiro's files.
func (f *jsonFile) hooksKind() byte {
	if f.t.client == Kiro {
		return '['
	}
	return '{'
}

// plugin reports whether baton's plugin already brings the hooks. Both together would fire twice
// (agents.md 5).
func (f *jsonFile) plugin() bool {
	if f.t.client != Claude || f.opts.Force || !f.opts.plugin {
		return false
	}
	if mine := hookPlaces(f.root); len(mine) > 0 {
		f.say("hooks", Conflict, f.root.at(mine[0].chain).start,
			"baton's enabled plugin provides the hooks; with these they fire twice")
	} else {
		f.say("hooks", OK, 0, "baton's enabled plugin provides them, so none are written")
	}
	return true
}

// applyHook adds or updates the hook for one event.
func (f *jsonFile) applyHook(h hook) {
	name := "hook " + h.event
	list, at, ok := f.eventList(h.event)
	if !ok {
		f.say(name, Conflict, list.start, strconv.Quote(h.event)+" is not a list")
		return
	}
	mine := f.placesOf(h.event)
	if len(mine) == 0 {
		f.say(name, Missing, 0, "")
		f.add(h, at)
		return
	}
	best, status := choose(mine, h)
	f.say(name, status, f.root.at(mine[best].chain).start, "")
	switch {
	case status == Outdated, status == Modified && f.opts.Force && !mine[best].mixed:
		f.set(replace(f.src, f.root, mine[best].chain, h.v))
	case status == Modified && f.opts.Force: // all of them are in groups with other handlers
		for i := len(mine) - 1; i >= 0; i-- {
			f.cut(mine[i].chain)
		}
		_, at, _ := f.eventList(h.event)
		f.add(h, at)
		return
	}
	f.dropExtras(h, best)
}

// choose returns the entry to keep: the correct one, else an outdated one, else the first that only
// baton uses, else the first.
func choose(mine []place, h hook) (best int, status Status) {
	status = Modified
	for i, p := range mine {
		is := Modified
		if !p.mixed {
			is = judge(p.v, h.v, h.older)
		}
		switch {
		case is == OK:
			return i, OK
		case is == Outdated && status != Outdated:
			best, status = i, Outdated
		case status == Modified && mine[best].mixed && !p.mixed:
			best = i
		}
	}
	return best, status
}

// dropExtras removes further entries for an event, which would fire a second time. It removes those
// that nobody edited, or with force all.
func (f *jsonFile) dropExtras(h hook, best int) {
	mine := f.placesOf(h.event)
	for i := len(mine) - 1; i >= 0 && f.err == nil; i-- {
		if i == best {
			continue
		}
		f.dropKnown(mine[i], "hook "+h.event, "a second entry for the same event", !mine[i].mixed &&
			judge(mine[i].v, h.v, h.older) != Modified)
	}
}

// applyOthers handles entries for events that baton does not use here. Entries that baton wrote are
// removed; those that somebody edited stay.
func (f *jsonFile) applyOthers() {
	all := hookPlaces(f.root)
	for i := len(all) - 1; i >= 0 && f.err == nil; i-- {
		p := all[i]
		if f.wanted(p.event) {
			continue
		}
		known := false
		for _, h := range f.t.others {
			known = known || h.event == p.event && !p.mixed && judge(p.v, h.v, h.older) != Modified
		}
		f.dropKnown(p, "hook "+p.event, "baton does not use this event", known)
	}
}

// dropKnown removes an entry that is as baton wrote it, or any with force, and reports it.
func (f *jsonFile) dropKnown(p place, name, text string, known bool) {
	status := Modified
	if known {
		status = Outdated
	}
	f.say(name, status, f.root.at(p.chain).start, text)
	if known || f.opts.Force {
		f.cut(p.chain)
	}
}

func (f *jsonFile) wanted(event string) bool {
	for _, h := range f.t.hooks {
		if h.event == event {
			return true
		}
	}
	return false
}

// add adds an entry to the list of its event, and creates the list if necessary. at is the path to
// what exists: the root, "hooks", or the list.
func (f *jsonFile) add(h hook, at []int) {
	byEvent := f.hooksKind() == '{'
	switch {
	case len(at) == 0 && byEvent:
		f.set(insert(f.src, f.root, at, "hooks", object().with(h.event, list(h.v))))
	case len(at) == 0:
		f.set(insert(f.src, f.root, at, "hooks", list(h.v)))
	case len(at) == 1 && byEvent:
		f.set(insert(f.src, f.root, at, h.event, list(h.v)))
	default:
		f.set(insert(f.src, f.root, at, "", h.v))
	}
}

// eventList finds the list of an event. ok is false if there is something else in its place.
func (f *jsonFile) eventList(event string) (in node, chain []int, ok bool) {
	at := f.root.member("hooks")
	if at < 0 {
		return f.root, nil, true
	}
	hooks := f.root.kids[at].value
	if f.hooksKind() == '[' {
		return hooks, []int{at}, true
	}
	i := hooks.member(event)
	if i < 0 {
		return hooks, []int{at}, true
	}
	return hooks.kids[i].value, []int{at, i}, hooks.kids[i].value.kind == '['
}

// placesOf returns baton's entries of one event.
func (f *jsonFile) placesOf(event string) []place {
	var out []place
	for _, p := range hookPlaces(f.root) {
		if p.event == event {
			out = append(out, p)
		}
	}
	return out
}

// dropHook removes baton's last entry, even if somebody edited it, because it would go on calling
// baton.
func (f *jsonFile) dropHook() bool {
	all := hookPlaces(f.root)
	if len(f.t.hooks) == 0 && len(f.t.others) == 0 || f.opts.keepHooks || len(all) == 0 {
		return false
	}
	p := all[len(all)-1]
	status := Modified
	for _, h := range append(f.t.hooks[:len(f.t.hooks):len(f.t.hooks)], f.t.others...) {
		if h.event == p.event && !p.mixed {
			status = judge(p.v, h.v, h.older)
			break
		}
	}
	f.say("hook "+p.event, status, f.root.at(p.chain).start, "")
	f.cut(p.chain)
	return true
}
