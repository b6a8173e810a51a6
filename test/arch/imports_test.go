package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport lists, for every package, the packages below it that it may import. Every package may also import those of ground.
var mayImport = map[string][]string{
	"internal/report":      {},
	"internal/safetext":    {},
	"internal/sorting":     {},
	"internal/parallel":    {},
	"internal/markdown":    {},
	"internal/frontmatter": {"internal/markdown"},
	"internal/jsontext":    {"internal/markdown"}, // its spans and edits
	"internal/jsontext/schema": {
		"internal/frontmatter", "internal/jsontext",
	},
	"internal/threeway":      {"internal/markdown"},
	"internal/threeway/laws": {},
	"internal/task":          {"internal/markdown", "internal/jsontext"},
	"internal/task/archive": {
		"internal/markdown", "internal/task",
	},
	"internal/task/claimscope": {},
	"internal/task/convert": {
		"internal/markdown", "internal/task", "internal/jsontext",
	},
	"internal/task/create": {
		"internal/markdown", "internal/task", "internal/jsontext",
	},
	"internal/task/edit": {
		"internal/markdown", "internal/task", "internal/jsontext", "internal/task/pick",
	},
	"internal/task/importing": {
		"internal/markdown", "internal/task", "internal/task/create",
	},
	"internal/task/importing/backlog": {
		"internal/frontmatter", "internal/markdown", "internal/task", "internal/task/importing",
	},
	"internal/task/importing/beads": {"internal/task", "internal/task/importing"},
	"internal/task/importing/checklist": {
		"internal/markdown", "internal/task", "internal/task/create", "internal/task/importing",
	},
	"internal/task/importing/formats": {
		"internal/markdown", "internal/task", "internal/task/create", "internal/task/importing",
		"internal/task/importing/backlog", "internal/task/importing/beads", "internal/task/importing/checklist",
		"internal/task/importing/github", "internal/task/importing/taskmaster",
	},
	"internal/task/importing/github":     {"internal/task", "internal/task/importing"},
	"internal/task/importing/taskmaster": {"internal/task", "internal/task/importing"},
	"internal/task/inputs": {
		"internal/markdown", "internal/task",
	},
	"internal/task/merge": {
		"internal/markdown", "internal/task", "internal/task/archive", "internal/jsontext", "internal/threeway",
	},
	"internal/task/order": {"internal/task"},
	"internal/task/pick":  {"internal/markdown", "internal/task"},
	"internal/task/renumber": {
		"internal/markdown", "internal/task", "internal/task/archive", "internal/jsontext",
	},
	"internal/task/split": {
		"internal/task", "internal/task/create", "internal/task/inputs",
	},
	"internal/task/tasktest": {
		"internal/task", "internal/task/create",
	},
	"internal/agentsession":    {"internal/protocol", "internal/task"},
	"internal/chain":           {"internal/task", "internal/task/order"}, // its ids and status words only
	"internal/digest":          {"internal/markdown"},
	"internal/digest/decision": {"internal/digest", "internal/markdown", "internal/threeway"},
	"internal/digest/phases":   {"internal/frontmatter", "internal/markdown"}, // where a plan's block ends
	"internal/digest/gsd": {
		"internal/digest/gsd/template", "internal/digest/gsd/words", "internal/digest/phases", "internal/frontmatter",
		"internal/markdown", "internal/threeway",
	},
	"internal/digest/gsd/template": {},
	"internal/digest/gsd/words":    {},
	"internal/lineartest":          {},
	"internal/digest/specflow":     {"internal/frontmatter", "internal/markdown", "internal/threeway"},
	"internal/digest/standing":     {"internal/markdown", "internal/threeway"},
	// It reads their models and edits nothing.
	"internal/statusline": {
		"internal/digest/gsd", "internal/digest/standing", "internal/jsontext", "internal/task",
	},
	"internal/statedir": {},
	"internal/statedir/record": {
		"internal/frontmatter", "internal/statedir",
	},
	"internal/statedir/declaration": {
		"internal/frontmatter", "internal/jsontext", "internal/jsontext/schema", "internal/statedir",
		"internal/statedir/record",
	},
	"internal/statedir/cleanup": {
		"internal/statedir", "internal/statedir/declaration", "internal/statedir/record",
	},
	"internal/statedir/check": {
		"internal/statedir", "internal/statedir/declaration", "internal/statedir/record",
	},
	"internal/agentconfig":     {"internal/jsontext", "internal/markdown"},
	"internal/protocol":        {"internal/markdown", "internal/protocol/speech"},
	"internal/protocol/speech": {},
	"internal/search":          {"internal/markdown"},
	"internal/textdiff":        {},
	"internal/ledger":          {"internal/markdown"}, // where the cells of a row are; it knows no format
	"internal/ledger/restore": { // it fits rows to tables, and finds checklists
		"internal/digest/decision", "internal/ledger", "internal/markdown", "internal/task",
	},
	"internal/ledger/kept":         {"internal/ledger", "internal/task"}, // sessions and summaries of a task
	"internal/store":               {},
	"internal/store/records":       {},
	"internal/store/disk":          {"internal/store"}, // what a look at a file says about an entry
	"internal/store/foreign":       {"internal/store", "internal/store/disk"},
	"internal/store/disk/crashfs":  {"internal/store/disk"},
	"internal/store/disk/unsynced": {"internal/store/disk"},
	"internal/store/moves":         {"internal/store", "internal/store/disk"},
	"internal/store/filestore": {
		"internal/store", "internal/store/disk", "internal/store/foreign", "internal/store/moves",
	},
	"internal/store/filestore/crashtest": {
		"internal/store", "internal/store/disk/crashfs", "internal/store/filestore",
	},
	"internal/store/history": { // entries, because only a commit knows before and after
		"internal/ledger", "internal/store", "internal/store/disk", "internal/store/filestore", "internal/store/records",
	},
	"internal/store/storetest": {"internal/store"},
	"internal/gitrepo":         {},
	"internal/gitrepo/gittest": {},
	"internal/workspace/config": {
		"internal/frontmatter", "internal/protocol", "internal/statedir", "internal/statusline", "internal/store/disk", "internal/task",
	},
	"internal/workspace/trust": {
		"internal/store", "internal/store/disk", "internal/store/filestore",
	},
	"internal/shared":             {"internal/gitrepo", "internal/task"}, // ids, status words and outputs of tasks
	"internal/workspace/index":    {"internal/store", "internal/store/records", "internal/task"},
	"internal/workspace/planning": {},
	"internal/workspace": {
		"internal/agentsession",
		"internal/chain", "internal/digest/decision", "internal/digest/gsd", "internal/digest/specflow",
		"internal/frontmatter", "internal/gitrepo", "internal/ledger", "internal/ledger/kept", "internal/markdown",
		"internal/shared", "internal/statedir", "internal/statedir/declaration",
		"internal/store", "internal/store/disk", "internal/store/filestore", "internal/store/foreign",
		"internal/store/history", "internal/task", "internal/task/inputs", "internal/task/order",
		"internal/task/renumber", "internal/textdiff", "internal/workspace/config", "internal/workspace/trust",
		"internal/workspace/index", "internal/workspace/planning",
	},
	"internal/usecase/tasks": {
		"internal/chain", "internal/jsontext", "internal/markdown", "internal/store", "internal/task",
		"internal/task/archive", "internal/task/claimscope", "internal/task/convert", "internal/task/create",
		"internal/task/edit", "internal/task/inputs", "internal/task/order", "internal/task/pick",
		"internal/task/split", "internal/textdiff", "internal/workspace", "internal/workspace/config", "internal/workspace/index",
		"internal/task/importing",
	},
	"internal/usecase/digests": {
		"internal/digest", "internal/digest/decision", "internal/digest/gsd", "internal/digest/phases",
		"internal/digest/specflow", "internal/digest/standing", "internal/jsontext", "internal/ledger",
		"internal/ledger/restore", "internal/markdown", "internal/store", "internal/task", "internal/workspace",
		"internal/workspace/index", "internal/workspace/planning",
	},
	"internal/usecase/folder": {
		"internal/statedir", "internal/statedir/check", "internal/statedir/cleanup",
		"internal/statedir/declaration", "internal/statedir/record", "internal/store", "internal/store/disk",
		"internal/store/foreign", "internal/workspace", "internal/workspace/config",
	},
	"internal/usecase/find": {
		"internal/digest/decision", "internal/markdown", "internal/protocol",
		"internal/search", "internal/statedir", "internal/statedir/declaration", "internal/store", "internal/task",
		"internal/workspace",
	},
	"internal/usecase/statusbar": {
		"internal/agentsession",
		"internal/digest/gsd", "internal/digest/specflow", "internal/digest/standing", "internal/gitrepo", "internal/jsontext",
		"internal/statusline",
		"internal/store/disk", "internal/store/filestore", "internal/task", "internal/workspace", "internal/workspace/config",
		"internal/workspace/planning",
	},
	"internal/usecase/loss": {
		"internal/digest/decision", "internal/digest/gsd", "internal/digest/specflow", "internal/gitrepo",
		"internal/ledger", "internal/ledger/kept", "internal/ledger/restore", "internal/markdown", "internal/store",
		"internal/store/disk", "internal/store/history", "internal/task", "internal/task/archive",
		"internal/task/create", "internal/task/order", "internal/task/renumber", "internal/usecase/digests", "internal/workspace",
		"internal/workspace/planning",
	},
	"internal/usecase/history": {
		"internal/ledger", "internal/ledger/restore", "internal/markdown", "internal/store", "internal/store/history", "internal/task",
		"internal/textdiff", "internal/usecase/digests", "internal/usecase/find", "internal/usecase/folder",
		"internal/usecase/loss", "internal/usecase/statusbar", "internal/workspace", "internal/workspace/config",
	},
	"internal/usecase/merging": {
		"internal/digest/decision", "internal/digest/gsd", "internal/digest/specflow", "internal/digest/standing",
		"internal/gitrepo", "internal/ledger", "internal/ledger/kept", "internal/markdown", "internal/store",
		"internal/task", "internal/task/inputs", "internal/task/merge", "internal/task/renumber", "internal/threeway",
		"internal/usecase/tasks", "internal/workspace",
	},
	"internal/usecase/guard": {
		"internal/agentsession", "internal/statedir", "internal/statedir/record", "internal/task", "internal/task/claimscope",
		"internal/usecase/folder", "internal/workspace",
	},
	"internal/usecase/waiting": {
		"internal/agentsession", "internal/statusline", "internal/task", "internal/usecase/statusbar",
		"internal/usecase/tasks", "internal/workspace",
	},
	"internal/usecase/sessions": {
		"internal/agentconfig", "internal/agentsession", "internal/digest", "internal/digest/decision", "internal/digest/gsd",
		"internal/digest/phases", "internal/digest/specflow", "internal/digest/standing", "internal/gitrepo", "internal/protocol",
		"internal/statedir/record", "internal/statusline", "internal/task", "internal/task/claimscope",
		"internal/task/pick", "internal/usecase/digests", "internal/usecase/folder",
		"internal/usecase/loss", "internal/usecase/statusbar", "internal/usecase/tasks", "internal/usecase/waiting",
		"internal/workspace", "internal/workspace/index",
	},
	"internal/usecase/agents": {
		"internal/agentsession", "internal/digest", "internal/digest/decision", "internal/gitrepo", "internal/protocol",
		"internal/store", "internal/task", "internal/task/claimscope", "internal/usecase/digests", "internal/usecase/guard",
		"internal/usecase/loss", "internal/usecase/sessions", "internal/usecase/statusbar", "internal/usecase/tasks",
		"internal/usecase/waiting", "internal/workspace",
	},
	"internal/usecase/work": {
		"internal/digest/phases", "internal/task", "internal/usecase/digests", "internal/usecase/sessions",
		"internal/usecase/tasks", "internal/workspace",
	},
	"internal/usecase/setup": {
		"internal/agentsession",
		"internal/agentconfig", "internal/digest/gsd", "internal/digest/specflow", "internal/frontmatter",
		"internal/protocol", "internal/store", "internal/store/disk", "internal/store/filestore", "internal/task", "internal/textdiff",
		"internal/usecase/sessions", "internal/usecase/statusbar", "internal/usecase/tasks",
		"internal/workspace", "internal/workspace/config", "internal/workspace/planning", "internal/workspace/trust",
	},
	"internal/usecase/doctor": {
		"internal/agentconfig", "internal/digest/gsd", "internal/digest/specflow",
		"internal/markdown", "internal/statedir", "internal/statusline", "internal/store", "internal/task", "internal/task/archive",
		"internal/task/renumber", "internal/textdiff", "internal/usecase/digests", "internal/usecase/folder",
		"internal/usecase/history", "internal/usecase/loss", "internal/usecase/merging",
		"internal/usecase/setup", "internal/usecase/statusbar", "internal/usecase/tasks", "internal/workspace", "internal/workspace/config",
	},
	"internal/project": {
		"internal/usecase/agents", "internal/usecase/digests", "internal/usecase/doctor", "internal/usecase/find",
		"internal/usecase/folder", "internal/usecase/history", "internal/usecase/loss", "internal/usecase/merging",
		"internal/usecase/sessions", "internal/usecase/setup", "internal/usecase/statusbar",
		"internal/usecase/tasks", "internal/usecase/waiting", "internal/usecase/work", "internal/workspace",
	},
	"internal/cli": {
		"internal/cli/agents", "internal/cli/app", "internal/cli/digest", "internal/cli/folder",
		"internal/cli/safety", "internal/cli/tasks", "internal/project", "internal/task",
		"internal/usecase/find", "internal/usecase/sessions", "internal/usecase/setup",
		"internal/usecase/work", "internal/workspace",
	},
	"internal/cli/agents": {
		"internal/agentsession", "internal/cli/app", "internal/project", "internal/usecase/sessions",
		"internal/usecase/setup", "internal/usecase/statusbar", "internal/usecase/waiting",
	},
	"internal/cli/app": {
		"internal/project", "internal/usecase/digests", "internal/usecase/tasks", "internal/workspace",
	},
	"internal/cli/crashtest": {"internal/cli/app", "internal/selftest"},
	"internal/cli/digest": {
		"internal/cli/app", "internal/digest/decision", "internal/digest/phases", "internal/digest/standing", "internal/project",
		"internal/usecase/digests", "internal/usecase/sessions", "internal/usecase/tasks", "internal/workspace",
	},
	"internal/cli/folder": {
		"internal/cli/app", "internal/project", "internal/statedir", "internal/statedir/declaration",
		"internal/usecase/folder",
	},
	"internal/cli/safety": {
		"internal/cli/app", "internal/project", "internal/task", "internal/usecase/digests",
		"internal/usecase/doctor", "internal/usecase/history", "internal/usecase/loss", "internal/usecase/merging",
		"internal/usecase/setup", "internal/workspace",
	},
	"internal/cli/tasks": {
		"internal/cli/app", "internal/project", "internal/task", "internal/task/create", "internal/task/edit",
		"internal/task/importing", "internal/task/importing/backlog", "internal/task/importing/formats",
		"internal/usecase/digests", "internal/usecase/agents", "internal/usecase/sessions", "internal/usecase/tasks",
		"internal/workspace",
	},
	"internal/hook": {
		"internal/agentsession",
		"internal/project", "internal/usecase/agents", "internal/workspace",
	},
	"internal/mcpserver": {
		"internal/agentsession", // frontmatter, to say what its own skill says of itself
		"internal/agentconfig", "internal/digest/decision", "internal/digest/phases", "internal/frontmatter",
		"internal/project", "internal/protocol/speech", "internal/task", "internal/task/create",
		"internal/task/edit", "internal/usecase/digests",
		"internal/usecase/find", "internal/usecase/folder", "internal/usecase/loss", "internal/usecase/sessions",
		"internal/usecase/setup", "internal/usecase/tasks", "internal/usecase/work", "internal/workspace",
	},
	"internal/selftest": {},
	"cmd/baton":         {"internal/cli", "internal/hook"},
	"cmd/batond":        {"internal/cli", "internal/cli/app", "internal/cli/crashtest", "internal/mcpserver"},
}

