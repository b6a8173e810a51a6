// Package storetest says what every store must do: Run is the conformance suite, and Memory is
// the smallest store that passes it, for tests of use cases that need no disk.
//
// The suite speaks only about what the interface promises. Crashes, locks between processes and
// hand edits belong to the tests of the store that has files.
package storetest
