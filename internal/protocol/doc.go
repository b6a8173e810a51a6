// Package protocol holds the words that are handed to agents: the session protocol, the orientation
// that a session begins with, and packs of context under a budget. Facts in, text out; nothing here
// reads a file.
//
// Numbers in comments are explained in docs/dev/rules.md.
package protocol
