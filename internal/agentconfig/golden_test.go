package agentconfig

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what the editors give into the golden files")

// A golden file contains a client's files before and after. They have a final line end, "\n" line ends, and their own
// indentation; the variants below are derived from them.
func TestGolden(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) != 3*len(Clients()) {
		t.Fatalf("%d golden files: %v", len(names), err)
	}
	for _, name := range names {
		client, _, _ := strings.Cut(filepath.Base(name), "_")
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			before, want := Files{}, Files{}
			for _, file := range archive.Files {
				if short, ok := strings.CutPrefix(file.Name, "before/"); ok {
					before[short] = file.Data
				} else {
					want[strings.TrimPrefix(file.Name, "after/")] = file.Data
				}
			}
			got, ok := laws(t, []Client{Client(client)}, Project, before, Options{Import: true})
			if !ok {
				t.Fatal("the plan was refused")
			}
			if *update {
				writeGolden(t, name, archive, got)
				return
			}
			same(t, "golden", got, want)
			variants(t, Client(client), before, got)
		})
	}
}

func writeGolden(t *testing.T, name string, archive *txtar.Archive, got Files) {
	t.Helper()
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "after/") })
	for _, file := range slices.Sorted(maps.Keys(got)) {
		archive.Files = append(archive.Files, txtar.File{Name: "after/" + file, Data: got[file]})
	}
	if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// variants checks the same files with other line ends, without the final line end, with tabs, and with a byte-order
// mark. The result must differ only in that.
func variants(t *testing.T, client Client, before, after Files) {
	t.Helper()
	steps := regexp.MustCompile(`(?m)^(?:    |  )+`)
	for what, change := range map[string]func([]byte) []byte{
		"CRLF":          func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) },
		"no final line": func(b []byte) []byte { return bytes.TrimSuffix(b, []byte("\n")) },
		"byte-order mark": func(b []byte) []byte {
			return append([]byte(bom), b...)
		},
		"tabs": func(b []byte) []byte {
			unit := 2
			if bytes.HasPrefix(b, []byte("{\n    \"")) {
				unit = 4
			}
			return steps.ReplaceAllFunc(b, func(blanks []byte) []byte { return bytes.Repeat([]byte("\t"), len(blanks)/unit) })
		},
	} {
		files := Files{}
		for name, text := range before {
			files[name] = change(text)
		}
		got, ok := laws(t, []Client{client}, Project, files, Options{Import: true})
		if !ok {
			t.Fatalf("%s: refused", what)
		}
		for name, text := range before {
			want := change(after[name])
			if what == "tabs" && (!bytes.Contains(text, []byte("\n  ")) || strings.HasSuffix(name, ".md")) {
				continue // nothing shows the indentation
			}
			if !bytes.Equal(got[name], want) {
				t.Errorf("%s: %s is\n%q\nwant\n%q", what, name, got[name], want)
			}
		}
	}
}
