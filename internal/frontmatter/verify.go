package frontmatter

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// verified reports whether the changed body has the new value at the key and the old value
// everywhere else.
func (e *editor) verified(before *yaml.Node, changed []byte) bool {
	after, err := parse(changed, 0, "")
	return err == nil && after != nil && e.matches(before, after, strings.Split(e.key, "."))
}

// matches compares two mappings and expects the new value at path in the second one.
func (e *editor) matches(before, after *yaml.Node, path []string) bool {
	if after.Kind != yaml.MappingNode {
		return false
	}
	entries := before.Content
	k, v, _, count := find(before, path[0])
	if count == 0 {
		// There must be exactly one more entry, in any position.
		k2, v2, _, found := find(after, path[0])
		return found == 1 && len(after.Content) == len(entries)+2 && e.fresh(v2, path[1:]) &&
			equalLists(entries, without(after.Content, k2))
	}
	if len(after.Content) != len(entries) {
		return false
	}
	for i := 0; i < len(entries); i += 2 {
		if !equal(entries[i], after.Content[i]) {
			return false
		}
		switch now := after.Content[i+1]; {
		case entries[i] != k:
			if !equal(entries[i+1], now) {
				return false
			}
		case len(path) == 1:
			if !same(now, e.value) {
				return false
			}
		case v.Kind != yaml.MappingNode || !e.matches(v, now, path[1:]):
			return false
		}
	}
	return true
}

// fresh reports whether n is exactly what insert adds for the rest of the path.
func (e *editor) fresh(n *yaml.Node, path []string) bool {
	if len(path) == 0 {
		return same(n, e.value)
	}
	return n.Kind == yaml.MappingNode && len(n.Content) == 2 && n.Content[0].Value == path[0] &&
		e.fresh(n.Content[1], path[1:])
}

// without returns the entries of a mapping except the one with key k.
func without(entries []*yaml.Node, k *yaml.Node) []*yaml.Node {
	var out []*yaml.Node
	for i := 0; i+1 < len(entries); i += 2 {
		if entries[i] != k {
			out = append(out, entries[i], entries[i+1])
		}
	}
	return out
}

// equal reports whether two nodes have the same value and style. Positions do not matter.
func equal(a, b *yaml.Node) bool {
	if a.Kind == yaml.AliasNode && b.Kind == yaml.AliasNode {
		return a.Value == b.Value
	}
	return a.Kind == b.Kind && a.Tag == b.Tag && a.Value == b.Value && a.Style == b.Style && a.Anchor == b.Anchor &&
		equalLists(a.Content, b.Content)
}

func equalLists(a, b []*yaml.Node) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// same reports whether the node has the requested value.
func same(n *yaml.Node, value any) bool {
	if list, ok := value.([]string); ok {
		if n.Kind != yaml.SequenceNode || len(n.Content) != len(list) {
			return false
		}
		for i, s := range list {
			if !same(n.Content[i], s) {
				return false
			}
		}
		return true
	}
	if n.Kind != yaml.ScalarNode {
		return false
	}
	if i, ok := value.(int); ok {
		value = int64(i)
	}
	if s, ok := value.(string); ok {
		return isText(n, s)
	}
	got := scalar(n)
	return got == value
}
