package disk

import (
	"path/filepath"
	"strings"
)

// Separator separates the elements of a native path.
const Separator = string(filepath.Separator)

// BaseName returns the last element of a native path.
func BaseName(path string) string {
	return path[strings.LastIndexByte(path, filepath.Separator)+1:]
}

// Within reports whether a path is root or lies below it. Both are absolute and clean.
func Within(p, root string) bool {
	if p == root {
		return true
	}
	return strings.HasPrefix(p, strings.TrimSuffix(root, Separator)+Separator)
}

// Join returns the path of a name in a folder. It cleans neither.
func Join(dir, base string) string {
	return strings.TrimSuffix(dir, Separator) + Separator + base
}

// IsTemporary reports whether a name is that of a temporary file, .<base>.<12 hex digits>.tmp
// (D40).
func IsTemporary(base string) bool {
	const tail = len(".0123456789ab.tmp")
	if len(base) <= tail+1 || base[0] != '.' || base[len(base)-4:] != ".tmp" {
		return false
	}
	random := base[len(base)-tail:]
	for _, c := range []byte(random[1:13]) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return random[0] == '.'
}