// ground has the packages that every package may import.
var ground = []string{"internal/report", "internal/safetext", "internal/sorting", "internal/parallel"}

// testOnly lists the packages that only tests link.
var testOnly = []string{
	"internal/gitrepo/gittest", "internal/store/storetest", "internal/store/disk/crashfs",
	"internal/store/disk/unsynced", "internal/store/filestore/crashtest", "internal/threeway/laws",
	"internal/task/tasktest",
}

// pure lists the packages that use no files, clock or environment, and start no goroutine.
var pure = []string{
	"internal/report", "internal/safetext", "internal/markdown", "internal/frontmatter", "internal/task", "internal/task/split",
	"internal/task/renumber", "internal/task/merge", "internal/task/inputs", "internal/task/create", "internal/task/convert",
	"internal/task/archive", "internal/task/order", "internal/jsontext", "internal/jsontext/schema", "internal/chain", "internal/digest",
	"internal/digest/decision", "internal/digest/gsd", "internal/digest/phases", "internal/digest/specflow",
	"internal/statedir", "internal/statedir/check", "internal/statedir/cleanup", "internal/statedir/declaration",
	"internal/statedir/record", "internal/statusline",
	"internal/agentconfig", "internal/agentsession", "internal/protocol", "internal/threeway", "internal/search",
	"internal/textdiff", "internal/ledger",
	"internal/ledger/restore",
}

