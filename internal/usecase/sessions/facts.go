package sessions

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"baton/internal/agentconfig"
	"baton/internal/agentsession"
	"baton/internal/gitrepo"
	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir/record"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/loss"
	"baton/internal/workspace"
)

// Limits of the facts for a session.
const (
	mostFactCommits = 5

	mostFactDirty = 10

	mostFactInputs = 16

	mostFactItems = 8

	mostFactWarnings = 8

	mostFolderRecord = 256 << 10

	mostClientSettings = 256 << 10

	// characters of requirements and inputs, which a pack may contain in full; sentences that do
	// not fit are left out whole
	mostFactProse = 64 << 10
)

// FactsAsk says what the facts are gathered for.
type FactsAsk struct {
	Task    string               // "" means the active task
	Session string               // the agent's session, "" outside one
	Source  string               // how the session starts, "" outside one
	Git     bool                 // ask git, for at most 300 ms (D30)
	Record  *agentsession.Record // the session's record, nil outside one

	WithNeighbours bool                // look for other sessions at work
	Live           func() gitrepo.Live // the answer to an earlier question; nil: ask now
	Active         *ActiveTask         // the task, if it is known already
	Ours           bool                // a baton command wrote the task after the session's last event
	Before         map[string]string   // hashes of documents from before the session start wrote them
}

// Asking says how far git may be asked about what other worktrees completed (D42).
func (a *FactsAsk) Asking() workspace.Asking {
	if a.Git {
		return workspace.AskKeep
	}
	return workspace.AskNever
}

// Gathered contains the facts, and what a session knows after it received them.
type Gathered struct {
	Facts      protocol.Facts
	active     ActiveTask
	Loaded     *workspace.Loaded           // nil if there is none
	Docs       map[string]agentsession.Doc // the digest, the task and its dependencies
	Over       []string                    // documents over their limit that baton can shorten
	Head       string                      // commit of HEAD from files, full, or gitrepo.Unborn
	Lost       []loss.Entry                // missing entries, if they were looked for
	Doubts     []report.Finding            // documents whose losses could not be judged
	neighbours Neighbours                  // other sessions at work, if they were looked for
	Found      []workspace.Neighbour
	notes      []string // warnings
}

// Facts gathers the facts for a fresh session. It writes nothing.
func (p Sessions) Facts(ctx context.Context, ask FactsAsk) (protocol.Facts, error) {
	g, err := p.Gather(ctx, ask)
	return g.Facts, err
}

// Gather reads the active task, the files of its dependencies and the digest, but never all of many
// tasks (D30). It follows no link out of the project (D45). Unreadable files become warnings. The
// only error is an unknown task that was asked for.
func (p Sessions) Gather(ctx context.Context, ask FactsAsk) (Gathered, error) {
	defer p.Confine()()
	g := Gathered{Docs: map[string]agentsession.Doc{}}
	if ask.Live == nil {
		ask.Live = p.AskGit(ctx, ask.Git)
	}
	g.Facts = protocol.Facts{Source: ask.Source, Open: -1, Ready: -1, Project: protocol.Digest{
		Name: workspace.FactLine(filepath.Base(p.Root)), Percent: -1,
	}}
	for _, f := range p.Settings().Warnings() {
		g.notes = append(g.notes, workspace.FactLine(f.Text))
	}
	g.Facts.NoTasks = len(p.Dirs) == 0
	p.digestFacts(ctx, &g)
	p.folderFacts(ctx, &g)
	if err := p.taskFacts(ctx, ask, &g); err != nil {
		return g, err
	}
	if rec := ask.Record; rec != nil {
		g.Facts.Client = workspace.FactLine(rec.Client)
		touched := rec.Files
		if len(touched) == 0 && ask.Source == "compact" { // an entry was drafted before the compaction
			touched = workspace.SortedKeys(rec.Marks)
		}
		g.Facts.Touched = harmlessList(touched, agentsession.MostFiles)
		if g.Facts.Tools = rec.Tools; ask.WithNeighbours { // the session starts; later, its record knows
			g.Facts.Tools = p.hasTools(ctx, rec.Client)
		}
	}
	live := ask.Live()
	p.gitFacts(live, &g)
	p.neighbourFacts(ctx, ask, live, &g)
	p.sinceFacts(ctx, ask, live, &g)
	Warn(&g.Facts, g.notes)
	return g, ctx.Err()
}

// Warn puts warnings before those that are there, and counts those for which there is no room.
func Warn(f *protocol.Facts, first []string) {
	all := distinctTexts(slices.Concat(first, f.Warnings))
	f.Warnings = all[:min(mostFactWarnings, len(all))]
	f.MoreWarnings += len(all) - len(f.Warnings)
}

