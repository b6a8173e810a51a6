// Package record reads, edits and stamps workflow.yaml, the record of the current workflow. An edit
// changes only the bytes of the keys that it sets.
package record
