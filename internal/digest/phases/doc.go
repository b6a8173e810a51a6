// Package phases says what a roadmap and a folder of phases tell about a project's progress: which
// phases belong to the milestone, how many plans each has and how many were carried out, and what
// to do next (gsd.md 1.2, N7, N11).
//
// It reads no files: the roadmap's bytes and the listing of the folder come in as values. Numbers
// in comments are explained in docs/dev/rules.md.
package phases