// D26: a package imports only those that mayImport lists, and packages of ground.
func TestD26_ImportsPointDownwards(t *testing.T) {
	t.Parallel()
	for dir, files := range sources(t) {
		allowed, known := mayImport[dir]
		if !known {
			t.Errorf("%s is not in mayImport: add it here and to docs/dev/architecture.md", dir)
			continue
		}
		for _, file := range files {
			for _, imported := range importsOf(t, file) {
				pkg, ours := strings.CutPrefix(imported, "baton/")
				if !ours || slices.Contains(ground, pkg) || slices.Contains(allowed, pkg) {
					continue
				}
				t.Errorf("%s imports %s, which %s may not import", file, pkg, dir)
			}
		}
	}
}

// An unused row would allow an import that nobody asked for.
func TestEveryListedImportIsUsed(t *testing.T) {
	t.Parallel()
	found := sources(t)
	for dir, below := range mayImport {
		used := map[string]bool{}
		for _, file := range found[dir] {
			for _, imported := range importsOf(t, file) {
				used[strings.TrimPrefix(imported, "baton/")] = true
			}
		}
		for _, pkg := range below {
			if !used[pkg] {
				t.Errorf("%s may import %s, and does not", dir, pkg)
			}
		}
	}
}

func TestEveryListedPackageHasCode(t *testing.T) {
	t.Parallel()
	found := sources(t)
	for dir := range mayImport {
		if len(found[dir]) == 0 {
			t.Errorf("%s is in mayImport, but has no code", dir)
		}
	}
}

