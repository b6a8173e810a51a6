// Package cleanup plans which entries of a state folder each sweep moves. It also reads and writes
// the names and manifests of the snapshots into which they are moved.
package cleanup
