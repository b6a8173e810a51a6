//go:build !linux

package disk

// openPair has no call that renames between open folders without replacing.
func openPair(string, string) FolderPair { return nil }
