package hook

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"baton/internal/agentsession"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample is one payload of testdata/CLIENT.txtar.
type sample struct {
	client string // whose file it is in
	name   string
	args   []string
	data   []byte
}

// samples gives every payload of the golden files.
func samples(t testing.TB) []sample {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) != 9 {
		t.Fatalf("%d golden files: %v", len(names), err)
	}
	var out []sample
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			short, is := strings.CutSuffix(f.Name, ".in")
			if !is {
				continue
			}
			line, data, _ := bytes.Cut(f.Data, []byte("\n"))
			out = append(out, sample{strings.TrimSuffix(filepath.Base(name), ".txtar"), short, strings.Fields(string(line)), data})
		}
	}
	return out
}

// understood is what a payload means, as the golden files show it.
type understood struct {
	Client  client
	Raw     string
	Dir     string
	Ignored bool   `json:",omitempty"`
	Fault   string `json:",omitempty"`
	Event   *agentsession.Event
}

func (c client) MarshalText() ([]byte, error) {
	if c.file {
		return []byte(c.name + " by file"), nil
	}
	return []byte(c.name), nil
}

// Every captured payload, and documented ones beside them: client, neutral event, key, tool calls (agents.md 2.5, 2.6, 2.8).
func TestPayloads(t *testing.T) {
	t.Parallel()
	got := map[string][]txtar.File{}
	for _, s := range samples(t) {
		in, fault := decode(parseFlags(s.args), "/base", s.data)
		view := understood{Client: in.client, Raw: in.raw, Dir: in.dir, Ignored: in.ignored, Fault: fault}
		if !in.ignored {
			view.Event = &in.event
		}
		if in.client.name != s.client {
			t.Errorf("%s/%s is taken for %s", s.client, s.name, in.client.name)
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		if err := enc.Encode(view); err != nil {
			t.Fatal(err)
		}
		in0 := txtar.File{Name: s.name + ".in", Data: append([]byte(strings.Join(s.args, " ")+"\n"), s.data...)}
		got[s.client] = append(got[s.client], in0, txtar.File{Name: s.name + ".want", Data: b.Bytes()})
	}
	for name, files := range got {
		path := filepath.Join("testdata", name+".txtar")
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := txtar.Format(archive)
		archive.Files = files
		if now := txtar.Format(archive); *update {
			if err := os.WriteFile(path, now, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if !bytes.Equal(now, want) {
			t.Errorf("%s differs; -update writes it again:\n%s", path, firstDifference(string(want), string(now)))
		}
	}
}

// firstDifference shows the first line that two texts do not share.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return "want " + a[i] + "\ngot  " + strings.Join(b[min(i, len(b)):min(i+1, len(b))], "")
		}
	}
	return "more lines"
}
