package disk

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// OwnerName names the owner of a file for a hint. It reads the password file itself, because
// os/user would add a C library call to a program that must start quickly. If there is no such
// file, a number is good enough.
func OwnerName(info FileInfo) string {
	if info.UID < 0 {
		return "another user"
	}
	id := strconv.Itoa(info.UID)
	raw, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return "user " + id
	}
	for line := range strings.Lines(string(raw)) {
		f := strings.SplitN(line, ":", 4)
		if len(f) == 4 && f[2] == id {
			return fmt.Sprintf("%s (user %s)", f[0], id)
		}
	}
	return "user " + id
}
