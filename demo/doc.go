// Command demo shows what baton does. It does the work of coding agents with the real program in a
// temporary folder, and ends with an error at the first unexpected answer. By default it shows
// eight short scenes; with -all, every part of baton.
package main
