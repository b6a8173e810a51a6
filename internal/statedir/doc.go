// Package statedir holds what all parts of a governed state folder share: its entries, rows,
// patterns and classes, the kinds of sweeps, the limits, and problems with their texts.
//
// It has four parts: declaration (the contract: what may be in the folder), record (workflow.yaml),
// cleanup (what each sweep moves, snapshots and manifests) and check (what is wrong in a folder).
// All of them are pure: names, times and bytes come in, plans and texts go out. Numbers like SD-12
// and 5.8.3 are explained in docs/dev/rules.md.
package statedir
