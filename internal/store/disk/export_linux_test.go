package disk

// WithoutOpenat2 makes the package behave as on a kernel that has no openat2, or in a sandbox that refuses it.
func WithoutOpenat2(yes bool) { withoutOpenat2.Store(yes) }
