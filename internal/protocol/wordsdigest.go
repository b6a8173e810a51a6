package protocol

// withoutTasks returns the words of a paragraph where a digest, or a state folder, is kept and no
// tasks are: it names no task, no criteria and no commands for them. "" leaves the paragraph out;
// those that speak of no task stay as they are. In braces, besides those of the protocol: {end} is
// the command that writes where a session stopped.
func (o Options) withoutTasks(p paragraph) string {
	const order = "Keep this order: implement; look at it if it has a user interface, else run its unit tests; if " +
		"everything passes, the step is done, otherwise debug and begin again."
	switch p.points {
	case "P3", "P8", "P25":
		return ""
	case "P1 P4 R4":
		return "Read {file} from top to bottom before anything else. It holds what you do not remember; anyone who " +
			"skips it repeats finished work or overlooks known defects. " +
			"`baton context` prints what matters of it."
	case "P2":
		return "Know what is to be built: what comes next, and the documents that say how."
	case "P9", "P8 P9 R4":
		return "Go on where the last session stopped, with the next step that it left."
	case "P12":
		return "Choose exactly one step: the one that comes next, unless you were asked for another."
	case "P13":
		return "Leave the others for later. The work takes several sessions; nobody has to finish " +
			"everything in this one."
	case "V6":
		return order
	case "P22 V4 R15":
		return "Call a step done only after all of this, and never on trust."
	case "V5":
		return "Where verification is impossible, write down why."
	case "P22 V4 V5 V6 R15":
		return order + " Call it done only after all of this. Where verification is impossible, write down why."
	case "P23 R15":
		return "Before the session ends, write down what was done, which issues came up and what comes next: {end}."
	case "P24 R5":
		return "The next session knows only what is written there. Without it the work is lost and done again; with " +
			"it, work goes on across any number of context windows."
	case "P23 R5 R15":
		return "Before the session ends, write down what was done, which issues came up and what comes next: {end}. " +
			"The next session needs it: without it work is lost and done again; with it, work goes on across any " +
			"number of context windows."
	case "P26":
		if o.Digest == KindNone {
			return "Commit all changes."
		}
	}
	return p.text
}

// stopped returns the command that writes where a session stopped, of those that the project has.
func (o Options) stopped() string {
	switch o.Digest {
	case KindNone:
		return "`baton dir update KEY=VALUE` changes the record of the workflow, and `baton dir contract` lists the " +
			"names of files"
	case KindSpecflow:
		return "`baton state active set ID --next TEXT` writes it"
	}
	return "`baton session end --stopped-at TEXT` writes it"
}
