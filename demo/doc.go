// Command demo shows what baton does. It plays the work of coding agents with the real program in a
// temporary folder, and ends with an error at the first unexpected answer. It plays seven short
// scenes by default, and every part of baton with -all.
package main
