package agentconfig

import (
	"bytes"

	"baton/internal/markdown"
)

// SpecFlow's steps are texts that an agent follows. The steps that write its digest, and the one
// that shows the archive, get a block that says which part baton does (D39). SpecFlow's own text
// stays as it is.
const specflowFolder = ".claude/commands/sf/"

// specflowCommands returns the names of the texts and the block for each.
func specflowCommands() [][2]string {
	const rotate = "Whenever this step has written `.specflow/STATE.md`, run `baton state rotate --quiet`. It moves " +
		"the oldest decisions to\n" +
		"`.specflow/DECISIONS_ARCHIVE.md` if the digest is over its limits, and prints nothing otherwise. If " +
		"the text above\n" +
		"counts lines or moves decisions itself, run this command instead.\n"
	const decide = "Record a decision with `baton decision add TEXT --spec ID`.\n"
	return [][2]string{
		{
			"done.md", rotate + decide + "Remove a finished specification from the digest with `baton state active " +
				"remove ID` and `baton state queue remove ID`.\n",
		},
		{
			"audit.md", rotate + decide + "Set status and next step with `baton state active set ID --status " +
				"STATUS --next NEXT`.\n",
		},
		{
			"run.md", rotate + "Set status and next step with `baton state active set ID --status STATUS " +
				"--next NEXT`.\n",
		},
		{
			"review.md", rotate + decide + "Set status and next step with `baton state active set ID --status " +
				"STATUS --next NEXT`.\n",
		},
		{"history.md", "For `--decisions`, run `baton history --decisions` and print its output. For an ID, run " +
			"`baton history ID`. The two cannot\n" +
			"be combined: `baton history ID --decisions` prints the message for that.\n"},
	}
}

func specflowTargets() []target {
	var out []target
	for _, c := range specflowCommands() {
		out = append(out, target{
			names: []string{specflowFolder + c[0]}, grammar: Markdown, client: Claude, body: func() string {
				return c[1]
			},
		})
	}
	return out
}

// SpecflowNames returns the files of SpecFlow's steps at which PlanSpecflow looks.
func SpecflowNames() []string {
	var out []string
	for _, t := range specflowTargets() {
		out = append(out, t.names[0])
	}
	return out
}

// PlanSpecflow adds a block to the existing files of SpecFlow's steps. It creates none. Errors are
// those of Plan.
func PlanSpecflow(scope Scope, files Files, opts Options) ([]Edit, error) {
	p := newPlanner(scope, files, opts)
	for _, t := range specflowTargets() {
		if _, there := files[t.names[0]]; there {
			p.edit(t, applyBlock)
		}
	}
	return p.done()
}

// RemoveSpecflow removes the blocks.
func RemoveSpecflow(scope Scope, files Files, opts Options) ([]Edit, error) {
	p := newPlanner(scope, files, opts)
	for _, t := range specflowTargets() {
		if _, there := files[t.names[0]]; there {
			p.edit(t, removerOf(t))
		}
	}
	return p.done()
}

// SpecflowSnippets returns the texts that PlanSpecflow and WithSpecflowNote add, to be inserted by
// hand.
func SpecflowSnippets() []Snippet {
	var out []Snippet
	for _, t := range specflowTargets() {
		out = append(out, Snippet{t.names[0], fenced(t.body())})
	}
	return append(out, Snippet{".specflow/STATE.md", specflowNote + "\n"})
}

// specflowNote is the comment about its size that a new SpecFlow digest has.
const specflowNote = "<!-- A digest, not an archive: at most 100 lines. Older decisions go to DECISIONS_ARCHIVE.md. -->"

// WithSpecflowNote adds the note about its size after the title of a digest, unless it already has
// such a comment.
func WithSpecflowNote(src []byte) ([]byte, error) {
	d, err := openMarkdown("STATE.md", src)
	if err != nil {
		return src, err
	}
	title := -1
	for i, line := range d.Lines() {
		if line.Class == markdown.Comment && bytes.Contains(d.Text(i), []byte("lines")) {
			return src, nil
		}
		if title < 0 && line.Class == markdown.ATX && bytes.HasPrefix(d.Text(i), []byte("# ")) {
			title = i
		}
	}
	if title < 0 {
		return src, nil
	}
	eol, at := eolOf(src), d.Lines()[title].End
	return markdown.Apply(src, edit(at, at, eol+eol+specflowNote))
}
