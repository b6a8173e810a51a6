package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/setup"
)

func TestPluginBuildReplacesOnlyItsOwnFiles(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	build := func(version string) (setup.PluginResult, error) {
		return w.as("a").Setup.BuildPlugin(t.Context(), setup.PluginRequest{Out: "market", Version: version})
	}
	first, err := build("1.2.3")
	if err != nil || first.Out != w.path("market") || len(first.Files) < 7 {
		t.Fatalf("%+v %v", first, err)
	}
	files := w.files()
	if _, err := build("1.2.3"); err != nil {
		t.Fatal(err)
	}
	sameFiles(t, "the same version", w.files(), files)
	if _, err := build("v1.2.4"); err != nil ||
		!strings.Contains(w.read("market/plugins/baton/.claude-plugin/plugin.json"), `"version": "1.2.4"`) {
		t.Errorf("%v", err)
	}
	w.write("market/plugins/baton/hooks/hooks.json", "{}\n")
	before := w.files()
	if _, err := build("1.2.5"); report.CodeOf(err) != "foreign_file" || report.KindOf(err) != report.Conflict {
		t.Errorf("%v", err)
	}
	sameFiles(t, "refused", w.files(), before)
	if _, err := w.as("a").Setup.BuildPlugin(t.Context(), setup.PluginRequest{}); report.KindOf(err) != report.Usage {
		t.Errorf("%v", err)
	}
}

func TestPluginCarriesTheLicence(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", "LICENSE"))
	if err != nil || string(data) != setup.PluginLicense() {
		t.Errorf("the licence of the plugin is not that of the program: %v", err)
	}
}
