package gitrepo

import "os/exec"

// Installed says whether there is a git to ask at all.
func Installed() bool {
	_, err := exec.LookPath("git")
	return err == nil
}
