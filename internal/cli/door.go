package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
)

// backend is what the commands call: the use cases of one opened project.
type backend interface {
	Init(context.Context, project.InitRequest) (project.InitResult, error)
	NewTasks(context.Context, project.NewRequest) (project.NewResult, error)
	List(context.Context, project.ListRequest) (project.TaskList, error)
	Ready(context.Context) (project.TaskList, error)
	Show(context.Context, project.ShowRequest) (project.TaskDetail, error)
	Claim(context.Context, project.ClaimRequest) (project.ClaimResult, error)
	Release(context.Context, project.TaskRequest) (project.TaskChange, error)
	Block(context.Context, project.TaskRequest) (project.TaskChange, error)
	Reopen(context.Context, project.TaskRequest) (project.TaskChange, error)
	StartSession(context.Context, project.SessionStartRequest) (project.SessionStartResult, error)
	EndSession(context.Context, project.SessionEndRequest) (project.SessionEndResult, error)
	Log(context.Context, project.LogRequest) (project.LogResult, error)
	Check(context.Context, project.CheckRequest) (project.CheckResult, error)
	Output(context.Context, project.OutputRequest) (project.OutputResult, error)
	Complete(context.Context, project.TaskRequest) (project.CompleteResult, error)
	Archive(context.Context, project.ArchiveRequest) (project.ArchiveResult, error)
	Split(context.Context, project.SplitRequest) (project.SplitResult, error)
	Import(context.Context, project.ImportRequest) (project.ImportResult, error)
	Convert(context.Context, project.ConvertRequest) (project.ConvertResult, error)
	Graph(context.Context) (project.GraphResult, error)
	Status(context.Context) (project.StatusResult, error)
	Doctor(context.Context, project.DoctorRequest) (project.DoctorResult, error)
	Config(context.Context) (project.ConfigList, error)
	Search(context.Context, project.SearchRequest) (project.SearchResult, error)
	digests
	governed
	agents
	versions
	merges
	Close() error
}

// digests are the use cases of a project's digest, STATE.md.
type digests interface {
	State(context.Context) (project.StateResult, error)
	StateGet(ctx context.Context, name string) (project.StateValue, error)
	StateSet(context.Context, project.StateSetRequest) (project.StateChange, error)
	StateSync(context.Context, project.StateSyncRequest) (project.StateSyncResult, error)
	StateValidate(context.Context) (project.StateValidation, error)
	StateRotate(context.Context, project.RotateRequest) (project.RotateResult, error)
	Transition(context.Context, project.TransitionRequest) (project.TransitionResult, error)
	StateNext(context.Context, project.NextRequest) (project.StateChange, error)
	Metric(context.Context, project.MetricRequest) (project.StateChange, error)
	EndDigestSession(context.Context, project.DigestSessionRequest) (project.StateChange, error)
	ActiveList(context.Context) (project.ActiveList, error)
	ActiveChange(context.Context, project.ActiveRequest) (project.StateChange, error)
	ActiveResolve(ctx context.Context, id string) (project.ActiveResolved, error)
	QueueList(context.Context) (project.QueueList, error)
	QueueChange(context.Context, project.QueueRequest) (project.StateChange, error)
	QueueNext(context.Context) (project.QueueList, error)
	Migrate(ctx context.Context, apply bool) (project.MigrateResult, error)
	AddDecision(context.Context, project.DecisionRequest) (project.DecisionAdded, error)
	Decisions(context.Context, project.DecisionListRequest) (project.DecisionList, error)
	AddBlocker(context.Context, project.BlockerRequest) (project.BlockerChange, error)
	Blockers(context.Context) (project.BlockerList, error)
	ResolveBlocker(context.Context, project.ResolveRequest) (project.BlockerChange, error)
	History(context.Context, project.HistoryRequest) (project.HistoryResult, error)
}

// governed are the use cases of the governed working folder, .devt/state or .baton/work.
type governed interface {
	DirAudit(context.Context, project.DirRequest) (project.DirAudit, error)
	DirCleanup(context.Context, project.CleanupRequest) (project.DirSweep, error)
	DirReset(context.Context, project.SweepRequest) (project.DirSweep, error)
	DirEvict(context.Context, project.SweepRequest) (project.DirSweep, error)
	DirBegin(context.Context, project.BeginRequest) (project.BeginResult, error)
	DirRead(context.Context, project.DirRequest) (project.RecordResult, error)
	DirUpdate(context.Context, project.RecordRequest) (project.RecordChange, error)
	DirValidate(context.Context, project.DirValidateRequest) (project.DirValidation, error)
	DirContract(context.Context, project.ContractRequest) (project.ContractResult, error)
	DirLint(context.Context, project.LintRequest) (project.LintResult, error)
	DirHistory(context.Context, project.DirHistoryRequest) (project.DirHistory, error)
	DirRestore(context.Context, project.RestoreRequest) (project.RestoreResult, error)
	DirLock(context.Context, project.DirRequest) (project.DirLock, error)
	DirUnlock(context.Context, project.UnlockRequest) (project.DirLock, error)
	DirSlugs(ctx context.Context, titles []string, r project.DirRequest) (project.SlugResult, error)
}

