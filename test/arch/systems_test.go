package arch

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	for _, system := range [][2]string{{"windows", "amd64"}, {"darwin", "arm64"}} {
		t.Run(system[0], func(t *testing.T) {
			t.Parallel()
			checked := checkTypes(t, system[0], system[1])
			if checked < 40 {
				t.Errorf("only %d packages of the module were checked", checked)
			}
		})
	}
}

// checkTypes type-checks the packages of the module and everything that they import, and returns the number of packages of the
// module. Of imported packages it checks only the declarations.
func checkTypes(t *testing.T, system, processor string) int {
	t.Helper()
	files, own := token.NewFileSet(), 0
	known := map[string]*types.Package{"unsafe": types.Unsafe}
	for _, p := range listPackages(t, system, processor) {
		if p.ImportPath == "unsafe" {
			continue
		}
		ours := strings.HasPrefix(p.ImportPath, "baton/")
		mode := parser.SkipObjectResolution
		var sources []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, mode)
			if err != nil {
				t.Fatal(err)
			}
			sources = append(sources, file)
		}
		config := types.Config{
			Importer:         importer{known, p.ImportMap},
			Sizes:            types.SizesFor("gc", processor),
			IgnoreFuncBodies: !ours,
			Error: func(err error) {
				if ours {
					t.Errorf("%s: %v", system, err)
				}
			},
		}
		known[p.ImportPath], _ = config.Check(p.ImportPath, files, sources, nil) // Error has reported it
		if ours {
			own++
		}
	}
	return own
}

// listPackages lists both programs with all that they import; a package comes after its imports.
func listPackages(t *testing.T, system, processor string) []listed {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap", "./cmd/...")
	list.Dir = root
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
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