func TestPurePackagesUseNoFilesClockOrGoroutines(t *testing.T) {
	t.Parallel()
	denied := []string{
		"os", "os/exec", "os/signal", "os/user", "net", "net/http", "path/filepath", "io/ioutil", "syscall",
		"math/rand", "math/rand/v2", "crypto/rand",
	}
	clock := []string{"Now", "Since", "Until", "Sleep", "After", "Local"}
	found := sources(t)
	for _, dir := range pure {
		for _, file := range found[dir] {
			for _, imported := range importsOf(t, file) {
				if slices.Contains(denied, imported) {
					t.Errorf("%s is in a pure package and imports %s", file, imported)
				}
			}
			ast.Inspect(parse(t, file, 0), func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					t.Errorf("%s is in a pure package and starts a goroutine", file)
				case *ast.SelectorExpr:
					if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" && slices.Contains(clock, n.Sel.Name) {
						t.Errorf("%s is in a pure package and uses time.%s", file, n.Sel.Name)
					}
				}
				return true
			})
		}
	}
}

// TestF85_OneSort checks that all code sorts through internal/sorting, because the compiler copies the generic sort for each type
// of element.
func TestF85_OneSort(t *testing.T) {
	t.Parallel()
	copies := []string{"SortFunc", "SortStableFunc", "SortedFunc", "SortedStableFunc"}
	for dir, files := range sources(t) {
		if dir == "internal/sorting" || slices.Contains(testOnly, dir) {
			continue
		}
		for _, file := range files {
			ast.Inspect(parse(t, file, 0), func(n ast.Node) bool {
				call, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if pkg, ok := call.X.(*ast.Ident); ok && pkg.Name == "slices" && slices.Contains(copies, call.Sel.Name) {
					t.Errorf("%s calls slices.%s: use sorting.By or sorting.Collected", file, call.Sel.Name)
				}
				return true
			})
		}
	}
}

