package protocol

// The session protocol in direct, active sentences, with reasons for rules that are not obvious
// (5.16 to 5.18). Every paragraph lists the points that it covers, and a test checks the words for
// each point. Placeholders in braces: {one} is "criterion" or "feature", {many} its plural, {id}
// the task, {file} its state file, {record} the commands that the project's digest has. For
// projects without tasks, withoutTasks replaces some paragraphs.

// paragraph is one paragraph of a phase.
type paragraph struct {
	points string // P1 to P26 of 5.16, R1 to R15 of 5.17, V1 to V6 of 5.18, B11 of agents.md 10
	text   string
}

// phase is one part of the protocol.
type phase struct {
	name       string
	paragraphs []paragraph
}

// aboutTasks says how to create a task for other work, and how to correct and give up tasks (F-8).
const aboutTasks = "Other work that you find is a task: `baton task new TITLE --accept TEXT --from-task {id}`. " +
	"`baton task edit` corrects one, `baton task cancel` drops it."

// full returns the protocol with every point, in six phases.
func full() []phase {
	return []phase{
		{"orientation", []paragraph{
			{"P1 P4 R4", "Read {file} from top to bottom before anything else, including every entry of its progress " +
				"log; notes of early sessions count. " +
				"It records progress that you do not remember. Anyone who skips it repeats finished work or " +
				"overlooks known defects; its {many} say exactly what is incomplete. " +
				"`baton context {id}` prints the essential parts."},
			{"P2", "Know what you are building: the context and the requirements of the task."},
			{
				"P3", "Go through the chain inputs: what the tasks before this one provide, and what changed in it. " +
					"`baton task show {id}` lists them.",
			},
			{
				"P5 P6 P7", "Confirm where you are with `pwd`, look at the last ten commits with `git log --oneline " +
					"-10`, and at the working tree with `git status`.",
			},
			{"P8", "Find what is incomplete: the {many} that are not checked."},
			{
				"", "If baton reports missing entries, `baton lost` lists what edits removed, and " +
					"`baton lost --restore` puts it back. Otherwise you may decide the same again.",
			},
			{
				"P9", "In the first session of a task, start fresh. In a later one, continue with the next steps of " +
					"the last entry. `baton session start {id}` takes the task and shows which of the two it is.",
			},
		}},
		{"understanding", []paragraph{
			{
				"P10 R10", "Read the source files that you are going to change before you change them, and those " +
					"around them. Assume nothing about their content, and say nothing about code that you have " +
					"not looked at.",
			},
			{
				"P11 R10", "Learn the patterns and conventions of the area. Look for a similar implementation " +
					"and follow it.",
			},
		}},
		{"planning", []paragraph{
			{"P12", "Choose exactly one open {one}: the first that is unchecked, unless the next steps name another."},
			{
				"P13", "Leave the others for later. A task takes several sessions; you do not have to finish " +
					"everything in this one.",
			},
			{"P14", "Plan briefly before you code, and name the files that you will create or change."},
		}},
		{"implementation", []paragraph{
			{"P15", "Start the development server if the work needs one."},
			{
				"P16 R1 R2", "Change the code; a suggestion changes nothing. Act without asking for permission, and " +
					"explain afterwards what you did.",
			},
			{"P17", "Make small changes that can be tested one by one."},
			{
				"P18 V1", "As you work, write tests that show that the code works: automated ones, unit or " +
					"integration, for every {one}.",
			},
			{"P19", "Commit often, with messages that say what changed and why."},
			{"B11", "Do not push, release or deploy anything unless somebody asked you to."},
			{"R3", "Leave no TODO behind. Finish one {one} before you start the next."},
			{
				"R6 R8 R9", "Implement what the {many} ask for and nothing more: no extras, no configuration for " +
					"imaginary needs. Keep every solution simple and direct.",
			},
			{
				"R7", "Write code that is used once where it is used, without an abstraction around it. Some " +
					"repetition is better than a premature abstraction.",
			},
			{
				"R11 R14", "Solve the general problem and not only the test cases. A suite that passes because " +
					"values are hard-coded is a failure.",
			},
			{"", aboutTasks},
			{"", "If something cannot be done, record it: {record}."},
		}},
		{"verification", []paragraph{
			{
				"V6", "Keep this order: implement; look at the user interface if it has one, else run the unit " +
					"tests; if everything passes, check the {one}, otherwise debug and start again.",
			},
			{"P20 V2", "Run all tests. Go on only when they pass."},
			{"P21 V3", "Check user interfaces in a browser, with a browser tool, in addition to their tests."},
			{"R12", "If the tests pass but the solution is a hack, rework it before you call it done."},
			{"R13", "Add tests of edge cases beyond what the {many} name."},
			{
				"P22 V4 R15", "Check a {one} only after all of this, and never on trust: run the command, then " +
					"`baton task check {id} N --evidence TEXT`.",
			},
			{"V5", "If verification is impossible, say why in the progress log."},
		}},
		{"hand-over", []paragraph{
			{"P23 R15", "Before the session ends, append an entry to the log: what was done, which issues came up, " +
				"the current state, what comes next. " +
				"`baton task log {id} --did TEXT --issues TEXT --state TEXT --next TEXT` writes it."},
			{
				"P24 R5", "The next session knows only what is written there. Without the entry, your work is lost " +
					"and done again; with it, work continues across any number of context windows.",
			},
			{
				"P25", "If every {one} is checked: `baton task complete {id}`. If a task waits for it, first write " +
					"the output, `baton task output {id} --summary TEXT`.",
			},
			{"P26", "Commit all changes, including {file} unless git ignores it (`git check-ignore`)."},
		}},
	}
}

