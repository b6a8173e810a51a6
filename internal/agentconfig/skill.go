package agentconfig

// Skill is the text of the skill, for those who hand it on elsewhere than in a file.
func Skill() string { return skillFile() }