func TestOnlyFrontmatterReadsYAML(t *testing.T) {
	t.Parallel()
	for dir, files := range sources(t) {
		for _, file := range files {
			for _, imported := range importsOf(t, file) {
				if strings.HasPrefix(imported, "go.yaml.in/") && dir != "internal/frontmatter" {
					t.Errorf("%s imports %s: only internal/frontmatter may", file, imported)
				}
			}
		}
	}
}

// marks are the packages that may compare a line with "---" or write one, and what it is there.
var marks = map[string]string{
	"internal/markdown":        "the rule of front matter that a document is read with",
	"internal/frontmatter":     "the rules of front matter, which all others ask",
	"internal/task":            "a rule between sections",
	"internal/task/archive":    "a rule between sections",
	"internal/task/convert":    "a rule between sections",
	"internal/task/tasktest":   "samples",
	"internal/threeway":        "a rule between sections",
	"internal/digest/specflow": "a cell that means nothing",
	"internal/digest/decision": "the second row of a table",
	"internal/statedir/record": "a file of YAML, where it separates documents",
	"internal/usecase/setup":   "put around a file of YAML and taken off again",
}

// Where front matter ends is decided in one place, so that two packages never see different bodies.
func TestOnlyFrontmatterKnowsItsMark(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for dir, files := range sources(t) {
		for _, file := range files {
			ast.Inspect(parse(t, file, parser.SkipObjectResolution), func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				if text, err := strconv.Unquote(lit.Value); err == nil && strings.Trim(text, "\r\n") == "---" {
					if used[dir] = true; marks[dir] == "" {
						t.Errorf("%s writes %s: ask internal/frontmatter", file, lit.Value)
					}
				}
				return true
			})
		}
	}
	for dir, what := range marks {
		if !used[dir] {
			t.Errorf("%s no longer has the mark (%s): remove it from the list", dir, what)
		}
	}
}

