package setup

import (
	"os"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/safetext"
)

// outside tells how agents miss this program, which they start by its name: not at all, or another
// of that name. Their commands are guarded, so that nothing else would tell (agents.md 2.1). A
// finding without a code is none.
func (s *AgentSetup) outside() report.Finding {
	if len(s.clients) == 0 {
		return report.Finding{}
	}
	self, err := os.Executable()
	return Strayed(s.program("baton"), self, err == nil)
}

// Strayed compares the program that stands on PATH, "" for none, with the one that runs, where that
// is known.
func Strayed(found, self string, known bool) report.Finding {
	switch {
	case found == "":
		text := "baton is not on PATH: agents start it by that name, so until it is, hooks and server " +
			"silently do nothing"
		if known && programName(self) == "baton" {
			text += "; this one is in " + safetext.Line(filepath.Dir(self))
		}
		return report.CodeBatonMissing.Finding("", 0, text)
	case known && !sameProgram(found, self):
		return report.CodeBatonElsewhere.Finding("", 0, "agents start the baton on PATH, which is "+
			safetext.Line(found)+", not this one, "+safetext.Line(self))
	}
	return report.Finding{}
}

// programName is the name of a program without its folder and without what Windows puts after it.
func programName(path string) string {
	name := filepath.Base(path)
	if os.PathSeparator == '\\' {
		name = name[:len(name)-len(filepath.Ext(name))]
	}
	return name
}

// sameProgram says whether two paths lead to one file. Where that cannot be seen they are taken to.
func sameProgram(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return true
	}
	second, err := os.Stat(b)
	return err != nil || os.SameFile(first, second)
}
