package oracle

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"baton/internal/frontmatter"
	"baton/internal/markdown"
	"github.com/google/go-cmp/cmp"
)

// corpus returns the folder of real files: BATON_CORPUS, or shared/corpus beside the repository.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("BATON_CORPUS")
	if dir == "" {
		root, err := filepath.Abs(".")
		for err == nil && root != filepath.Dir(root) {
			if _, missing := os.Stat(filepath.Join(root, "go.mod")); missing == nil {
				break
			}
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus at %s: set BATON_CORPUS to the folder of real files", dir)
	}
	return dir
}

// files calls f for every file of the corpus.
func files(t *testing.T, f func(t *testing.T, src []byte)) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(corpus(t), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) == ".tsv" {
			return err
		}
		seen++
		t.Run(entry.Name(), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f(t, src)
		})
		return nil
	})
	if err != nil || seen == 0 {
		t.Fatalf("%d files: %v", seen, err)
	}
}

func TestTS34_CorpusRoundTrip(t *testing.T) {
	t.Parallel()
	files(t, func(t *testing.T, src []byte) {
		kept := bytes.Clone(src)
		d := markdown.Parse(src)
		var lines []byte
		if d.BOM() {
			lines = append(lines, src[:3]...)
		}
		for _, ln := range d.Lines() {
			lines = append(lines, src[ln.Start:ln.Next]...)
		}
		if !bytes.Equal(lines, kept) || !bytes.Equal(src, kept) {
			t.Error("the lines are not the file")
		}
		if len(src) > 200 && len(d.Headings()) == 0 {
			t.Error("no heading found")
		}
	})
}

func TestTS34_CorpusAgreesWithOracle(t *testing.T) {
	t.Parallel()
	files(t, func(t *testing.T, src []byte) {
		// One parser reads front matter as a block, the other as text.
		if b, ok := frontmatter.Find(src); ok {
			src = src[b.Span.End:]
		}
		src = tame(src)
		if diff := cmp.Diff(theirs(src), ours(src)); diff != "" {
			t.Errorf("(-goldmark +baton)\n%s", diff)
		}
	})
}

// Every text that Set can insert is replaced and put back. The text after the block must not change.
func TestTS34_CorpusFrontMatterEdits(t *testing.T) {
	t.Parallel()
	files(t, func(t *testing.T, src []byte) {
		b, ok := frontmatter.Find(src)
		if !ok {
			return
		}
		v, err := frontmatter.ParseYAML(b.Body.Of(src))
		if err != nil {
			return
		}
		for _, e := range v {
			old, isText := e.Value.(string)
			if !isText {
				continue
			}
			changed, err := frontmatter.Set(src, e.Key, "another \"text\": of # marks")
			if err != nil {
				continue
			}
			if bytes.Equal(changed, src) {
				t.Errorf("%s: nothing changed", e.Key)
			}
			back, err := frontmatter.Set(changed, e.Key, old)
			if err != nil {
				t.Errorf("%s: not set back: %v", e.Key, err)
				continue
			}
			if again, err := frontmatter.Set(src, e.Key, old); err != nil || !bytes.Equal(again, src) {
				t.Errorf("%s: setting what is there changed the file (%v)", e.Key, err)
			}
			if len(back)-len(src) > 8+len(old) || !bytes.HasSuffix(back, src[b.Span.End:]) {
				t.Errorf("%s: more than one value changed", e.Key)
			}
		}
	})
}
