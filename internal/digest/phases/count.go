package phases

import "strings"

// Wants reports whether Derive needs the Status of a file with that name. Only plans and
// verifications are read.
func Wants(name string) bool { return plan(name) || verification(name) }

// plan reports whether a file in a phase's folder is a plan: Markdown with "plan" as a part of its
// name (GSD-D15). Outlines, drafts, reviews and summaries are not plans.
func plan(name string) bool {
	stem, ok := strings.CutSuffix(name, ".md")
	if !ok || draft(name) || strings.HasSuffix(name, "-PLAN-REVIEW.md") || summary(name) {
		return false
	}
	return planAt(stem) >= 0
}

func draft(name string) bool {
	return strings.HasSuffix(name, "-OUTLINE.md") || strings.HasSuffix(name, ".pre-bounce.md")
}

// summary reports whether a file in a phase's folder is a summary. Case matters (1.2).
func summary(name string) bool { return name == "SUMMARY.md" || strings.HasSuffix(name, "-SUMMARY.md") }

// nestedPlan is plan for files in the subfolder plans/, such as PLAN-01.md or 03-PLAN-01-posts.md.
func nestedPlan(name string) bool {
	stem, ok := strings.CutSuffix(name, ".md")
	if !ok || draft(name) {
		return false
	}
	at := planAt(stem)
	return at >= 0 && at+5 < len(stem) && stem[at+4] == '-' && digit(stem[at+5])
}

// planAt returns the position of "plan" as a part of a name between hyphens, underscores and dots,
// in any case, or -1.
func planAt(stem string) int {
	for at := 0; at < len(stem); {
		end := strings.IndexAny(stem[at:], "-_.")
		if end < 0 {
			end = len(stem) - at
		}
		if end == 4 && strings.EqualFold(stem[at:at+4], "plan") {
			return at
		}
		at += end + 1
	}
	return -1
}

func verification(name string) bool {
	return strings.HasSuffix(name, ".md") && strings.Contains(strings.ToUpper(name), "VERIFICATION")
}

// count sets the fields of a phase that follow from its folder (1.2, step 4).
func (p *Phase) count(d Dir) {
	p.Dir = d.Name
	p.countPlans(d.Files, plan)
	p.countPlans(d.Plans, nestedPlan)
	for _, f := range d.Files {
		p.Context = p.Context || strings.HasSuffix(f.Name, "CONTEXT.md") || strings.HasSuffix(f.Name, "RESEARCH.md")
		if !verification(f.Name) {
			continue
		}
		switch f.Status {
		case "failed", "gaps_found":
			p.Verification = "failed"
		case "passed":
			if p.Verification == "" {
				p.Verification = "passed"
			}
		}
	}
}

func (p *Phase) countPlans(files []File, isPlan func(string) bool) {
	if len(files) == 0 {
		return
	}
	summaries := make(map[string]bool, len(files))
	for _, f := range files {
		if strings.Contains(f.Name, "SUMMARY") {
			summaries[f.Name] = true
		}
	}
	for _, f := range files {
		if !isPlan(f.Name) || f.Status == "superseded" {
			continue
		}
		p.Plans++
		if summarised(f.Name, summaries) {
			p.Summaries++
		}
	}
}

// summarised reports whether a plan's summary exists under one of its possible names (1.2, step 4).
func summarised(name string, summaries map[string]bool) bool {
	if len(summaries) == 0 {
		return false
	}
	stem := strings.TrimSuffix(name, ".md")
	at := planAt(stem)
	before, after := stem[:at], stem[at+4:]
	if summaries[before+"SUMMARY"+after+".md"] || summaries[stem+"-SUMMARY.md"] {
		return true
	}
	// The summary of N-PLAN-M-slug may also be N-M-SUMMARY; the same holds for N-M-slug-PLAN.
	if number := digits(strings.TrimPrefix(after, "-")); number != "" && summaries[before+number+"-SUMMARY.md"] {
		return true
	}
	parts := strings.SplitN(stem, "-", 3)
	return len(parts) == 3 && lead(parts[0]) == parts[0] && digits(parts[1]) == parts[1] && parts[1] != "" &&
		summaries[parts[0]+"-"+parts[1]+"-SUMMARY.md"]
}
