//go:build !linux

package disk

// ProcessTable returns a function that looks a process up; here the system is not asked, and every
// process exists.
func ProcessTable() func(pid int) ProcessInfo {
	return func(int) ProcessInfo { return ProcessInfo{Exists: true} }
}
