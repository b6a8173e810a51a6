// Package digest holds the commands about the digest, STATE.md: its state, decisions, blockers and
// history.
package digest
