// Package archive logs a session, moves old sessions to the task's archive when the file grows too
// large, and maintains the summary that replaces them.
package archive
