package docs

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The forms of a number. Decisions and sections must not be part of a longer word.
var (
	testName     = regexp.MustCompile(`^func Test((?:(?:TSD|TS|SFD|SF|GSDD|GSDV|GSD|SDD|SDK|SD|AC|N|D)?[0-9]+_)+)`)
	namePart     = regexp.MustCompile(`(TSD|TS|SFD|SF|GSDD|GSDV|GSD|SDD|SDK|SD|AC|N|D)?0*([0-9]+)_`)
	caseWord     = regexp.MustCompile(`\b(?:TS|SF|GSD|SD)-[DKV]?[0-9]+\b`)
	decisionWord = regexp.MustCompile(`(?:^|[^-\w%.])(D[0-9]+)\b`)
	nativeWord   = regexp.MustCompile(`(?:^|[^-\w%.$\\])(N[0-9]+)\b`)
	sectionWord  = regexp.MustCompile(`(?:^|[^\d.%])(5\.[0-9]+(?:\.[0-9]+)?)\b`)
	digestWord   = regexp.MustCompile(`\b(specflow\.md|gsd\.md|devt\.md) ((?:[0-9]+(?:\.[0-9]+)+(?:, | and | to |-)?)+)`)
	dottedWord   = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)+`)
	agentsWord   = regexp.MustCompile(`\bagents\.md ((?:[0-9]+(?:\.[0-9]+)*(?:, | and | to |-)?)+)`)
	anyWord      = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)*`)
)

// kinds maps the prefix of a number in the name of a test to its spelling in texts.
var kinds = map[string]string{
	"TSD": "TS-D", "TS": "TS-", "SFD": "SF-D", "SF": "SF-", "GSDD": "GSD-D", "GSDV": "GSD-V", "GSD": "GSD-",
	"SDD": "SD-D", "SDK": "SD-K", "SD": "SD-", "AC": "AC", "N": "N", "D": "D",
}

// edgeCase matches the numbers that are all on the page, cited or not.
var edgeCase = regexp.MustCompile(`^(?:TS|SF|GSD)-[0-9]+$|^SD-K?[0-9]+$|^AC[0-9]+$`)

// docs/dev/rules.md explains every number in comments and names of tests.
func TestRulesListsEveryNumberThatIsCited(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "dev", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \| [^|]+ \|`).FindAllStringSubmatch(string(page), -1) {
		for number := range strings.SplitSeq(row[1], ", ") {
			if explained[number] && number != "Number" {
				t.Errorf("docs/dev/rules.md explains %s twice", number)
			}
			explained[number] = true
		}
	}
	for series, last := range edgeCases {
		for n := 1; n <= last; n++ {
			if number := series + strconv.Itoa(n); !explained[number] {
				t.Errorf("docs/dev/rules.md does not explain %s", number)
			}
		}
	}
	where := citations(t)
	if len(where) < edgeCases["TS-"]+len(decisions) {
		t.Fatalf("only %d numbers are cited: the search is wrong", len(where))
	}
	for _, number := range slices.Sorted(maps.Keys(where)) {
		if !explained[number] {
			t.Errorf("%s cites %s, which docs/dev/rules.md does not explain", where[number], number)
		}
	}
	for number := range explained {
		numbered := strings.Contains(number, "-") || strings.HasPrefix(number, "D") || regexp.MustCompile(`^N[0-9]+$`).MatchString(number)
		if numbered && !edgeCase.MatchString(number) && where[number] == "" {
			t.Errorf("docs/dev/rules.md explains %s, which no Go file cites", number)
		}
	}
}

// Every form of a number is found, and nothing else is taken for one.
func TestRulesOfALine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"// what stands there (5.14.2, TS-46), see D7 and TS-D8":           {"5.14.2", "D7", "TS-46", "TS-D8"},
		"// 5.3 rule 5: a session ends":                                    {"5.3"},
		"func TestTS05_TS06_Unsafe(t *testing.T) {":                        {"TS-5", "TS-6"},
		"func TestTS1_2_8_LineEnds(t *testing.T) {":                        {"TS-1", "TS-2", "TS-8"},
		"func TestD13_EveryEdgeCase(t *testing.T) {":                       {"D13"},
		"func TestTSD3_Select(t *testing.T) {":                             {"TS-D3"},
		"func TestSF51_SFD10_NewestFirst(t *testing.T) {":                  {"SF-51", "SF-D10"},
		"func TestGSD63_GSDD9_GSDV12_N5_AC7_Authored(t *testing.T) {":      {"AC7", "GSD-63", "GSD-D9", "GSD-V12", "N5"},
		"func TestNoFileGrows(t *testing.T) {":                             nil,
		"// keys (specflow.md 5.7.2, 5.8), fields (gsd.md 1.1, N5)":        {"N5", "gsd.md 1.1", "specflow.md 5.7.2", "specflow.md 5.8"},
		"// three forms (specflow.md 5.3 to 5.6; 5.6.2)":                   {"5.6.2", "specflow.md 5.3", "specflow.md 5.6"},
		"// how it merges (agents.md 8.2 rule 5), what (agents.md 5, 8.1)": {"agents.md 5", "agents.md 8.1", "agents.md 8.2"},
		`s.say("%5.1f", 5.14) // UUID3 and 15.3 are no numbers of ours`:    nil,
	} {
		if got := cited(line, ""); !slices.Equal(got, want) {
			t.Errorf("%s\ncites %q, not %q", line, got, want)
		}
	}
	if got := cited(
		"// the newest end (5.7.3), see gsd.md 1.2", "specflow.md ",
	); !slices.Equal(got, []string{"gsd.md 1.2", "specflow.md 5.7.3"}) {
		t.Errorf("in a room of the digest a section is one of the digest: %q", got)
	}
}

