// Package programs gives tests the programs of a release.
package programs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Variable names the folder that has the programs already. go test knows a program by its file
// then, and runs a test again when the program is another one.
const Variable = "BATON_PROGRAMS"

// Make puts a program, baton or batond, into a folder and returns its path. It copies the program
// from the folder that Variable names, else it builds it.
func Make(dir, name string) (string, error) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(dir, name)
	if ready := os.Getenv(Variable); ready != "" {
		from := filepath.Join(ready, name)
		if _, err := os.Stat(from); err != nil {
			return "", err
		}
		// Another process copies: a file that this one wrote could still be open in a process that
		// it starts meanwhile, and could not be run then.
		if out, err := exec.Command("cp", from, path).CombinedOutput(); err != nil {
			return "", fmt.Errorf("copy %s: %w\n%s", name, err, out)
		}
		return path, nil
	}
	pkg := "baton/cmd/" + name[:len(name)-len(filepath.Ext(name))]
	if out, err := exec.Command("go", "build", "-o", path, pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	return path, nil
}
