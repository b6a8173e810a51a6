//go:build unix && !linux && !darwin

package disk

import "errors"

// renameNewAt renames to a name that is free.
func renameNewAt(int, string, int, string) error { return errors.ErrUnsupported }
