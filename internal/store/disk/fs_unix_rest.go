//go:build unix && !linux && !darwin

package disk

import "errors"

// renameNewAt renames to a free name.
func renameNewAt(int, string, int, string) error { return errors.ErrUnsupported }
