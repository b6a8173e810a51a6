package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/agentconfig"
	"baton/internal/cli/app"
	"baton/internal/digest"
	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/digest/specflow"
	"baton/internal/hook"
	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/selftest"
	"baton/internal/statedir"
	"baton/internal/threeway"
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
	"baton/internal/workspace"
)

// cliPage is the page that these tests hold to the program.
const cliPage = "../../docs/cli.md"

func readPage(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(cliPage)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestDocsShowWhatTheProgramPrints plays the blocks of docs/cli.md: the block behind "<!-- help: NAME -->" is the help
// of a command; blocks behind "<!-- play: NAME -->" are commands with their output, played in order in one project for
// each name. go test ./internal/cli -run TestDocs -update writes them anew.
func TestDocsShowWhatTheProgramPrints(t *testing.T) {
	t.Parallel()
	page := readPage(t)
	projects := map[string]*stage{}
	var b strings.Builder
	rest := page
	for {
		before, after, found := strings.Cut(rest, "<!-- ")
		b.WriteString(before)
		if !found {
			break
		}
		mark, after, _ := strings.Cut(after, " -->\n```")
		fence, after, _ := strings.Cut(after, "\n")
		body, after, closed := strings.Cut("\n"+after, "\n```\n")
		if !closed {
			t.Fatalf("the block behind %q is not closed", mark)
		}
		b.WriteString("<!-- " + mark + " -->\n```" + fence + "\n")
		kind, name, _ := strings.Cut(mark, ": ")
		switch kind {
		case "help":
			b.WriteString(docHelp(t, name))
		case "play":
			if projects[name] == nil {
				dir := filepath.Join(t.TempDir(), "shop")
				if err := os.Mkdir(dir, 0o777); err != nil {
					t.Fatal(err)
				}
				projects[name] = &stage{dir: dir, now: noon, rand: rand.NewChaCha8([32]byte{})}
			}
			b.WriteString(projects[name].act(t, body))
		default:
			t.Fatalf("unknown mark %q", mark)
		}
		b.WriteString("```\n")
		rest = after
	}
	if *update {
		if err := os.WriteFile(cliPage, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(b.String(), page); diff != "" {
		t.Errorf("docs/cli.md (-program +page):\n%s", diff)
	}
}

// docHelp is a command's help without the flags of every command, which the page explains once.
func docHelp(t *testing.T, name string) string {
	t.Helper()
	got := play(t, canned{}, append(strings.Fields(name), "--help")...)
	before, after, found := strings.Cut(got.out, "\nFlags of every command:\n")
	if !found || got.code != 0 {
		t.Fatalf("help of %s: %+v", name, got)
	}
	_, status, _ := strings.Cut(after, "\n\n")
	return before + "\n" + status
}

// stage is a project in which the commands of the page are played, one minute apart.
type stage struct {
	dir  string
	now  time.Time
	rand *rand.ChaCha8
	told []time.Time // moments at which commands were played
}

// act runs the lines that begin with "$ baton" and gives them with what they print. "$ echo TEXT > FILE" writes a file.
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

// run plays one command line.
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

// date gives the files of the working folder that the last command wrote its moment: the page shows their ages, and the
// clock of the file system knows nothing of the clock of the page.
func (s *stage) date(t *testing.T) {
	t.Helper()
	s.told = append(s.told, s.now)
	err := filepath.WalkDir(filepath.Join(s.dir, ".devt", "state"), func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil || slices.ContainsFunc(s.told, info.ModTime().Equal) {
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
	page := readPage(t)
	for _, cmd := range leaves(&app.App{}) {
		if !strings.Contains(page, "<!-- help: "+app.CommandName(cmd)+" -->") {
			t.Errorf("docs/cli.md lacks %s", app.CommandName(cmd))
		}
	}
	for _, kind := range report.Kinds() {
		if !strings.Contains(page, "`"+string(kind)+"` | "+app.Meaning(kind)+" |") {
			t.Errorf("docs/cli.md does not explain kind %s in the words of help", kind)
		}
	}
}

// TestDocsHaveEveryField compares each table of the page with the struct that it describes, both ways.
func TestDocsHaveEveryField(t *testing.T) {
	t.Parallel()
	page := readPage(t)
	_, page, _ = strings.Cut(page, "## Shapes of the answers\n")
	shapes := map[string]any{
		"finding": report.Finding{}, "claim": workspace.Claim{}, "init": setup.InitResult{}, "status": sessions.StatusResult{},
		"agent session": sessions.AgentRow{}, "injected": sessions.InjectedView{},
		"context": sessions.ContextResult{}, "part of a context": protocol.Part{}, "left out": protocol.LeftOut{}, "score": protocol.Score{},
		"reason": protocol.Reason{}, "protocol": setup.ProtocolResult{},
		"set-up agents": setup.AgentsResult{}, "agent": setup.AgentFound{}, "settings file": setup.AgentFile{}, "settings item": agentconfig.Item{},
		"snippet": agentconfig.Snippet{}, "plugin": setup.PluginResult{},
		"layout": sessions.LayoutView{}, "config list": workspace.ConfigList{}, "setting": workspace.Setting{}, "new tasks": tasks.NewResult{},
		"created task": tasks.Created{}, "blocked task": sessions.BlockedRow{}, "forced completion": tasks.Forced{}, "task list": tasks.TaskList{}, "task row": tasks.TaskRow{}, "changed input": tasks.InputChange{},
		"task": tasks.TaskDetail{}, "criterion": tasks.CriterionView{}, "evidence": tasks.Evidence{}, "session": workspace.SessionView{},
		"chain input": tasks.InputView{}, "chain output": tasks.OutputView{}, "dependent": tasks.Dependent{}, "commit": workspace.CommitView{},
		"section": tasks.SectionView{}, "claimed task": tasks.ClaimResult{}, "changed task": tasks.TaskChange{},
		"started session": sessions.SessionStartResult{}, "receipt": tasks.InputReceipt{}, "ended session": sessions.SessionEndResult{},
		"logged entry": tasks.LogResult{}, "checked criterion": tasks.CheckResult{}, "output": tasks.OutputResult{},
		"completed task": tasks.CompleteResult{}, "archive": tasks.ArchiveResult{}, "split": tasks.SplitResult{}, "sub-task": tasks.SubTask{},
		"conversion": tasks.ConvertResult{}, "taken in": tasks.ImportResult{}, "graph": tasks.GraphResult{}, "graph task": tasks.GraphNode{}, "version": app.Version{},
		"digest": digests.StateResult{}, "size": digest.Size{}, "large section": digest.SectionSize{}, "GSD digest": gsd.Model{}, "progress": gsd.Progress{},
		"position": gsd.Position{}, "session continuity": gsd.Session{}, "bullet": gsd.Item{}, "SpecFlow digest": specflow.Model{},
		"active specification": specflow.Active{}, "queue row": specflow.QueueRow{}, "execution row": specflow.Execution{}, "label": specflow.Label{},
		"next step": phases.Next{}, "decision": decision.Row{}, "rotation": decision.Result{}, "value": digests.StateValue{},
		"changed digest": digests.StateChange{}, "changed value": digests.StateField{}, "preserved text": digests.Preserved{},
		"transition": digests.TransitionResult{}, "sync": digests.StateSyncResult{}, "derived progress": digests.ProgressView{},
		"validation": digests.StateValidation{}, "diagnosis": workspace.DoctorResult{}, "diagnosed finding": workspace.DoctorFinding{},
		"mended finding": workspace.DoctorFix{}, "foreseen change": workspace.DoctorChange{}, "rotated decisions": digests.RotateResult{}, "added decision": digests.DecisionAdded{},
		"decision list": digests.DecisionList{}, "blocker": digests.Blocker{}, "blocker list": digests.BlockerList{},
		"changed blockers": digests.BlockerChange{}, "active list": digests.ActiveList{}, "resolved specification": digests.ActiveResolved{},
		"queued specifications": digests.QueueList{}, "migration": digests.MigrateResult{}, "history": digests.HistoryResult{},
		"search": find.SearchResult{}, "search hit": find.SearchHit{},
		"finished specification": specflow.SpecSummary{}, "history totals": specflow.HistoryTotals{}, "specification": specflow.SpecHistory{},
		"specification step": specflow.SpecSection{}, "digest in brief": sessions.DigestStatus{}, "document size": sessions.SizeRow{},
		"folder in brief": folder.FolderStatus{}, "audit": folder.DirAudit{}, "entry": folder.AuditEntry{}, "sweep": folder.DirSweep{},
		"swept entry": folder.SweptEntry{}, "running workflow": folder.RunningWorkflow{}, "spared entry": statedir.Spared{}, "begun workflow": folder.BeginResult{},
		"changed record": folder.RecordChange{}, "folder validation": folder.DirValidation{}, "problem": statedir.Problem{},
		"explained name": statedir.Explanation{}, "contract": statedir.Description{}, "contract row": statedir.Row{}, "pattern": statedir.Pattern{},
		"sidecar": statedir.Sidecar{}, "record field": statedir.RecordField{}, "lint": folder.LintResult{}, "unknown reference": folder.LintFinding{},
		"snapshots": folder.DirHistory{}, "snapshot": folder.SnapshotView{}, "restored snapshot": folder.RestoreResult{},
		"restored entry": folder.RestoredEntry{}, "lock": folder.DirLock{}, "lanes": folder.SlugResult{}, "lane": folder.LaneName{},
		"kept versions": history.VersionList{}, "version of a file": history.Version{}, "text of a version": history.VersionText{},
		"difference of versions": history.VersionDiff{}, "restored version": history.VersionRestored{},
		"log": history.ChangeLog{}, "logged change": history.LoggedChange{}, "logged file": history.LoggedFile{}, "logged claim": history.LoggedClaim{}, "checked log": history.LogCheck{}, "undone changes": history.UndoResult{},
		"lost entries": loss.LostList{}, "lost entry": loss.LostEntry{}, "restored entries": loss.LostRestored{},
		"blamed document": history.Blame{}, "blamed entry": history.BlameEntry{},
		"accepted entries": loss.LostAccepted{}, "lost in status": loss.LostStatus{},
		"merge set-up": merging.MergeSetup{}, "merged file": merging.MergeResult{}, "renumbered session": threeway.Renumbered{}, "merge check": doctor.MergeCheck{},
		"self-test": selftest.Report{}, "tally": selftest.Tally{}, "queue": selftest.Claims{}, "net": selftest.Net{}, "disk": selftest.Disk{},
	}
	for title, value := range shapes {
		_, table, found := strings.Cut(page, "### "+title+"\n")
		if !found {
			t.Errorf("no table for %s", title)
			continue
		}
		table, _, _ = strings.Cut(table, "\n### ")
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

// fieldsOf collects the names that a struct has in JSON, those of embedded ones among them, and whether each is left
// out when it is empty.
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
