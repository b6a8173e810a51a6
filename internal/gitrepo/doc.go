// Package gitrepo is what baton asks of git (D1, D18). It reads the files in .git to find a
// checkout, its common folder and the commit of HEAD. For the few questions that need git itself,
// it calls git with a time limit.
//
// It changes nothing in a repository, except that Set and Forget write its config. A machine
// without git, a folder outside git and an answer that comes too late are all ordinary: the answer
// is then empty and says so. GIT_DIR and similar variables are removed from the environment of
// every call, so that the environment of a hook does not lead to another repository (D40). Nothing
// that the config of a repository names is run: every call goes through Repo.call, which sees to it
// (D45). Numbers in comments are explained in docs/dev/rules.md.
package gitrepo
