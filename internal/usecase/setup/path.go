package setup

import (
	"os"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// outside reports that agents, which start this program by its name, would find no program or a
// different one. Their commands ignore a missing program, so nothing else would report it
// (agents.md 2.1). A finding without a code means that all is well.
func (s *AgentSetup) outside() report.Finding {
	if len(s.clients) == 0 {
		return report.Finding{}
	}
	self, err := os.Executable()
	return Strayed(s.program("baton"), self, err == nil)
}

// Strayed compares the program on PATH, "" if there is none, with the running one, if that is
// known.
func Strayed(found, self string, known bool) report.Finding {
	switch {
	case found == "":
		text := "baton is not on PATH: agents start it by that name, so until then hooks and server " +
			"silently do nothing"
		if known && programName(self) == "baton" {
			text += "; this one is in " + safetext.Line(filepath.Dir(self))
		}
		return report.CodeBatonMissing.Finding("", 0, text)
	case known && !workspace.SameProgram(found, self):
		return report.CodeBatonElsewhere.Finding("", 0, "agents start the baton on PATH, which is "+
			safetext.Line(found)+", not this one, "+safetext.Line(self))
	}
	return report.Finding{}
}

// programName returns the name of a program without its folder, and on Windows without its
// extension.
func programName(path string) string {
	name := filepath.Base(path)
	if os.PathSeparator == '\\' {
		name = name[:len(name)-len(filepath.Ext(name))]
	}
	return name
}
