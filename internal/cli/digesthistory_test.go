package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/internal/usecase/loss"
)

// digestHistory is a SpecFlow digest that agents edit for months: they add decisions, delete some, reword some, turn the
// table into a list and back, and delete warnings that are resolved. It has the shape of a real history of some 180
// versions with 500 decisions.
type digestHistory struct {
	repairHistory
	live  []string // words of decisions that must be in the digest or its archive, in the order in which they were made
	wiped []string // words of decisions that somebody deleted
}

var decisionRow = regexp.MustCompile(`^\| \d{4}-\d\d-\d\d \| (SPEC-\d+): (.*word-\d+-end.*) \|\n$`)

var decisionLine = regexp.MustCompile(`^(?:\| \d{4}-\d\d-\d\d \| SPEC-\d+ \| |- (?:\d{4}-\d\d-\d\d: )?SPEC-\d+: ).*(word-\d+-end).*`)

func (h *digestHistory) digest() string { return filepath.Join(h.dir, ".specflow", "STATE.md") }

// edit changes the lines of the digest, as an agent does that writes the file.
func (h *digestHistory) edit(change func(lines []string) []string) {
	h.t.Helper()
	data, err := os.ReadFile(h.digest())
	if err != nil {
		h.t.Fatal(err)
	}
	text := strings.Join(change(strings.SplitAfter(string(data), "\n")), "")
	if err := os.WriteFile(h.digest(), []byte(text), 0o666); err != nil {
		h.t.Fatal(err)
	}
}

// some returns the indexes of the lines of decisions.
func some(lines []string) (out []int) {
	for i, line := range lines {
		if decisionLine.MatchString(line) {
			out = append(out, i)
		}
	}
	return out
}

func (h *digestHistory) version() {
	switch h.rand.IntN(7) {
	case 3: // the table becomes a list
		h.edit(func(lines []string) []string {
			var out []string
			for _, line := range lines {
				switch m := decisionRow.FindStringSubmatch(line); {
				case m != nil:
					line = "- " + m[1] + ": " + m[2] + "\n"
				case strings.HasPrefix(line, "| Date | Decision"), strings.HasPrefix(line, "|------|----------"):
					continue
				}
				out = append(out, line)
			}
			return out
		})
	case 0: // up to three decisions are deleted
		h.edit(func(lines []string) []string {
			for range 1 + h.rand.IntN(3) {
				at := some(lines)
				if len(at) == 0 {
					break
				}
				i := at[h.rand.IntN(len(at))]
				word := decisionLine.FindStringSubmatch(lines[i])[1]
				h.done = append(h.done, "# deletes "+word)
				h.wiped = append(h.wiped, word)
				lines = slices.Delete(lines, i, i+1)
			}
			return lines
		})
	case 1: // one is reworded
		h.edit(func(lines []string) []string {
			if at := some(lines); len(at) > 0 {
				i := at[h.rand.IntN(len(at))]
				h.done = append(h.done, "# rewords "+strings.TrimSpace(lines[i]))
				lines[i] = strings.Replace(lines[i], "all of it", "most of it", 1)
			}
			return lines
		})
	case 2: // a warning comes, and one that is resolved goes
		h.edit(func(lines []string) []string {
			lines = slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, "executed without") })
			at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "## Warnings") })
			for at++; at < len(lines) && !strings.HasPrefix(lines[at], "|--"); at++ {
			}
			if at < len(lines) {
				row := fmt.Sprintf("| %s | SPEC-%03d | executed without audit approval |\n", h.now.Format("2006-01-02"), h.named)
				lines = slices.Insert(lines, at+1, row)
			}
			return lines
		})
	}
	for range 1 + h.rand.IntN(4) {
		h.named++
		word := fmt.Sprintf("word-%d-end", h.named)
		text := word + " decides all of it:"
		for range 6 {
			text += fmt.Sprintf(" part%d", h.rand.IntN(100))
		}
		h.baton("decision", "add", text, "--spec", fmt.Sprintf("SPEC-%03d", h.named/3))
		h.live = append(h.live, word)
	}
	h.now = h.now.Add(13 * time.Hour)
	h.save()
}

// lost returns the words of what baton says is lost.
func (h *digestHistory) lost() (out []string) {
	h.t.Helper()
	text, _ := h.answer("lost", "--json")
	var list loss.LostList
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		h.t.Fatal(err)
	}
	for _, e := range list.Lost {
		out = append(out, regexp.MustCompile(`word-\d+-end`).FindString(e.Text))
	}
	slices.Sort(out)
	return out
}

// TestD44_ADigestOfMonths: every decision that is gone is named, and nothing else. Restored, each is in exactly one file,
// in the order of its time. BATON_VERSIONS sets the number of versions, and BATON_SEED the history.
func TestD44_ADigestOfMonths(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on PATH: install git to play histories")
	}
	versions, seed := 60, 1
	if n, err := strconv.Atoi(os.Getenv("BATON_VERSIONS")); err == nil {
		versions = n
	}
	if n, err := strconv.Atoi(os.Getenv("BATON_SEED")); err == nil {
		seed = n
	}
	h := &digestHistory{repairHistory: repairHistory{branchHistory: branchHistory{
		t: t, dir: t.TempDir(), rand: rand.New(rand.NewPCG(uint64(seed), 7)), now: time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC),
	}}}
	h.git("init", "-q", "-b", "main")
	h.baton("init", "--layout", "specflow")
	h.save()
	for n := 1; n <= versions; n++ {
		h.version()
		if n%20 != 0 {
			continue
		}
		slices.Sort(h.wiped)
		if got := h.lost(); !slices.Equal(got, h.wiped) {
			t.Fatalf("version %d: lost are %v, baton names %v\n%s", n, h.wiped, got, strings.Join(h.done[max(0, len(h.done)-120):], "\n"))
		}
		if len(h.wiped) > 0 {
			h.baton("lost", "--restore")
		}
		h.wiped = nil
		if got := h.lost(); len(got) > 0 {
			t.Fatalf("version %d: after the restore, baton names %v", n, got)
		}
		h.inOrder(n)
	}
}

// inOrder checks that each decision is in the archive or the digest once, and that both are in order.
func (h *digestHistory) inOrder(version int) {
	h.t.Helper()
	var found []string
	for _, name := range [...]string{"DECISIONS_ARCHIVE.md", "STATE.md"} {
		data, err := os.ReadFile(filepath.Join(h.dir, ".specflow", name))
		if err != nil && !os.IsNotExist(err) {
			h.t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if m := decisionLine.FindStringSubmatch(line); m != nil {
				found = append(found, m[1])
			}
		}
	}
	if !slices.Equal(found, h.live) {
		for i := range min(len(found), len(h.live)) {
			if found[i] != h.live[i] {
				h.t.Errorf("version %d: number %d is %s, not %s\n%s", version, i, found[i], h.live[i], strings.Join(h.done, "\n"))
				break
			}
		}
		h.t.Fatalf("version %d: %d decisions of %d are there", version, len(found), len(h.live))
	}
}
