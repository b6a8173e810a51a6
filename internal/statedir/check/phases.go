package check

import (
	"slices"
	"strings"
	"unicode"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/record"
)

// passed warns about missing files of phases before the current one (5.17). It is never an error,
// because tiers skip different phases. A cancelled workflow has passed no phase, and phases that
// the record lists as skipped are not checked. Files of an earlier workflow do not count (SD-D21).
func (v *validation) passed() {
	if v.facts.Record == nil || v.contract.Bare() {
		return
	}
	order, phase := record.Phases(), v.facts.Record.Text("phase")
	now := slices.Index(order, phase)
	if now < 0 || phase == "cancelled" {
		return
	}
	own, skipped := phasesOf(v.facts.Record.Text("workflow_type")), phaseWords(v.facts.Record.Text("skipped_phases"))
	var over, files []string
	for _, step := range record.PhaseArtifacts() {
		of, file := step[0], step[1]
		switch {
		case slices.Index(order, of) >= now, !slices.Contains(own, of), slices.Contains(skipped, of), v.left(file):
		case v.there[file] == asFolder:
			v.add(file, statedir.Problem{Reason: report.CodeMissing, Missing: []string{file}},
				": is a folder; the phase "+of+" has been passed and should have left a file with that name")
		default:
			over, files = append(over, of), append(files, file)
		}
	}
	switch len(files) {
	case 0:
	case 1:
		v.add(files[0], statedir.Problem{Reason: report.CodeMissing, Missing: files},
			": "+v.there[files[0]].lack()+"; the phase "+over[0]+
				" has been passed (the record is at "+phase+") and should have left it")
	default:
		v.add(record.FileName, statedir.Problem{
			Reason: report.CodeMissing, Pointer: statedir.Pointer("phase"), Missing: files,
		}, ": the phases "+inWords(over)+
			" have been passed (the record is at "+phase+") and should have left "+inWords(files))
	}
}

// left reports whether a phase left its file. It also returns true if the problem has already been
// reported, because there is a folder in its place or half of a pair is missing.
func (v *validation) left(file string) bool {
	s, pair := v.contract.SidecarFor(file)
	switch v.there[file] {
	case fromNow:
		return true
	case asFolder:
		return pair
	case notThere:
		return pair && v.there[s.JSON] == fromNow
	}
	return false
}

// phasesOf returns the phases that are checked for a workflow type. All types have the same order
// of phases, but each runs only some of them: a complete workflow of type dev has never debugged,
// scanned the architecture or promoted lessons. So each type is checked for its own phases, and a
// workflow of unknown type for those that most workflows have (SD-K33). A dev workflow may also
// plan, write documentation or learn, depending on its tier; these phases are checked only for the
// types with their names.
func phasesOf(workflowType string) []string {
	switch workflowType {
	case "quick_implement":
		return []string{"implement", "test", "review"}
	case "code_review", "code_review_parallel":
		return []string{"review", "verify"}
	case "arch_health_scan":
		return []string{"scan", "arch_health", "architect"}
	case "debug", "plan", "docs":
		return []string{workflowType}
	case "retro":
		return []string{"retro", "curate"}
	case "research", "specify", "clarify", "memory_promote", "memory_reject", "preflight":
		return nil
	}
	return []string{"implement", "test", "review", "verify"}
}

// phaseWords returns the names in a text, whatever separates them.
func phaseWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// lack says in which way a file is missing for the current workflow.
func (p presence) lack() string {
	switch p {
	case fromBefore:
		return "is from an earlier workflow"
	case asFolder:
		return "is a folder"
	}
	return "is missing"
}

// inWords joins words for a sentence.
func inWords(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
