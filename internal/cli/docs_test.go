package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"baton/internal/agentconfig"
	"baton/internal/agentsession"
	"baton/internal/cli/app"
	"baton/internal/digest"
	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/digest/specflow"
	"baton/internal/digest/standing"
	"baton/internal/hook"
	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/selftest"
	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
	"baton/internal/threeway"
	"baton/internal/usecase/agents"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/doctor"
	"baton/internal/usecase/find"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/history"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/merging"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
	"baton/internal/usecase/waiting"
	"baton/internal/usecase/work"
	"baton/internal/workspace"
	"baton/internal/workspace/trust"
)

// docsDir is the folder whose pages these tests compare with the program.
const docsDir = "../../docs"

// cliPages are the pages below docs/cli, in the order of their index.
var cliPages = [...]string{"project", "task", "session", "state", "decision", "dir", "safety", "merge", "agents"}

// readPages returns the text of the pages below docs that match a pattern, by name.
func readPages(t *testing.T, pattern string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(docsDir, filepath.FromSlash(pattern)))
	if err != nil || len(names) == 0 {
		t.Fatalf("no page matches %s: %v", pattern, err)
	}
	pages := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = string(data)
	}
	return pages
}

// blockMark matches the line before a block that the program writes.
var blockMark = regexp.MustCompile(`(?m)^<!-- (help|play|commands): (.+) -->\n`)

// TestDocsShowWhatTheProgramPrints compares the pages below docs/cli with the program. The block after "<!-- help: NAME
// -->" is the help of a command. The blocks after "<!-- play: NAME -->" are commands with their output; those of one
// NAME run in order, in one project. The table after "<!-- commands: PAGE -->" lists the commands of a page. go test
// ./internal/cli -run TestDocs -update rewrites the blocks.
func TestDocsShowWhatTheProgramPrints(t *testing.T) {
	t.Parallel()
	for name, page := range readPages(t, "cli/*.md") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			want := playPage(t, page)
			if *update {
				if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, page); diff != "" {
				t.Errorf("%s (-program +page):\n%s", name, diff)
			}
		})
	}
}

// playPage returns a page with what the program prints now in each block.
func playPage(t *testing.T, page string) string {
	t.Helper()
	projects := map[string]*stage{}
	var b strings.Builder
	for {
		at := blockMark.FindStringSubmatchIndex(page)
		if at == nil {
			return b.String() + page
		}
		kind, name := page[at[2]:at[3]], page[at[4]:at[5]]
		b.WriteString(page[:at[1]])
		page = page[at[1]:]
		if kind == "commands" {
			page = strings.TrimPrefix(page, "\n")
			for strings.HasPrefix(page, "|") {
				_, page, _ = strings.Cut(page, "\n")
			}
			b.WriteString(commandTable(t, name))
			continue
		}
		fence, rest, _ := strings.Cut(page, "\n")
		body, rest, closed := strings.Cut("\n"+rest, "\n```\n")
		if !closed || !strings.HasPrefix(fence, "```") {
			t.Fatalf("the block of %s %s is not closed", kind, name)
		}
		b.WriteString(fence + "\n")
		if kind == "help" {
			b.WriteString(docHelp(t, name))
		} else {
			if projects[name] == nil {
				dir := filepath.Join(t.TempDir(), "shop")
				if err := os.Mkdir(dir, 0o777); err != nil {
					t.Fatal(err)
				}
				projects[name] = &stage{dir: dir, now: noon, rand: rand.NewChaCha8([32]byte{})}
			}
			b.WriteString(projects[name].act(t, body))
		}
		b.WriteString("```\n")
		page = rest
	}
}

// helpMark matches the line before the help of a command.
var helpMark = regexp.MustCompile(`(?m)^<!-- help: (.+) -->$`)

