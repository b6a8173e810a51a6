package agentconfig

// foreign returns the content of a JSON file without baton's entries, so that before and after can
// be compared (agents.md 8.2 rule 7). A container that holds nothing but baton's entries counts as
// absent, because baton creates and removes such containers.
func foreign(root node, t target) value {
	out := value{kind: root.kind}
	for _, k := range root.kids {
		v, keep := k.value.value(), true
		switch {
		case k.name == "hooks" && (len(t.hooks) > 0 || len(t.others) > 0):
			v, keep = foreignHooks(k.value)
		case k.name == t.server.path && t.server.path != "":
			v, keep = foreignServers(k.value)
		case k.name == "context" && t.context:
			v, keep = foreignContext(k.value)
		case len(t.line) > 0 && k.name == t.line[0]:
			v, keep = foreignLine(k.value, t.line[1:])
		case k.name == t.frame.name && t.frame.name != "":
			keep = !v.same(t.frame.v, true)
		}
		if keep {
			v, keep = withoutGrants(k.name, v, t.grants)
		}
		if keep {
			out.add(k.name, v)
		}
	}
	return out
}

func foreignHooks(hooks node) (value, bool) {
	if hooks.kind == '[' {
		return foreignList(hooks)
	}
	out := value{kind: hooks.kind, text: hooks.text}
	for _, k := range hooks.kids {
		v, keep := k.value.value(), true
		if k.value.kind == '[' {
			v, keep = foreignList(k.value)
		}
		if keep {
			out.add(k.name, v)
		}
	}
	return out, hooks.kind != '{' || len(out.items) > 0
}

func foreignList(in node) (value, bool) {
	out := value{kind: '['}
	for _, k := range in.kids {
		owner, handlers := ownerOf(k.value)
		if owner == ownElement {
			continue
		}
		v := k.value.value()
		if owner == mixedElement {
			at := v.index("hooks")
			group := value{kind: '['}
			for i, handler := range v.items[at].items {
				if len(handlers) > 0 && handlers[0] == i {
					handlers = handlers[1:]
					continue
				}
				group.items = append(group.items, handler)
			}
			v.items[at] = group
		}
		out.items = append(out.items, v)
	}
	return out, len(out.items) > 0
}

func foreignServers(servers node) (value, bool) {
	v := servers.value()
	if v.kind != '{' {
		return v, true
	}
	out := object()
	for i, name := range v.names {
		if name != "baton" || !ownServer(v.items[i]) {
			out.add(name, v.items[i])
		}
	}
	return out, len(out.items) > 0
}

func foreignContext(context node) (value, bool) {
	if context.kind != '{' {
		return context.value(), true
	}
	out := object()
	for _, k := range context.kids {
		v, keep := k.value.value(), true
		if k.name == "fileName" {
			v, keep = foreignNames(v)
		}
		if keep {
			out.add(k.name, v)
		}
	}
	return out, len(out.items) > 0
}

// foreignNames returns the names except AGENTS.md as a list. GEMINI.md alone counts as none,
// because Gemini reads it anyway.
func foreignNames(v value) (value, bool) {
	switch v.kind {
	case '"':
		v = list(v)
	case '[':
	default:
		return v, true
	}
	out := value{kind: '['}
	for _, item := range v.items {
		if item.kind != '"' || item.text != agentsFile {
			out.items = append(out.items, item)
		}
	}
	return out, len(out.items) > 0 && !(len(out.items) == 1 && out.items[0].text == geminiFile)
}