// citations returns every number that a Go file cites, with one of the files.
func citations(t *testing.T) map[string]string {
	t.Helper()
	where := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "rules_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(source)) {
			if !strings.ContainsAny(line, "0123456789") {
				continue // every form has a digit, and the search for all of them takes seconds
			}
			for _, number := range cited(line, matter(filepath.ToSlash(path))) {
				where[number] = path
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return where
}

// aboutDigests and aboutFolders match the files in which a section without the name of its description is one about
// digests, or about the state folder.
var (
	aboutDigests = regexp.MustCompile(
		`internal/(?:digest|statusline)/|internal/[a-z]+/(?:state|digest|specflow|decision|history)[a-z]*(?:_test)?\.go$`,
	)
	aboutFolders = regexp.MustCompile(`internal/statedir/|internal/usecase/folder/|internal/[a-z]+/(?:dir|dirplace)[a-z_]*(?:_test)?\.go$`)
)

// matter returns the description to which sections in a file belong, or "" for that of task files.
func matter(path string) string {
	switch {
	case aboutFolders.MatchString(path):
		return "devt.md "
	case aboutDigests.MatchString(path):
		return "specflow.md "
	}
	return ""
}

// cited returns the numbers of one line, sorted: sections in comments, the others in names of tests and in any text. A
// section without the name of its description belongs to the subject of the file.
func cited(line, about string) []string {
	found := named(line)
	found = append(found, caseWord.FindAllString(line, -1)...)
	for _, form := range []*regexp.Regexp{decisionWord, nativeWord} {
		for _, number := range form.FindAllStringSubmatch(line, -1) {
			found = append(found, number[1])
		}
	}
	if _, comment, ok := strings.Cut(line, "//"); ok {
		for _, list := range digestWord.FindAllStringSubmatch(comment, -1) {
			for _, number := range dottedWord.FindAllString(list[2], -1) {
				found = append(found, list[1]+" "+number)
			}
		}
		for _, list := range agentsWord.FindAllStringSubmatch(comment, -1) {
			for _, number := range anyWord.FindAllString(list[1], -1) {
				found = append(found, "agents.md "+number)
			}
		}
		comment = agentsWord.ReplaceAllString(digestWord.ReplaceAllString(comment, " "), " ")
		for _, number := range sectionWord.FindAllStringSubmatch(comment, -1) {
			found = append(found, about+number[1])
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// named returns the numbers in the name of a test that a line declares.
func named(line string) []string {
	var found []string
	name := testName.FindStringSubmatch(line)
	if name == nil {
		return nil
	}
	kind := ""
	for _, part := range namePart.FindAllStringSubmatch(name[1], -1) {
		if part[1] != "" {
			kind = kinds[part[1]]
		}
		if kind != "" {
			found = append(found, kind+part[2])
		}
	}
	return found
}
