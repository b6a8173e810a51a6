// Command demo shows what baton does: it plays work of coding agents with the real program, in a
// temporary folder, and ends with an error at the first answer that is not as expected. Seven short
// scenes are the default, -all plays every part of baton.
package main
