//go:build !linux

package disk

// ProcessTable returns a function that looks up a process. On this system it asks nothing, and
// every process counts as existing.
func ProcessTable() func(pid int) ProcessInfo {
	return func(int) ProcessInfo { return ProcessInfo{Exists: true} }
}
