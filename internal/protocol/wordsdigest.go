package protocol

// withoutTasks returns the text of a paragraph for a project with a digest or a state folder but no
// tasks. It mentions no task, no criteria and no commands for them. It returns "" for paragraphs to
// leave out, and the original text if that mentions no task. The additional placeholder {end} is
// the command that records where a session stopped.
func (o Options) withoutTasks(p paragraph) string {
	const order = "Keep this order: implement; look at the user interface if it has one, else run the unit tests; if " +
		"everything passes, the step is done, otherwise debug and start again."
	if p.text == aboutTasks {
		return ""
	}
	switch p.points {
	case "P3", "P8", "P25":
		return ""
	case "P1 P4 R4":
		return "Read {file} from top to bottom before anything else. It records what you do not remember; anyone who " +
			"skips it repeats finished work or overlooks known defects. " +
			"`baton context` prints the essential parts."
	case "P2":
		return "Know what you are building: what comes next, and the documents that say how."
	case "P9", "P8 P9 R4":
		return "Continue where the last session stopped, with its next step."
	case "P12":
		return "Choose exactly one step: the one that comes next, unless you were asked for another."
	case "P13":
		return "Leave the others for later. The work takes several sessions; you do not have to finish " +
			"everything in this one."
	case "V6":
		return order
	case "P22 V4 R15":
		return "Call a step done only after all of this, and never on trust."
	case "V5":
		return "If verification is impossible, write down why."
	case "P22 V4 V5 V6 R15":
		return order + " Call it done only after all of this. If verification is impossible, write down why."
	case "P23 R15":
		return "Before the session ends, write down what was done, which issues came up and what comes next: {end}."
	case "P24 R5":
		return "The next session knows only what is written there. Without it, your work is lost and done again; " +
			"with it, work continues across any number of context windows."
	case "P23 R5 R15":
		return "Before the session ends, write down what was done, which issues came up and what comes next: {end}. " +
			"The next session needs it: without it, work is lost and done again; with it, work continues across any " +
			"number of context windows."
	case "P26":
		if o.Digest == KindNone {
			return "Commit all changes."
		}
	}
	return p.text
}

// stopped returns the project's command that records where a session stopped.
func (o Options) stopped() string {
	switch o.Digest {
	case KindNone:
		return "`baton dir update KEY=VALUE` changes the record of the workflow, and `baton dir contract` lists the " +
			"file names"
	case KindSpecflow:
		return "`baton state active set ID --next TEXT` records it"
	}
	return "`baton session end --stopped-at TEXT` records it"
}