// hasTools reports whether a client has the tools of baton's server, by its settings in the
// project or by an installed extension. A hook of baton's plugin runs only where the plugin's
// server runs as well.
func (p Sessions) hasTools(ctx context.Context, client string) bool {
	if client == string(agentconfig.Claude) && p.Env.Getenv("CLAUDE_PLUGIN_ROOT") != "" {
		return true
	}
	if at := agentconfig.InstalledExtension(agentconfig.Client(client)); at != "" && p.Env.Home != "" {
		if info, err := os.Stat(filepath.Join(p.Env.Home, filepath.FromSlash(at))); err == nil && info.IsDir() {
			return true
		}
	}
	return agentconfig.HasServer(agentconfig.Client(client), func(name string) []byte {
		part, err := p.Store.Head(ctx, name, mostClientSettings)
		if err != nil || int64(len(part.Data)) < part.Size {
			return nil
		}
		return part.Data
	})
}

// AskGit starts to ask git and returns a function that waits for the answer. Files are read in the
// meantime.
func (p Sessions) AskGit(ctx context.Context, git bool) func() gitrepo.Live {
	if !git || p.Git.Dir == "" {
		return func() gitrepo.Live { return gitrepo.Live{Branch: p.Git.Branch(), Head: p.Git.Place.Head()} }
	}
	answer, except := make(chan gitrepo.Live, 1), p.Undirty()
	go func() { answer <- p.Git.Live(ctx, except...) }()
	return sync.OnceValue(func() gitrepo.Live { return <-answer })
}

// Undirty returns the folders with the documents themselves. Changes in them do not count as work
// on the project's code.
func (p Sessions) Undirty() []string {
	out := p.OwnFolders()
	for _, dir := range [...]string{".planning", ".specflow", ".devt"} {
		if !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// gitFacts adds git's answers.
func (p Sessions) gitFacts(live gitrepo.Live, g *Gathered) {
	if g.Head = live.Head; g.Head == "" {
		g.Head = p.Git.Place.Begin()
	}
	f := &g.Facts.Git
	f.Known, f.Branch, f.Head = p.Git.Dir != "", workspace.FactLine(live.Branch), safetext.ShortHash(live.Head)
	for _, c := range live.Commits[:min(mostFactCommits, len(live.Commits))] {
		f.Commits = append(f.Commits, commitWords(c))
	}
	for _, path := range live.Dirty[:min(mostFactDirty, len(live.Dirty))] {
		f.Dirty = append(f.Dirty, workspace.FactLine(path))
	}
	f.More = len(live.Dirty) - len(f.Dirty)
	f.Late = len(live.Late) > 0
	f.Missing = f.Late && !gitrepo.Installed()
}

func commitWords(c gitrepo.Commit) string {
	return safetext.ShortHash(c.Hash) + " " + workspace.FactLine(c.Subject)
}

// folderFacts adds the running workflow of the state folder. It reads only the record; "dir audit"
// reads the files next to it.
func (p Sessions) folderFacts(ctx context.Context, g *Gathered) {
	if root, places := p.FolderRoot(); root == "" || len(places) == 0 {
		return
	}
	at, place, err := folder.Of(p.Workspace).ForFolder(ctx, "hook", folder.DirRequest{})
	if err != nil {
		return
	}
	rec, err := Of(at).recordOf(ctx, place)
	if err != nil || rec == nil || !rec.Active() {
		return
	}
	words := []string{"running in " + place.Dir}
	for _, part := range [...]string{"workflow_type", "phase", "task"} {
		if text := workspace.FactLine(rec.Text(part)); text != "" {
			words = append(words, strings.TrimPrefix(part, "workflow_")+" "+safetext.FirstRunes(text, 120))
		}
	}
	g.Facts.Project.Folder = strings.Join(words, ", ")
}

// recordOf returns the record of a state folder, or nil.
func (p Sessions) recordOf(ctx context.Context, place workspace.FolderPlace) (*record.Record, error) {
	part, err := p.Store.Head(ctx, place.In(record.FileName), mostFolderRecord)
	if err != nil || !part.Exists || int64(len(part.Data)) < part.Size {
		return nil, err
	}
	return record.Read(part.Data), nil
}

// harmlessList returns the newest of some texts, without control characters and without texts that
// say nothing.
func harmlessList(texts []string, most int) []string {
	out := harmless(texts)
	return out[max(0, len(out)-most):]
}

// harmless returns texts without control characters, and without those that say nothing, such as
// what a template has in a list that is empty.
func harmless(texts []string) []string {
	var out []string
	for _, text := range texts {
		if text = workspace.FactLine(text); filledIn(text) {
			out = append(out, text)
		}
	}
	return out
}

// newestFirst returns the newest of some texts, and the number of older ones. Texts that say
// nothing do not count.
func newestFirst(texts []string) (newest []string, older int) {
	all := harmless(texts)
	slices.Reverse(all)
	newest = all[:min(mostFactItems, len(all))]
	return newest, len(all) - len(newest)
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

// faultWords is a warning that a document could not be read.
func faultWords(name string, err error) string {
	return workspace.FactLine(name) + " could not be read: " + workspace.FactLine(report.As(err).Error())
}

// TooLarge reports whether a document is too large to be read at a session's start.
func TooLarge(data []byte) bool {
	return len(data) > workspace.MostDocBytes || bytes.IndexByte(data, 0) >= 0
}
