package protocol

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// ParseOverride reads a project's replacement for baton's protocol. It is Markdown; the text below
// a level-2 heading with the name of a phase replaces that phase. Text below "Also" is added at the
// end, and so is text below any other heading, with a finding protocol_heading. A phase without
// text keeps baton's text, with a finding protocol_empty. Repeated phases are joined. Text before
// the first heading is ignored. Line numbers of findings are those of the file; the caller adds the
// path.
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
				"the heading "+short(title, 60)+" is not a phase of the protocol; its text goes to the end "+
					"(phases: "+strings.Join(known.Phases(), ", ")+")"))
		case text == "":
			findings = append(findings, report.CodeProtocolEmpty.Finding("", d.LineNumber(h.Span.Start),
				"there is no text below "+short(title, 60)+", so baton's own text stays"))
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
