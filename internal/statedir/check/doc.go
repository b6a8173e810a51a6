// Package check finds what is wrong in a state folder: missing files, statuses and sidecars that
// break the contract, and what is wrong with the record.
package check
