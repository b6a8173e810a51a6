package agentconfig

import "strings"

// Skill returns the text of the skill without the header of a generated file.
func Skill() string { return strings.Replace(skillFile(), headerMark, "", 1) }
