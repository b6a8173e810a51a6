// Package statedir contains what all parts of a governed state folder share: entries, rows,
// patterns and classes, the kinds of sweeps, limits, and problems with their texts.
//
// It has four subpackages: declaration (the contract: what may be in the folder), record
// (workflow.yaml), cleanup (what each sweep moves, snapshots and manifests) and check (problems in
// a folder). All of them are pure: they turn names, times and bytes into plans and texts. Numbers
// such as SD-12 and 5.8.3 are explained in docs/dev/rules.md.
package statedir