// importsOf returns the import paths of one file.
func importsOf(t *testing.T, file string) []string {
	t.Helper()
	var paths []string
	for _, spec := range parse(t, file, parser.ImportsOnly).Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func parse(t *testing.T, file string, mode parser.Mode) *ast.File {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, mode)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// TestF85_MakeRacesAllConcurrentPackages checks that make tests all packages that start goroutines with the race detector. RACED
// also has packages whose tests call such packages.
func TestF85_MakeRacesAllConcurrentPackages(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "\nRACED = ")
	line, _, _ := strings.Cut(rest, "\n")
	named := strings.Fields(line)
	for _, dir := range named {
		if tests, _ := filepath.Glob(filepath.Join(root, "internal", dir, "*_test.go")); len(tests) == 0 {
			t.Errorf("make tests %s with the race detector, and it has no tests", dir)
		}
	}
	for dir, files := range sources(t) {
		tests, _ := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
		if slices.Contains(testOnly, dir) || len(tests) == 0 || slices.Contains(named, strings.TrimPrefix(dir, "internal/")) {
			continue
		}
		if slices.ContainsFunc(files, func(file string) bool { return startsGoroutine(t, file) }) {
			t.Errorf("%s starts goroutines, and make does not test it with the race detector: add it to RACED", dir)
		}
	}
}

// startsGoroutine reports whether a file has a go statement, or calls the method Go of a group.
func startsGoroutine(t *testing.T, file string) bool {
	t.Helper()
	found := false
	ast.Inspect(parse(t, file, 0), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.CallExpr:
			method, ok := n.Fun.(*ast.SelectorExpr)
			found = found || ok && method.Sel.Name == "Go" && len(n.Args) == 1
		}
		return !found
	})
	return found
}
