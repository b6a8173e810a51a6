package workspace

import (
	"os"
	"path/filepath"

	"baton/internal/report"
)

// FindProgram returns the path of a program on PATH, or "". It never finds one in the current
// folder.
func FindProgram(env report.Env, name string) string {
	names := []string{name}
	if os.PathSeparator == '\\' {
		names = []string{name + ".exe", name + ".cmd"}
	}
	for _, dir := range filepath.SplitList(env.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // never runs a program from the current folder
		}
		for _, base := range names {
			path := filepath.Join(dir, base)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() &&
				(info.Mode()&0o111 != 0 || os.PathSeparator == '\\') {
				return path
			}
		}
	}
	return ""
}

// SameProgram reports whether two paths lead to the same file. If that cannot be determined, it
// assumes so.
func SameProgram(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return true
	}
	second, err := os.Stat(b)
	return err != nil || os.SameFile(first, second)
}

// OwnProgram returns a path of this program that stays the same when a new version is installed:
// that on PATH, if it is this program, else where the program is; "" if that is unknown.
func OwnProgram(env report.Env, name string) string {
	self, err := os.Executable()
	if found := FindProgram(env, name); found != "" && (err != nil || SameProgram(found, self)) {
		return found
	}
	if err != nil {
		return ""
	}
	return self
}
