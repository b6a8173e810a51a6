package phases

import "strings"

// fromDirs returns the phases of the folders that belong to the milestone (1.2, steps 2 to 4).
func (b *builder) fromDirs(dirs []Dir) []*Phase {
	newest := map[string]Dir{}
	var order []string
	for _, d := range dirs {
		k, ok := b.belongs(d.Name)
		if !ok {
			continue
		}
		old, twice := newest[k]
		if !twice {
			order = append(order, k)
		}
		if !twice || d.ModTime.After(old.ModTime) {
			newest[k] = d
		}
	}
	var out []*Phase
	for _, k := range order {
		d := newest[k]
		p := b.byKey[k]
		if p == nil {
			p = &Phase{ID: b.idOf(d.Name), Name: slug(d.Name)}
			b.add(k, p)
		}
		p.count(d)
		for _, file := range d.Files {
			if id, ok := strings.CutSuffix(file.Name, "-SUMMARY.md"); ok {
				b.summaries[key(p.ID)] = append(b.summaries[key(p.ID)], id)
			}
		}
		out = append(out, p)
	}
	return out
}

// belongs returns the key of a folder's phase. ok is false if the phase is not part of the
// milestone.
func (b *builder) belongs(name string) (string, bool) {
	_, rest := dirCode(name)
	if strings.HasPrefix(name, ".") || sentinel(rest) || b.window.foreign {
		return "", false
	}
	all := candidates(name, b.hyphens)
	for _, k := range all {
		if b.ids[k] {
			return k, !b.retired.has(k)
		}
	}
	if len(b.ids) > 0 {
		return "", false
	}
	for _, k := range all {
		if b.retired.has(k) {
			return "", false
		}
	}
	return key(b.idOf(name)), true
}

// candidates returns the ids that the name of a folder may stand for, most specific first (1.2,
// step 2).
func candidates(name string, hyphens bool) []string {
	var out []string
	code, rest := dirCode(name)
	if n := lead(rest); code != "" && n != "" {
		out = append(out, key(code+"-"+n))
	}
	for _, text := range [...]string{name, rest} {
		n := lead(text)
		if n != "" && hyphens {
			out = append(out, key(text[:continued(text, len(n))]))
		}
		if n != "" {
			out = append(out, key(n))
		}
		if c := leadCode(text); c != "" && c != n {
			out = append(out, key(c))
		}
		if code == "" {
			break
		}
	}
	return append(out, key(name))
}

// idOf returns the id for a folder that the roadmap does not mention: its leading number, or else
// its name.
func (b *builder) idOf(name string) string {
	code, rest := dirCode(name)
	n := lead(rest)
	switch {
	case n == "":
		return name
	case b.hyphens:
		n = rest[:continued(rest, len(n))]
	}
	if code != "" {
		n = code + "-" + n
	}
	return plain(n)
}

// slug returns the text after the number in a folder's name as a phase's name.
func slug(name string) string {
	_, rest := dirCode(name)
	n := lead(rest)
	return strings.TrimSpace(strings.ReplaceAll(strings.TrimLeft(rest[len(n):], "-_. "), "-", " "))
}