// commandTable returns the rows of the index for the commands of a page, in the order of the page.
func commandTable(t *testing.T, page string) string {
	t.Helper()
	commands := map[string]*cobra.Command{}
	for _, cmd := range leaves(&app.App{}) {
		commands[app.CommandName(cmd)] = cmd
	}
	data, err := os.ReadFile(filepath.Join(docsDir, "cli", page+".md"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n| Command | What it does |\n|---|---|\n")
	for _, mark := range helpMark.FindAllStringSubmatch(string(data), -1) {
		cmd := commands[mark[1]]
		if cmd == nil {
			t.Errorf("%s shows the help of %s, which is no command", page, mark[1])
			continue
		}
		use := strings.ReplaceAll(strings.TrimPrefix(cmd.UseLine(), "baton "), "|", "\\|")
		short := strings.ToLower(cmd.Short[:1]) + cmd.Short[1:]
		fmt.Fprintf(&b, "| [`%s`](%s.md#%s) | %s |\n", use, page, strings.ReplaceAll(mark[1], " ", "-"), short)
	}
	return b.String()
}

// docHelp returns a command's help without the flags of every command, which the index explains once.
func docHelp(t *testing.T, name string) string {
	t.Helper()
	got := play(t, canned{}, append(strings.Fields(name), "--help")...)
	if strings.Count(got.out, "\n") == 1 && got.code == 0 {
		return got.out // of an alias
	}
	before, after, found := strings.Cut(got.out, "\nGlobal flags:\n")
	if !found || got.code != 0 {
		t.Fatalf("help of %s: %+v", name, got)
	}
	_, codes, _ := strings.Cut(after, "\n\n")
	return before + "\n" + codes
}

// stage is a project in which the commands of a page run, one minute apart.
type stage struct {
	dir      string
	now      time.Time
	rand     *rand.ChaCha8
	reported []time.Time // times at which commands ran
}

// act runs the lines that begin with "$ baton" and returns them with their output. "$ echo TEXT > FILE" writes a file.
func (s *stage) act(t *testing.T, body string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.SplitSeq(body, "\n") {
		words, isCommand := strings.CutPrefix(line, "$ baton ")
		text, isText := strings.CutPrefix(line, "$ echo ")
		switch {
		case isCommand:
			b.WriteString(line + "\n" + s.run(t, words))
		case isText:
			b.WriteString(line + "\n")
			text, name, _ := strings.Cut(text, " > ")
			write(t, s.dir, filepath.FromSlash(name), strings.Trim(text, `"`)+"\n")
		default:
			continue
		}
		s.date(t)
		s.now = s.now.Add(time.Minute)
	}
	return b.String()
}

// run runs one command line.
func (s *stage) run(t *testing.T, words string) string {
	t.Helper()
	var out bytes.Buffer
	Main(t.Context(), report.Env{
		Args: shellWords(t, words), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out,
		Getenv:  func(name string) string { return map[string]string{"BATON_AS": "agent-1"}[name] },
		Environ: os.Environ(), Dir: s.dir, Now: func() time.Time { return s.now }, Rand: s.rand, PID: os.Getpid(),
	}, Doors{Hook: hook.Run})
	real, err := filepath.EvalSymlinks(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(real, "/projects/shop", s.dir, "/projects/shop").Replace(out.String())
}

// date sets the times of files in the working folder that the last command wrote to the time of that command, because
// the page shows their ages and the file system uses another clock.
func (s *stage) date(t *testing.T) {
	t.Helper()
	s.reported = append(s.reported, s.now)
	err := filepath.WalkDir(filepath.Join(s.dir, ".devt", "state"), func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil || slices.ContainsFunc(s.reported, info.ModTime().Equal) {
			return err
		}
		return os.Chtimes(path, s.now, s.now)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDocsHaveEveryCommand(t *testing.T) {
	t.Parallel()
	pages := readPages(t, "cli/*.md")
	index := pages[filepath.Join(docsDir, "cli", "README.md")]
	whole := index
	for _, name := range cliPages {
		if !strings.Contains(index, "<!-- commands: "+name+" -->") {
			t.Errorf("docs/cli/README.md lacks the commands of %s", name)
		}
		whole += pages[filepath.Join(docsDir, "cli", name+".md")]
	}
	for _, cmd := range leaves(&app.App{}) {
		if n := strings.Count(whole, "<!-- help: "+app.CommandName(cmd)+" -->"); n != 1 {
			t.Errorf("docs/cli has the help of %s %d times", app.CommandName(cmd), n)
		}
	}
	if len(pages) != len(cliPages)+1 {
		t.Errorf("%d pages below docs/cli, %d in the index", len(pages)-1, len(cliPages))
	}
	codes := readPages(t, "exit-codes.md")[filepath.Join(docsDir, "exit-codes.md")]
	for _, kind := range report.Kinds() {
		row := fmt.Sprintf("| %d | `%s` | %s |", kind.Row().Exit, kind, app.Meaning(kind))
		if !strings.Contains(codes, row) {
			t.Errorf("docs/exit-codes.md lacks the row %q, as help has it", row)
		}
	}
}

// TestDocsHaveEveryField checks that each table below docs/json and the struct that it describes have the same fields.
func TestDocsHaveEveryField(t *testing.T) {
	t.Parallel()
	var page string
	for _, text := range readPages(t, "json/*.md") {
		page += text + "\n"
	}
	shapes := map[string]any{
		"finding": report.Finding{}, "claim": workspace.Claim{}, "init": setup.InitResult{}, "status": sessions.StatusResult{},
		"waiting": waiting.Result{}, "waiting session": waiting.Row{},
		"agent session": sessions.AgentRow{}, "injected": sessions.InjectedView{},
		"context": sessions.ContextResult{}, "part of a context": protocol.Part{}, "left out": protocol.LeftOut{},
		"score":  protocol.Score{},
		"reason": protocol.Reason{}, "protocol": setup.ProtocolResult{},
		"set-up agents": setup.AgentsResult{}, "agent": setup.AgentFound{}, "settings file": setup.AgentFile{},
		"settings item": agentconfig.Item{},
		"snippet":       agentconfig.Snippet{}, "plugin": setup.PluginResult{},
		"layout": sessions.LayoutView{}, "config list": workspace.ConfigList{}, "setting": workspace.Setting{},
		"approvals": setup.TrustResult{}, "wide setting": workspace.WideSetting{}, "approval": trust.Approval{},
		"new tasks":    tasks.NewResult{},
		"created task": tasks.Created{}, "blocked task": sessions.BlockedRow{}, "forced completion": tasks.Forced{},
		"task list": tasks.TaskList{}, "complete on": workspace.CompleteOn{}, "ready once": workspace.ReadyOnce{},
		"task after a merge": tasks.LaterTask{}, "task row": tasks.TaskRow{}, "changed input": tasks.InputChange{},
		"task": tasks.TaskDetail{}, "criterion": tasks.CriterionView{}, "evidence": tasks.Evidence{}, "session": workspace.SessionView{},
		"chain input": tasks.InputView{}, "chain output": tasks.OutputView{}, "dependent": tasks.Dependent{},
		"commit":  workspace.CommitView{},
		"section": tasks.SectionView{}, "claimed task": tasks.ClaimResult{}, "changed task": tasks.TaskChange{},
		"started session": sessions.SessionStartResult{}, "receipt": tasks.InputReceipt{}, "ended session": sessions.SessionEndResult{},
		"adopted entry": agents.AdoptResult{}, "entry without a task": agentsession.Unbound{}, "unbound session": agents.UnbindResult{},
		"task taken up": work.Result{},
		"logged entry":  tasks.LogResult{}, "checked criterion": tasks.CheckResult{}, "output": tasks.OutputResult{},
		"completed task": tasks.CompleteResult{}, "archive": tasks.ArchiveResult{}, "split": tasks.SplitResult{},
		"sub-task":   tasks.SubTask{},
		"conversion": tasks.ConvertResult{}, "imported task": tasks.ImportResult{}, "graph": tasks.GraphResult{},
		"graph task": tasks.GraphNode{}, "version": app.Version{},
		"digest": digests.StateResult{}, "size": digest.Size{}, "large section": digest.SectionSize{}, "GSD digest": gsd.Model{},
		"progress": gsd.Progress{},
		"position": gsd.Position{}, "session continuity": gsd.Session{}, "bullet": gsd.Item{}, "SpecFlow digest": specflow.Model{},
		"active specification": specflow.Active{}, "queue row": specflow.QueueRow{}, "execution row": specflow.Execution{},
		"label":     specflow.Label{},
		"next step": phases.Next{}, "decision": decision.Row{}, "rotation": decision.Result{}, "value": digests.StateValue{},
		"changed digest": digests.StateChange{}, "changed value": digests.StateField{}, "preserved text": digests.Preserved{},
		"transition": digests.TransitionResult{}, "next plan": digests.AdvanceResult{},
		"phase list": digests.PhaseList{}, "phase": digests.PhaseView{}, "phase in detail": digests.PhaseDetail{},
		"GSD values": digests.StateJSON{}, "counts": digests.StateProgress{}, "picked value": digests.StatePick{},
		"setting in a file": digests.ConfigValue{}, "changed setting": digests.ConfigChange{},
		"plan": digests.PlanView{}, "roadmap": digests.RoadmapAnalysis{}, "milestone": digests.MilestoneView{},
		"sync": digests.StateSyncResult{}, "derived progress": digests.ProgressView{},
		"validation": digests.StateValidation{}, "diagnosis": workspace.DoctorResult{}, "diagnosed finding": workspace.DoctorFinding{},
		"repaired finding": workspace.DoctorFix{}, "expected change": workspace.DoctorChange{},
		"dry run":           workspace.Rehearsal{},
		"rotated decisions": digests.RotateResult{}, "added decision": digests.DecisionAdded{},
		"decision list": digests.DecisionList{}, "blocker": digests.Blocker{}, "blocker list": digests.BlockerList{},
		"changed blockers": digests.BlockerChange{}, "active list": digests.ActiveList{},
		"resolved specification": digests.ActiveResolved{},
		"queued specifications":  digests.QueueList{}, "migration": digests.MigrateResult{}, "history": digests.HistoryResult{},
		"finished task": digests.FinishedTask{}, "finished phase": digests.FinishedPhase{},
		"search": find.SearchResult{}, "search hit": find.SearchHit{},
		"finished specification": specflow.SpecSummary{}, "history totals": specflow.HistoryTotals{},
		"specification":      specflow.SpecHistory{},
		"specification step": specflow.SpecSection{}, "digest in brief": sessions.DigestStatus{},
		"how far the tasks are": standing.Facts{}, "newest entry": standing.Entry{}, "document size": sessions.SizeRow{},
		"folder in brief": folder.FolderStatus{}, "audit": folder.DirAudit{}, "entry": folder.AuditEntry{}, "sweep": folder.DirSweep{},
		"moved entry": folder.SweptEntry{}, "running workflow": folder.RunningWorkflow{}, "kept entry": cleanup.Kept{},
		"started workflow": folder.BeginResult{},
		"changed record":   folder.RecordChange{}, "folder validation": folder.DirValidation{}, "problem": statedir.Problem{},
		"explained name": declaration.Explanation{}, "contract": declaration.Description{}, "contract row": statedir.Row{},
		"pattern": statedir.Pattern{},
		"sidecar": statedir.Sidecar{}, "record field": record.Field{}, "lint": folder.LintResult{},
		"unknown reference": folder.LintFinding{},
		"snapshots":         folder.DirHistory{}, "snapshot": folder.SnapshotView{}, "restored snapshot": folder.RestoreResult{},
		"restored entry": folder.RestoredEntry{}, "lock": folder.DirLock{}, "lanes": folder.SlugResult{}, "lane": folder.LaneName{},
		"kept versions": history.VersionList{}, "version of a file": history.Version{}, "text of a version": history.VersionText{},
		"difference of versions": history.VersionDiff{}, "restored version": history.VersionRestored{},
		"log": history.ChangeLog{}, "logged change": history.LoggedChange{}, "logged file": history.LoggedFile{},
		"logged claim": history.LoggedClaim{}, "checked log": history.LogCheck{}, "undone changes": history.UndoResult{},
		"lost entries": loss.LostList{}, "lost entry": loss.LostEntry{}, "restored entries": loss.LostRestored{},
		"blamed document": history.Blame{}, "blamed entry": history.BlameEntry{},
		"accepted entries": loss.LostAccepted{}, "lost in status": loss.LostStatus{},
		"merge set-up": merging.MergeSetup{}, "merged file": merging.MergeResult{}, "renumbered session": threeway.Renumbered{},
		"merge check": doctor.MergeCheck{},
		"self-test":   selftest.Report{}, "tally": selftest.Tally{}, "queue": selftest.Claims{}, "net": selftest.Net{},
		"disk": selftest.Disk{},
	}
	for title, value := range shapes {
		if n := strings.Count(page, "\n## "+title+"\n"); n > 1 {
			t.Errorf("%d tables for %s", n, title)
		}
		_, table, found := strings.Cut(page, "\n## "+title+"\n")
		if !found {
			t.Errorf("no table for %s", title)
			continue
		}
		table, _, _ = strings.Cut(table, "\n## ")
		got := map[string]bool{}
		for line := range strings.SplitSeq(table, "\n") {
			if name, ok := strings.CutPrefix(line, "| `"); ok {
				name, text, _ := strings.Cut(name, "` | ")
				got[name] = strings.HasPrefix(text, "*optional*")
			}
		}
		want := map[string]bool{}
		fieldsOf(reflect.TypeOf(value), want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: field -> optional (-struct +page):\n%s", title, diff)
		}
	}
}

// fieldsOf collects the names that a struct has in JSON, including those of embedded structs, and whether each is left
// out if it is empty.
func fieldsOf(kind reflect.Type, into map[string]bool) {
	for i := range kind.NumField() {
		field := kind.Field(i)
		if field.Anonymous {
			fieldsOf(field.Type, into)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "-" {
			into[name] = strings.Contains(options, "omit")
		}
	}
}
