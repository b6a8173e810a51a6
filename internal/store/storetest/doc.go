// Package storetest defines what every store must do. Run is the conformance suite. Memory is the
// smallest store that passes it, for tests of use cases that need no disk.
//
// The suite checks only what the interface promises. Crashes, locks between processes and hand
// edits are tested with the store that has files.
package storetest
