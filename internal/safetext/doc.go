// Package safetext decides whether a text may reach a terminal, a model or a line of a file.
//
// Every door passes texts from files, arguments and other programs through this package. For
// people, unsafe characters become visible (Visible, VisibleLines). For models and documents they
// are removed (Clean, Line). In JSON for programs they are escaped (EscapeJSON). The package also
// shortens texts by columns, characters or bytes, and writes counts with their nouns.
//
// It imports no other package of baton.
package safetext