// lean returns the points of the shorter protocol and all rules, in three phases.
func lean() []phase {
	return []phase{
		{"orientation", []paragraph{
			{
				"P1 P4 R4", "Read {file} completely first, including every entry of its progress log. It records " +
					"progress that you do not remember; anyone who skips it repeats finished work or overlooks known " +
					"defects. `baton context {id}` prints the essential parts.",
			},
			{"P7", "Look at the working tree with `git status`."},
			{
				"P8 P9 R4", "Its {many} say exactly what is incomplete. In the first session, start fresh; later, " +
					"continue with the next steps of the last entry.",
			},
		}},
		{"implementation", []paragraph{
			{"P12", "Choose the first unchecked {one}, and only that one."},
			{
				"P10 R10", "Read the files of the area before you change them. Learn their patterns and conventions " +
					"and look for a similar implementation. Assume nothing about their content, and say nothing " +
					"about code that you have not looked at.",
			},
			{
				"P16 R1 R2 R3", "Change the code; a suggestion changes nothing. Act without asking for permission, " +
					"and explain afterwards what you did. Leave no TODO behind: finish one {one} before you " +
					"start the next.",
			},
			{
				"R6 R7 R8 R9", "Implement what the {many} ask for and nothing more. Keep it simple and direct: no " +
					"abstraction for code that is used once, since some repetition is better than a premature " +
					"abstraction, and no configuration for imaginary needs.",
			},
			{
				"P18 V1 V2 V3", "Write automated tests, unit or integration, for every {one}, and run them until " +
					"they pass. Also check user interfaces with a browser tool.",
			},
			{
				"R11 R12 R13 R14", "Solve the general problem and not only the test cases. Add tests of edge cases " +
					"beyond what the {many} name. If the tests pass but the solution is a hack, rework it before you " +
					"call it done; a suite that passes because values are hard-coded is a failure.",
			},
			{"P22 V4 V5 V6 R15", "Keep this order: implement; look at the user interface if it has one, else run the " +
				"unit tests; if everything passes, check the {one}, otherwise debug and start again. " +
				"Check it only after all of this: run the command, then `baton task check {id} N " +
				"--evidence TEXT`. If verification is impossible, say why in the progress log."},
			{"", aboutTasks},
		}},
		{"hand-over", []paragraph{
			{"P23 R5 R15", "Before the session ends, append an entry to the log: what was done, which issues came " +
				"up, what comes next. `baton task log {id} --did TEXT --issues TEXT --next TEXT` writes it. " +
				"The next session needs it: without it, work is lost and done again; with it, work continues across " +
				"any number of context windows."},
			{
				"P25", "If every {one} is checked: `baton task complete {id}`. If a task waits for it, first write " +
					"the output, `baton task output {id} --summary TEXT`.",
			},
			{"B11", "Do not push, release or deploy anything unless somebody asked you to."},
		}},
	}
}
