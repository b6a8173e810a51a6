// Package specflow reads and edits SpecFlow's digest, .specflow/STATE.md: the active specifications
// in three forms, the queue in all its layouts, warnings, and execution rows (specflow.md 5.3 to
// 5.6, 5.15).
//
// Columns of tables are found by name, never by position. An edit changes only the lines that it
// means to. Decisions are handled by package decision.
package specflow