// agents are the use cases of coding agents.
type agents interface {
	Context(context.Context, project.ContextRequest) (project.ContextResult, error)
	Protocol(context.Context, project.ProtocolRequest) (project.ProtocolResult, error)
	SetUpAgents(context.Context, project.AgentsRequest) (project.AgentsResult, error)
	BuildPlugin(context.Context, project.PluginRequest) (project.PluginResult, error)
}

// versions are the use cases of what commits kept of documents.
type versions interface {
	Versions(context.Context, project.VersionsRequest) (project.VersionList, error)
	ShowVersion(ctx context.Context, revision string) (project.VersionText, error)
	DiffVersions(context.Context, project.VersionDiffRequest) (project.VersionDiff, error)
	RestoreVersion(context.Context, project.VersionRestoreRequest) (project.VersionRestored, error)
	ChangeLog(context.Context, project.ChangeLogRequest) (project.ChangeLog, error)
	Undo(context.Context, project.UndoRequest) (project.UndoResult, error)
	Lost(context.Context, project.LostRequest) (project.LostList, error)
	RestoreLost(context.Context, project.LostRestoreRequest) (project.LostRestored, error)
	AcceptLost(context.Context, project.LostAcceptRequest) (project.LostAccepted, error)
	Blame(context.Context, project.BlameRequest) (project.Blame, error)
}

// merges are the use cases of branches that are joined.
type merges interface {
	MergeInstall(ctx context.Context, remove bool) (project.MergeSetup, error)
	MergeCheck(context.Context) (project.MergeCheck, error)
}

// door is one run of the program: its surroundings and the flags that every command has.
type door struct {
	env   report.Env
	doors Doors
	open  opener

	json     bool
	noColor  bool
	dir      string
	as       string
	layout   string
	tasksDir string

	stdinFor string // flag that standard input was read for; it can be read once
	unsaid   error  // help that could not be printed: cobra takes no error from a help function
}

// options says to project where to look and on whose behalf.
func (d *door) options(cmd *cobra.Command) project.Options {
	return project.Options{
		Env: d.env, Dir: d.dir, TasksDir: d.tasksDir, Layout: d.layout, As: d.as,
		Command: called(cmd),
	}
}

// answer opens the project, runs one use case and prints its result: the struct itself with --json, else the page
// that text makes of it. Warnings of a page go to standard error, so that standard output can be piped.
func answer[T any](d *door, cmd *cobra.Command, use func(context.Context, backend) (T, error), text func(*page, T)) error {
	return answerWith(d, cmd, d.options(cmd), use, text)
}

// answerWith is answer for a command that looks for the project in its own way.
func answerWith[T any](d *door, cmd *cobra.Command, o project.Options, use func(context.Context, backend) (T, error), text func(*page, T)) error {
	result, err := ask(cmd.Context(), d.open, o, use)
	if err != nil {
		return err
	}
	return present(d, result, text)
}

// present prints a result: the struct itself with --json, else its page.
func present[T any](d *door, result T, text func(*page, T)) error {
	if d.json {
		return d.printJSON(result)
	}
	p := d.page()
	text(p, result)
	if err := d.print(p.bytes()); err != nil {
		return err
	}
	d.remarks(p.remarks)
	return nil
}

// ask runs one use case of the project. Closing a project that was only read cannot lose anything, and one that was
// written to has been made durable before the method returned; so the use case's error is the one that counts.
func ask[T any](ctx context.Context, open opener, o project.Options, use func(context.Context, backend) (T, error)) (result T, err error) {
	b, err := open(ctx, o)
	if err != nil {
		return result, err
	}
	result, err = use(ctx, b)
	if closed := b.Close(); err == nil {
		err = closed
	}
	return result, err
}

// operation is the name of a command in error objects: "task.show".
func operation(cmd *cobra.Command) string {
	path := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name())
	return strings.ReplaceAll(strings.TrimSpace(path), " ", ".")
}
