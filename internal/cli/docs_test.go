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
	"baton/internal/digest"
	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/digest/specflow"
	"baton/internal/hook"
	"baton/internal/project"
	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/selftest"
	"baton/internal/statedir"
	"baton/internal/threeway"
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
	for _, cmd := range leaves(&door{}) {
		if !strings.Contains(page, "<!-- help: "+called(cmd)+" -->") {
			t.Errorf("docs/cli.md lacks %s", called(cmd))
		}
	}
	for _, kind := range report.Kinds() {
		if !strings.Contains(page, "`"+string(kind)+"` | "+meaning(kind)+" |") {
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
		"finding": report.Finding{}, "claim": project.Claim{}, "init": project.InitResult{}, "status": project.StatusResult{},
		"agent session": project.AgentRow{}, "injected": project.InjectedView{},
		"context": project.ContextResult{}, "part of a context": protocol.Part{}, "left out": protocol.LeftOut{}, "score": protocol.Score{},
		"reason": protocol.Reason{}, "protocol": project.ProtocolResult{},
		"set-up agents": project.AgentsResult{}, "agent": project.AgentFound{}, "settings file": project.AgentFile{}, "settings item": agentconfig.Item{},
		"snippet": agentconfig.Snippet{}, "plugin": project.PluginResult{},
		"layout": project.LayoutView{}, "config list": project.ConfigList{}, "setting": project.Setting{}, "new tasks": project.NewResult{},
		"created task": project.Created{}, "blocked task": project.BlockedRow{}, "forced completion": project.Forced{}, "task list": project.TaskList{}, "task row": project.TaskRow{}, "changed input": project.InputChange{},
		"task": project.TaskDetail{}, "criterion": project.CriterionView{}, "evidence": project.Evidence{}, "session": project.SessionView{},
		"chain input": project.InputView{}, "chain output": project.OutputView{}, "dependent": project.Dependent{}, "commit": project.CommitView{},
		"section": project.SectionView{}, "claimed task": project.ClaimResult{}, "changed task": project.TaskChange{},
		"started session": project.SessionStartResult{}, "receipt": project.InputReceipt{}, "ended session": project.SessionEndResult{},
		"logged entry": project.LogResult{}, "checked criterion": project.CheckResult{}, "output": project.OutputResult{},
		"completed task": project.CompleteResult{}, "archive": project.ArchiveResult{}, "split": project.SplitResult{}, "sub-task": project.SubTask{},
		"conversion": project.ConvertResult{}, "taken in": project.ImportResult{}, "graph": project.GraphResult{}, "graph task": project.GraphNode{}, "version": Version{},
		"digest": project.StateResult{}, "size": digest.Size{}, "large section": digest.SectionSize{}, "GSD digest": gsd.Model{}, "progress": gsd.Progress{},
		"position": gsd.Position{}, "session continuity": gsd.Session{}, "bullet": gsd.Item{}, "SpecFlow digest": specflow.Model{},
		"active specification": specflow.Active{}, "queue row": specflow.QueueRow{}, "execution row": specflow.Execution{}, "label": specflow.Label{},
		"next step": phases.Next{}, "decision": decision.Row{}, "rotation": decision.Result{}, "value": project.StateValue{},
		"changed digest": project.StateChange{}, "changed value": project.StateField{}, "preserved text": project.Preserved{},
		"transition": project.TransitionResult{}, "sync": project.StateSyncResult{}, "derived progress": project.ProgressView{},
		"validation": project.StateValidation{}, "diagnosis": project.DoctorResult{}, "diagnosed finding": project.DoctorFinding{},
		"mended finding": project.DoctorFix{}, "foreseen change": project.DoctorChange{}, "rotated decisions": project.RotateResult{}, "added decision": project.DecisionAdded{},
		"decision list": project.DecisionList{}, "blocker": project.Blocker{}, "blocker list": project.BlockerList{},
		"changed blockers": project.BlockerChange{}, "active list": project.ActiveList{}, "resolved specification": project.ActiveResolved{},
		"queued specifications": project.QueueList{}, "migration": project.MigrateResult{}, "history": project.HistoryResult{},
		"search": project.SearchResult{}, "search hit": project.SearchHit{},
		"finished specification": specflow.SpecSummary{}, "history totals": specflow.HistoryTotals{}, "specification": specflow.SpecHistory{},
		"specification step": specflow.SpecSection{}, "digest in brief": project.DigestStatus{}, "document size": project.SizeRow{},
		"folder in brief": project.FolderStatus{}, "audit": project.DirAudit{}, "entry": project.AuditEntry{}, "sweep": project.DirSweep{},
		"swept entry": project.SweptEntry{}, "running workflow": project.RunningWorkflow{}, "spared entry": statedir.Spared{}, "begun workflow": project.BeginResult{},
		"changed record": project.RecordChange{}, "folder validation": project.DirValidation{}, "problem": statedir.Problem{},
		"explained name": statedir.Explanation{}, "contract": statedir.Description{}, "contract row": statedir.Row{}, "pattern": statedir.Pattern{},
		"sidecar": statedir.Sidecar{}, "record field": statedir.RecordField{}, "lint": project.LintResult{}, "unknown reference": project.LintFinding{},
		"snapshots": project.DirHistory{}, "snapshot": project.SnapshotView{}, "restored snapshot": project.RestoreResult{},
		"restored entry": project.RestoredEntry{}, "lock": project.DirLock{}, "lanes": project.SlugResult{}, "lane": project.LaneName{},
		"kept versions": project.VersionList{}, "version of a file": project.Version{}, "text of a version": project.VersionText{},
		"difference of versions": project.VersionDiff{}, "restored version": project.VersionRestored{},
		"log": project.ChangeLog{}, "logged change": project.LoggedChange{}, "logged file": project.LoggedFile{}, "logged claim": project.LoggedClaim{}, "checked log": project.LogCheck{}, "undone changes": project.UndoResult{},
		"lost entries": project.LostList{}, "lost entry": project.LostEntry{}, "restored entries": project.LostRestored{},
		"blamed document": project.Blame{}, "blamed entry": project.BlameEntry{},
		"accepted entries": project.LostAccepted{}, "lost in status": project.LostStatus{},
		"merge set-up": project.MergeSetup{}, "merged file": project.MergeResult{}, "renumbered session": threeway.Renumbered{}, "merge check": project.MergeCheck{},
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
