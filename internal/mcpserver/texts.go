package mcpserver

// instructions say what the server is for, below 2 KB: clients show them beside the names of the
// tools, and some show nothing else until a tool is searched for (agents.md 7.2).
func instructions(all bool) string {
	said := `baton keeps the state of long-running work in files of this project: tasks with acceptance criteria ` +
		`and a progress log, and STATE.md with position, decisions and blockers. Use it to take up work where the ` +
		`last session left it, and to leave it in order for the next.

Start: next takes up your task or claims the next ready one, and says what is open and what was tried. ` +
		`task_claim claims a certain task; context, task_list and status only look.
While working: task_check when you have verified a criterion, with the evidence; task_new for a part of the work or ` +
		`for other work that you find; decision_add for what others need to know; blocker_add for what is in the way.
Before stopping: task_log with what was done, what failed and what is next. When all criteria are checked: ` +
		`task_output for the tasks that depend on it, then task_complete.

Ids are texts like 101. Answers are JSON. A failed call says why and what to do next (error.hint); commands that ` +
		`begin with baton are those of the program baton in a shell. ` +
		`Archives and metadata in JSON are changed by these tools only, never by editing the files.`
	if all {
		said += "\n\nOther tools: task_ready, task_split, session_start, session_end, decision_list, blocker_list, " +
			"blocker_resolve, state_begin, state_complete, dir_audit, doctor, lost, lost_restore, memory."
	}
	return said
}
