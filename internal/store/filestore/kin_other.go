//go:build !linux

package filestore

// Processes gives what looks a process up; here the system is not asked, and every process exists.
func Processes() func(pid int) Kin {
	return func(int) Kin { return Kin{Exists: true} }
}
