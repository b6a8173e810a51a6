package gitrepo

import "os/exec"

// Installed reports whether git is installed.
func Installed() bool {
	_, err := exec.LookPath("git")
	return err == nil
}
