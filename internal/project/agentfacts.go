package project

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"baton/internal/gitrepo"
	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/task"
)

// Limits of what a session is told.
const (
	mostFactCommits  = 5
	mostFactDirty    = 10
	mostFactInputs   = 16
	mostFactItems    = 8
	mostFactWarnings = 8
	mostDocBytes     = 4 << 20 // a document above it is not read at a session's start
	mostFolderRecord = 256 << 10
	mostFactProse    = 64 << 10 // characters of requirements and inputs, which a pack may give in full; what has no room is left out by sentences
	mostFactText     = 6 << 10  // characters of one text of a file; the words are cut further where they are put together
)

// factsAsk says what facts are gathered for.
type factsAsk struct {
	Task    string       // "" is the active task
	Session string       // the agent's session, "" outside one
	Source  string       // how the session starts, "" for a look from outside
	Git     bool         // ask git, at most 300 ms (D30)
	Record  *agentRecord // what is known of the session, nil outside one

	live   func() gitrepo.Live // the answer to a question that was asked before, nil to ask now
	active *agentTask          // the task, where it was found before
	ours   bool                // a command of baton wrote the task since the session's last event
	before map[string]string   // hashes that documents had before the session's own beginning wrote them
}

// gathered is what facts were found, and what a session that is told them knows from then on.
type gathered struct {
	facts  protocol.Facts
	active agentTask
	task   *loaded             // nil without one
	docs   map[string]agentDoc // the digest, the task and the tasks that it depends on
	over   []string            // documents over their limit that baton can shorten
	head   string              // commit of HEAD from files, full, or gitrepo.Unborn
	lost   []loss              // what is missing, where that was asked for
	doubts []report.Finding    // what could not be judged of that
	notes  []string            // warnings
}

// facts gathers what a fresh session is told, without writing anything.
func (p *Project) facts(ctx context.Context, ask factsAsk) (protocol.Facts, error) {
	g, err := p.gather(ctx, ask)
	return g.facts, err
}

// gather looks at the active task, the files of its dependencies and the digest, and never at all tasks where there are
// many (D30). Of what cannot be read there is a warning; only an unknown task that was asked for is an error.
func (p *Project) gather(ctx context.Context, ask factsAsk) (gathered, error) {
	g := gathered{docs: map[string]agentDoc{}}
	if ask.live == nil {
		ask.live = p.askGit(ctx, ask.Git)
	}
	g.facts = protocol.Facts{Source: ask.Source, Open: -1, Ready: -1, Project: protocol.Digest{Name: harmless(filepath.Base(p.root)), Percent: -1}}
	for _, f := range p.config().warnings() {
		g.notes = append(g.notes, harmless(f.Text))
	}
	g.facts.NoTasks = len(p.dirs) == 0
	p.digestFacts(ctx, &g)
	p.folderFacts(ctx, &g)
	if err := p.taskFacts(ctx, ask, &g); err != nil {
		return g, err
	}
	if rec := ask.Record; rec != nil {
		g.facts.Client = harmless(rec.Client)
		g.facts.Touched = harmlessList(rec.Files, mostAgentFiles)
	}
	live := ask.live()
	p.gitFacts(live, &g)
	p.sinceFacts(ctx, ask, live, &g)
	g.facts.Warnings = distinctTexts(g.notes)
	g.facts.Warnings = g.facts.Warnings[:min(mostFactWarnings, len(g.facts.Warnings))]
	return g, ctx.Err()
}

// askGit begins to ask git, so that files are read meanwhile, and gives what waits for the answer.
func (p *Project) askGit(ctx context.Context, git bool) func() gitrepo.Live {
	if !git || p.git.Dir == "" {
		return func() gitrepo.Live { return gitrepo.Live{Branch: p.git.Branch(), Head: p.git.Place.Head()} }
	}
	answer, except := make(chan gitrepo.Live, 1), p.undirty()
	go func() { answer <- p.git.Live(ctx, except...) }()
	return sync.OnceValue(func() gitrepo.Live { return <-answer })
}

