// Package app is what the groups of commands share: one run of the program with its flags (App),
// how a command is declared (Spec), how it reaches the project and prints the result (Answer), and
// how pages, tables, colours and errors look.
//
// Invariants: nothing is printed on standard output when a command fails; a text that stems from a
// file is made printable before a person's terminal sees it (TS-24); package initialisation does no
// work.
package app
