// Package programs gives tests the programs of a release.
package programs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Variable names a folder that already has the programs. go test then runs a test again only if the
// program's file has changed.
const Variable = "BATON_PROGRAMS"

// Make puts a program, baton or batond, into a folder and returns its path. It copies the program
// from the folder in Variable, or builds it.
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
		// Another process makes the copy. If this process wrote the file, a child that it starts at
		// that moment could inherit the open file, and the program could not be run.
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
