package arch

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// listed is the output of go list for a package.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string
}

// TestF85_BuildsForOtherSystems type-checks both programs for Windows and macOS. This finds the same errors as a build, in a tenth
// of the time. `make cross` builds them.
func TestF85_BuildsForOtherSystems(t *testing.T) {
	t.Parallel()
	for name, load := range systems {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := load()
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range s.faults {
				t.Error(err)
			}
			if len(s.packages) < 40 {
				t.Errorf("only %d packages of the module were checked", len(s.packages))
			}
		})
	}
}

// home is the system whose packages stay in memory for the tests of codes.
const home = "linux"

// systems are the systems for which both programs are read with their types, once for all tests.
var systems = map[string]func() (*typedSources, error){
	home:      sync.OnceValues(func() (*typedSources, error) { return checkTypes(home, "amd64") }),
	"windows": sync.OnceValues(func() (*typedSources, error) { return checkTypes("windows", "amd64") }),
	"darwin":  sync.OnceValues(func() (*typedSources, error) { return checkTypes("darwin", "arm64") }),
}

// typedSources are the packages of the module that both programs have on one system, each after those that it imports.
type typedSources struct {
	set      *token.FileSet
	packages []*typed
	faults   []error
	asText   []string                             // where a code is written as text
	ends     func() map[*types.Const]map[end]bool // what becomes of codes
}

// typed is a package of the module with the types of its expressions.
type typed struct {
	*types.Package
	files []*ast.File
	info  *types.Info
}

// checkTypes type-checks the packages of the module and everything that they import. Of imported packages it checks only the
// declarations.
func checkTypes(system, processor string) (*typedSources, error) {
	all, err := listPackages(system, processor)
	if err != nil {
		return nil, err
	}
	s := &typedSources{set: token.NewFileSet()}
	s.ends = sync.OnceValue(func() map[*types.Const]map[end]bool { return codeEnds(s) })
	known := map[string]*types.Package{"unsafe": types.Unsafe}
	for _, p := range all {
		if p.ImportPath == "unsafe" {
			continue
		}
		ours := strings.HasPrefix(p.ImportPath, "baton/")
		one := &typed{}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(s.set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			one.files = append(one.files, file)
		}
		if ours {
			one.info = &types.Info{
				Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			}
		}
		config := types.Config{
			Importer:         importer{known, p.ImportMap},
			Sizes:            types.SizesFor("gc", processor),
			IgnoreFuncBodies: !ours,
			Error: func(err error) {
				if ours {
					s.faults = append(s.faults, err)
				}
			},
		}
		one.Package, _ = config.Check(p.ImportPath, s.set, one.files, one.info) // Error has noted it
		known[p.ImportPath] = one.Package
		if ours {
			s.packages = append(s.packages, one)
			s.asText = append(s.asText, s.codesAsText(one)...)
			if system != home {
				one.files, one.info = nil, nil
			}
		}
	}
	return s, nil
}

// place says where a node is, for a person.
func (s *typedSources) place(n ast.Node) string {
	at := s.set.Position(n.Pos())
	full, err := filepath.Abs(root)
	if err != nil {
		return at.String()
	}
	name, err := filepath.Rel(full, at.Filename)
	if err != nil {
		return at.String()
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(name), at.Line)
}

// listPackages lists both programs with all that they import; a package comes after its imports.
func listPackages(system, processor string) ([]listed, error) {
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap", "./cmd/...")
	list.Dir = root
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	var all []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// importer finds packages that have already been checked.
type importer struct {
	known   map[string]*types.Package
	renamed map[string]string
}

func (i importer) Import(path string) (*types.Package, error) {
	if other, ok := i.renamed[path]; ok {
		path = other
	}
	if p := i.known[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("not listed: " + path)
}
