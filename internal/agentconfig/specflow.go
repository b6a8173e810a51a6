package agentconfig

import (
	"bytes"

	"baton/internal/markdown"
)

// SpecFlow's steps are texts that an agent follows. Those that write its digest, and the one that
// shows what is archived, get a block that says what baton does of it (D39). SpecFlow's own words
// stay as they are.
const specflowFolder = ".claude/commands/sf/"

// specflowCommands are the names of the texts and what is put after each.
func specflowCommands() [][2]string {
	const rotate = "Whenever this step has written `.specflow/STATE.md`, run `baton state rotate --quiet`. It moves " +
		"the oldest decisions to\n" +
		"`.specflow/DECISIONS_ARCHIVE.md` when the digest is over its limits, and prints nothing otherwise. Where " +
		"the text above\n" +
		"counts lines or moves decisions itself, this command takes the place of that.\n"
	const decide = "A decision is recorded with `baton decision add TEXT --spec ID`.\n"
	return [][2]string{
		{
			"done.md", rotate + decide + "A finished specification leaves the digest with `baton state active remove " +
				"ID` and `baton state queue remove ID`.\n",
		},
		{
			"audit.md", rotate + decide + "Status and next step are set with `baton state active set ID --status " +
				"STATUS --next NEXT`.\n",
		},
		{
			"run.md", rotate + "Status and next step are set with `baton state active set ID --status STATUS " +
				"--next NEXT`.\n",
		},
		{
			"review.md", rotate + decide + "Status and next step are set with `baton state active set ID --status " +
				"STATUS --next NEXT`.\n",
		},
		{"history.md", "`--decisions` is `baton history --decisions`: print what it prints. With an ID it is `baton " +
			"history ID`. The two do not go\n" +
			"together: `baton history ID --decisions` prints the message for that.\n"},
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

// SpecflowNames are the files of SpecFlow's steps that PlanSpecflow looks at.
func SpecflowNames() []string {
	var out []string
	for _, t := range specflowTargets() {
		out = append(out, t.names[0])
	}
	return out
}

// PlanSpecflow puts a block into those of SpecFlow's steps that are there; none is made. Errors are
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

// RemoveSpecflow takes the blocks out.
func RemoveSpecflow(scope Scope, files Files, opts Options) ([]Edit, error) {
	p := newPlanner(scope, files, opts)
	for _, t := range specflowTargets() {
		if _, there := files[t.names[0]]; there {
			p.edit(t, removerOf(t))
		}
	}
	return p.done()
}

// SpecflowSnippets returns what PlanSpecflow and WithSpecflowNote put in, for use by hand.
func SpecflowSnippets() []Snippet {
	var out []Snippet
	for _, t := range specflowTargets() {
		out = append(out, Snippet{t.names[0], fenced(t.body())})
	}
	return append(out, Snippet{".specflow/STATE.md", specflowNote + "\n"})
}

// specflowNote is the comment on its size that a fresh digest of SpecFlow has.
const specflowNote = "<!-- A digest, not an archive: at most 100 lines. Older decisions go to DECISIONS_ARCHIVE.md. -->"

// WithSpecflowNote puts the note on its size after the title of a digest that has no comment of the
// kind.
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
