// Package archive logs a session, moves old sessions from a task file to its archive when the file
// grows too large, and keeps the summary that stands for them.
package archive
