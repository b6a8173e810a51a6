// Package phases computes a project's progress from a roadmap and phase folders: which phases
// belong to the milestone, how many plans each has and how many are done, and what to do next
// (gsd.md 1.2, N7, N11).
//
// It reads no files; the caller passes in the roadmap's bytes and the listing of the folder.
// Numbers in comments are explained in docs/dev/rules.md.
package phases
