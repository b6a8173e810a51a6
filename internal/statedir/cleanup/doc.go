// Package cleanup plans what each sweep of a state folder moves, and reads and writes the names and
// manifests of the snapshots that the moved entries go to.
package cleanup
