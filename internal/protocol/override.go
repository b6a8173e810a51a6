package protocol

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// ParseOverride reads what a project put in the place of baton's protocol: Markdown, where the text
// below a heading of the second level that is named after a phase takes the place of that phase.
// Text below "Also" is added at the end, and so is that below any other heading, with a finding
// protocol_heading. A phase without text stays as baton has it, with a finding protocol_empty; one
// that is there twice is joined. What stands before the first such heading is the file's own. The
// lines of the findings are those of the file, their path is left to the caller.
func ParseOverride(data []byte) (map[string]string, []report.Finding) {
	parts := map[string]string{}
	known := Options{Setting: SettingFull}
	findings := []report.Finding{}
	d := markdown.Parse(data)
	for i, h := range d.Headings() {
		if h.Level != 2 {
			continue
		}
		title := string(h.Text.Of(data))
		text := strings.TrimSpace(string(d.Body(i).Of(data)))
		key := known.Find(title)
		switch {
		case key == "" && folded(title) == Also:
			key = Also
		case key == "":
			key, text = Also, strings.TrimSpace("### "+plainLine(title)+"\n\n"+text)
			findings = append(findings, report.CodeProtocolHeading.Finding("", d.LineNumber(h.Span.Start),
				"the heading "+short(title, 60)+" is no phase of the protocol; its text stands at the end "+
					"(phases: "+strings.Join(known.Phases(), ", ")+")"))
		case text == "":
			findings = append(findings, report.CodeProtocolEmpty.Finding("", d.LineNumber(h.Span.Start),
				"there is no text below "+short(title, 60)+", so baton's own stays"))
		}
		if text == "" {
			continue
		}
		if parts[key] != "" {
			text = parts[key] + "\n\n" + text
		}
		parts[key] = text
	}
	return parts, findings
}
