package report

// Code names a finding or an error for programs. Codes are on the wire, so they are never changed.
//
// The files code*.go are the register of all codes. The comment above a code says in one line what
// is the case, and is its meaning on docs/codes.md; as a comment, it costs the program nothing.
// Severity and Remedy have the rest.
type Code string
