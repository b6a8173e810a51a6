// Package protocol contains the texts that agents read: the session protocol, the orientation at
// the start of a session, and packs of context within a budget. It turns facts into text and reads
// no files.
//
// Numbers in comments are explained in docs/dev/rules.md.
package protocol
