package arch

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The largest number of modules outside the standard library that the small program may link.
const mostModules = 12

// heavy lists packages that the small program must not link, because each of them makes every start slower.
var heavy = []string{
	"net/http", "html/template", "github.com/yuin/goldmark", "github.com/nats-io", "charm.land", "github.com/modelcontextprotocol",
	"testing",
}

// TestDependencyBudget checks the import graph of cmd/baton.
func TestDependencyBudget(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Module", "./cmd/baton")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %s", exit.Stderr)
		}
		t.Fatal(err)
	}
	var modules []string
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var pkg struct {
			ImportPath string
			Module     *struct{ Path string }
		}
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, name := range heavy {
			if pkg.ImportPath == name || strings.HasPrefix(pkg.ImportPath, name+"/") {
				t.Errorf("cmd/baton links %s", pkg.ImportPath)
			}
		}
		if pkg.Module != nil && pkg.Module.Path != "baton" && !slices.Contains(modules, pkg.Module.Path) {
			modules = append(modules, pkg.Module.Path)
		}
	}
	slices.Sort(modules)
	if len(modules) > mostModules {
		t.Errorf("cmd/baton links %d modules, %d are allowed: %s", len(modules), mostModules, strings.Join(modules, ", "))
	}
	t.Logf("linked modules: %s", strings.Join(modules, ", "))
}
