package agentconfig

// Files and entries that baton's plugin brings to Claude Code are not written in addition, because
// hooks would fire twice and the skill would be listed twice (agents.md 5). Hooks share their file
// with other settings and are therefore handled there: see applyHooks.

// brought reports whether the plugin brings a whole file for Claude Code, or its server.
func (p *planner) brought(t target) bool {
	return t.client == Claude && p.opts.plugin && !p.opts.Force && (t.grammar == Whole || t.server.path != "")
}

const bringsIt = "baton's enabled plugin provides it, so none is written"

// applyBrought writes nothing, because the plugin brings the content. An existing server entry does
// no harm: other agents read it too, and Claude Code starts only one of two equal servers.
func applyBrought(t target, name string, src []byte, present bool, opts Options) (Edit, error) {
	out := Edit{After: src, Exists: present}
	if t.grammar == Whole {
		item := Item{Client: t.client, Name: fileItem, Status: OK, Text: bringsIt}
		if present && statusOfWhole(t, src) != Foreign {
			item.Status, item.Text = Conflict, "baton's enabled plugin provides the skill; with this file it "+
				"is listed twice"
		}
		out.Items = []Item{item}
		return out, nil
	}
	f, ok, err := openJSON(t, name, src, opts)
	if err != nil {
		return Edit{}, err
	}
	if at := f.root.member(t.server.path); ok && at >= 0 && f.root.kids[at].value.kind == '{' {
		servers := f.root.kids[at].value
		if i := servers.member("baton"); i >= 0 && ownServer(servers.kids[i].value.value()) {
			return applyJSON(t, name, src, present, opts)
		}
	}
	out.Items = []Item{{Client: t.client, Name: serverItem, Status: OK, Text: bringsIt}}
	return out, nil
}
