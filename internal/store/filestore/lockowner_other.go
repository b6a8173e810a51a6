//go:build !linux

package filestore

// processOfSystem knows nothing here: whoever exists counts as alive.
func processOfSystem(int) Process { return Process{} }
