// Package gitrepo is what baton asks of git: where a checkout and its common folder are and which
// commit is HEAD, read from the files that .git holds, and the few questions that need git itself,
// which are called with a limit in time (D1, D18).
//
// Nothing here changes a repository, except Set and Forget, which write its config. A machine
// without git, a folder outside git and an answer that comes too late are all ordinary: the answer
// is then empty and says so. GIT_DIR and its kin are taken out of the environment of every call, so
// that a hook's surroundings do not lead to another repository (D40). Numbers in comments are
// explained in docs/dev/rules.md.
package gitrepo
