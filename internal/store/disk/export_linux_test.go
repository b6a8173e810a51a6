package disk

// WithoutOpenat2 makes the package behave as on a kernel without openat2, or in a sandbox that
// refuses it.
func WithoutOpenat2(yes bool) { withoutOpenat2.Store(yes) }

// ChmodByProc sets a mode as on a kernel without fchmodat2.
func ChmodByProc(at Folder, name string, mode uint32) error {
	return chmodByProc(at.(OS).fd(), name, mode)
}

// Known returns how the package translates an error of renameat2. refused says whether a sandbox
// refuses the call.
func Known(err error, refused bool) error {
	return known(err, func() bool { return refused })
}
