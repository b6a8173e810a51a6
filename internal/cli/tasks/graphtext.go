package tasks

import (
	"fmt"
	"strings"

	"baton/internal/cli/app"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

// mermaidStyles gives the classes of a diagram the colours of the states.
const mermaidStyles = `  classDef complete fill:#d5f5d5,stroke:#2a7a2a
  classDef active fill:#d5e8f9,stroke:#2a5a8a
  classDef open fill:#ffffff,stroke:#888888
  classDef stuck fill:#f9d5d5,stroke:#8a2a2a
`

// graphMermaid prints a flowchart. Nodes are named by position, because an id may hold what Mermaid
// reads as syntax.
func graphMermaid(p *app.Page, g tasks.GraphResult) {
	p.Remarks = g.Warnings
	p.Raw.WriteString("flowchart TD\n")
	at := make(map[task.ID]int, len(g.Nodes))
	for i, n := range g.Nodes {
		at[n.ID] = i
		label := mermaidLabel(n.ID.Ref() + " " + n.Title)
		fmt.Fprintf(&p.Raw, "  n%d[\"%s<br/>%s\"]:::%s\n", i, label, mermaidLabel(nodeWord(n)), class(n))
	}
	for _, e := range g.Edges {
		from, known := at[e.From]
		to, target := at[e.To]
		if known && target {
			fmt.Fprintf(&p.Raw, "  n%d --> n%d\n", from, to)
		}
	}
	p.Raw.WriteString(mermaidStyles)
}

// mermaidLabel writes a text with entities for everything that means something inside a quoted
// label.
func mermaidLabel(text string) string {
	var b strings.Builder
	for _, r := range safetext.Visible(text) {
		switch r {
		case '"', '#', '<', '>', '&', '`', '\\', '*', '_', '[', ']', '{', '}', '(', ')', ';':
			fmt.Fprintf(&b, "#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// class groups states that look alike.
func class(n tasks.GraphNode) string {
	switch n.Status {
	case "complete":
		return "complete"
	case "in_progress", "in_review":
		return "active"
	case "missing", "blocked", "cancelled":
		return "stuck"
	}
	return "open"
}

// graphDot prints a digraph for Graphviz.
func graphDot(p *app.Page, g tasks.GraphResult) {
	p.Remarks = g.Warnings
	p.Raw.WriteString("digraph tasks {\n  node [shape=box];\n")
	for _, n := range g.Nodes {
		fmt.Fprintf(
			&p.Raw, "  %s [label=%s, style=%s];\n", dotText(string(n.ID)),
			dotText(n.ID.Ref()+" "+n.Title, nodeWord(n)), dotStyle(n),
		)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&p.Raw, "  %s -> %s;\n", dotText(string(e.From)), dotText(string(e.To)))
	}
	p.Raw.WriteString("}\n")
}

// dotText quotes texts as one, each on a line of its own.
func dotText(lines ...string) string {
	for i, line := range lines {
		lines[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(safetext.Visible(line))
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}

func dotStyle(n tasks.GraphNode) string {
	switch class(n) {
	case "complete":
		return "filled"
	case "stuck":
		return "dashed"
	case "active":
		return "bold"
	}
	return "solid"
}
