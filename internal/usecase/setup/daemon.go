package setup

import (
	"os"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/workspace"
)

// Daemon finds batond, the other program of a release: beside the own executable, links resolved,
// then on the PATH of env. "" when it is in neither place.
func Daemon(env report.Env) string {
	name := "batond"
	if os.PathSeparator == '\\' {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		sibling := filepath.Join(filepath.Dir(workspace.Real(self)), name)
		if info, err := os.Stat(sibling); err == nil && info.Mode().IsRegular() {
			return sibling
		}
	}
	return findProgram(env, "batond")
}
