// Package safetext is the one answer to the question whether a text may reach a terminal, a model
// or a line of a file.
//
// Every door passes texts from files, arguments and other programs through it. For people, what is
// unsafe becomes visible (Visible, VisibleLines); for models and documents, it is left out (Clean,
// Line); in JSON for programs, it is escaped (EscapeJSON). The package also shortens texts by
// columns, characters or bytes, and counts things in words.
//
// It imports nothing of baton's.
package safetext
