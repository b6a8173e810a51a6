// Package specflow reads and edits SpecFlow's digest, .specflow/STATE.md: the active specifications
// in three forms, the queue in any of its layouts, warnings, and execution rows (specflow.md 5.3 to
// 5.6, 5.15).
//
// Tables are addressed by the names of their columns, never by position. An edit touches the lines
// it means and no other. Decisions are the business of package decision.
package specflow
