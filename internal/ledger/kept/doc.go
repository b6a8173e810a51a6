// Package kept compares documents before and after a repair or a merge, which may lose nothing
// (D44).
package kept
