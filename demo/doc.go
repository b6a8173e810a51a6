// Command demo plays the relay with the real program, as a person would: a fresh git repository, three dependent
// tasks, several sessions each, criteria checked by commands that really run, a context that fills up and is archived,
// and outputs that flow downstream. Then the digest: decisions that rotate to their archive, a phase from beginning to
// end, the status line, decisions that an agent wipes and that come back, the agents' working folder with an audit and a cleanup,
// a coding agent's session from its first request to its last stop, and a project that another program began. It ends with an error when anything is not as told.
package main
