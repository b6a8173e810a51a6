package setup

import (
	"os"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/workspace"
)

// Daemon finds batond, the other program of a release: in the folder of this executable with links
// resolved, or else on the PATH of env. It returns "" if it is in neither.
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
	return workspace.FindProgram(env, "batond")
}
