// Package check finds problems in a state folder: missing files, statuses and sidecars that break
// the contract, and problems of the record.
package check