// undirty gives the folders whose changes are no work on the project's code: they hold the documents themselves.
func (p *Project) undirty() []string {
	out := p.ownFolders()
	for _, dir := range [...]string{".planning", ".specflow", ".devt"} {
		if !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// gitFacts words what git said.
func (p *Project) gitFacts(live gitrepo.Live, g *gathered) {
	if g.head = live.Head; g.head == "" {
		g.head = p.git.Place.Begin()
	}
	f := &g.facts.Git
	f.Known, f.Branch, f.Head = p.git.Dir != "", harmless(live.Branch), short(live.Head)
	for _, c := range live.Commits[:min(mostFactCommits, len(live.Commits))] {
		f.Commits = append(f.Commits, commitWords(c))
	}
	for _, path := range live.Dirty[:min(mostFactDirty, len(live.Dirty))] {
		f.Dirty = append(f.Dirty, harmless(path))
	}
	f.More = len(live.Dirty) - len(f.Dirty)
	f.Late = len(live.Late) > 0
	f.Missing = f.Late && !gitrepo.Installed()
	switch {
	case f.Missing:
		g.notes = append(g.notes, "git is not installed, or not in PATH: this leaves out commits and uncommitted files")
	case f.Late:
		var commands []string
		for _, what := range live.Late {
			commands = append(commands, map[string]string{"commits": "`git log -5 --oneline`", "dirty": "`git status --short`"}[what])
		}
		g.notes = append(g.notes, "git gave no answer within 300 ms, so this leaves out what "+strings.Join(commands, " and ")+" would show")
	}
}

func commitWords(c gitrepo.Commit) string { return short(c.Hash) + " " + harmless(c.Subject) }

// folderFacts adds the workflow that runs in the state folder. Only its record is read; what stands beside it is for
// "dir audit".
func (p *Project) folderFacts(ctx context.Context, g *gathered) {
	if root, places := p.folderRoot(); root == "" || len(places) == 0 {
		return
	}
	at, place, err := p.forFolder(ctx, "hook", DirRequest{})
	if err != nil {
		return
	}
	record, err := at.recordOf(ctx, place)
	if err != nil || record == nil || !record.Active() {
		return
	}
	words := []string{"running in " + place.Dir}
	for _, part := range [...]string{"workflow_type", "phase", "task"} {
		if text := harmless(record.Text(part)); text != "" {
			words = append(words, strings.TrimPrefix(part, "workflow_")+" "+firstRunes(text, 120))
		}
	}
	g.facts.Project.Folder = strings.Join(words, ", ")
}

// recordOf reads the record of a state folder, nil when there is none or it is no sensible one.
func (p *Project) recordOf(ctx context.Context, place folderPlace) (*statedir.Record, error) {
	part, err := p.store.Head(ctx, place.in(statedir.RecordName), mostFolderRecord)
	if err != nil || !part.Exists || int64(len(part.Data)) < part.Size {
		return nil, err
	}
	return statedir.ReadRecord(part.Data), nil
}

// harmless makes one harmless line of a text from a file.
func harmless(text string) string { return firstRunes(oneLine(neutral(text)), mostFactText) }

// harmlessList is harmless for the newest of some texts; those that say nothing go.
func harmlessList(texts []string, most int) []string {
	var out []string
	for _, text := range texts {
		if text = harmless(text); text != "" {
			out = append(out, text)
		}
	}
	return out[max(0, len(out)-most):]
}

func distinctTexts(texts []string) []string {
	var out []string
	for _, text := range texts {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// refOf is how a task is called in a text.
func refOf(id task.ID) string { return harmless(id.Ref()) }

// faultWords says of a document that it could not be read.
func faultWords(name string, err error) string {
	return harmless(name) + " could not be read: " + harmless(report.As(err).Error())
}

// tooLarge says whether a document is no longer one that is read at a session's start.
func tooLarge(data []byte) bool { return len(data) > mostDocBytes || bytes.IndexByte(data, 0) >= 0 }
