package declaration

import (
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/statedir"
)

// ownContract is a contract.yaml of a project without devt.
const ownContract = `version: 1
extends: none
folder: work/agents
types: [feature, fix]
phases: [design, build, check]
tiers: [S, M]
canonical:
  - {name: review.md, writer: reviewer, purpose: what the reviewer found, statuses: [OK, BAD], evict: workflow}
  - name: review.json
    writer: reviewer
    evict: session
    schema:
      type: object
      required: [reviewer]
      properties:
        reviewer: {type: string, minLength: 1}
        ok: {type: boolean}
inputs:
  - {name: handover.json, purpose: what the next step needs, required: [task], recommended: [branch],
     schema: {properties: {task: {pattern: "^T-"}}}}
folders:
  - {name: shots/, purpose: screenshots, exempt: true}
patterns:
  - {pattern: '^note-[a-z]+\.md$', purpose: notes, evict: session}
leftovers:
  - {pattern: '^.*\.bak$', purpose: backups}
sidecars:
  - {markdown: perf.md, json: perf.json, status: [DONE], evict: workflow}
`

func TestF74_AContractOfItsOwn(t *testing.T) {
	c, err := Declared().Extend(".baton/contract.yaml", []byte(ownContract))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Rows()) != 10 || c.Folder() != "work/agents" || !c.Bare() {
		t.Errorf("%d rows, folder %q", len(c.Rows()), c.Folder())
	}
	for name, bucket := range map[string]statedir.Bucket{
		"review.md": statedir.Canonical, "plan.md": statedir.AdHoc, "note-a.md": statedir.PatternAllowed, "a.bak": statedir.Ephemeral,
		"plan-a.md": statedir.AdHoc, "workflow.yaml": statedir.Canonical, "perf.json": statedir.Canonical, "a.tmp": statedir.Ephemeral,
	} {
		if got := c.Classify(name, false, false).Bucket; got != bucket {
			t.Errorf("%s is %s", name, got)
		}
	}
	if class := c.Classify("shots", true, false); class.Bucket != statedir.Canonical || !class.Exempt {
		t.Errorf("shots is %+v", class)
	}
	if got := strings.Join(c.EvictionList(statedir.EvictList), " "); got != "review.md perf.md perf.json" {
		t.Errorf("a new workflow moves %s", got)
	}
	if got := strings.Join(c.EvictionList(statedir.EvictScoped), " "); got != "review.json" || !c.SlugVariant("note-a.md") {
		t.Errorf("a new session moves %s", got)
	}
	d := c.Describe()
	if strings.Join(d.WorkflowTypes, " ") != "feature fix" || strings.Join(d.Phases, " ") != "design build check" || len(d.Aliases) != 0 {
		t.Errorf("%+v", d)
	}
	if _, err := c.Words().Type("dev"); report.CodeOf(err) != report.CodeWorkflowTypeUnknown {
		t.Errorf("dev is a type: %v", err)
	}
	for text, want := range map[string]string{
		`{"reviewer":"bob","ok":true}`:      "",
		`{"ok":"yes"}`:                      "/reviewer missing_required_field;/ok wrong_kind",
		"{\n\"reviewer\":\"\"}":             "/reviewer invalid_value",
		`[]`:                                " wrong_kind",
		`{"reviewer":"a","reviewer":"bob"}`: "/reviewer duplicate_key",
	} {
		var got []string
		for _, p := range c.CheckSidecar("review.json", []byte(text)) {
			got = append(got, p.Pointer+" "+string(p.Reason))
		}
		if strings.Join(got, ";") != want {
			t.Errorf("%s: %s", text, strings.Join(got, ";"))
		}
	}
	found := c.CheckSidecar("handover.json", []byte(`{"task":"x"}`))
	if len(found) != 2 || found[0].Message != `handover.json:1: /task does not match the pattern ^T-` {
		t.Errorf("%+v", found)
	}
	for _, name := range []string{"review.json", "handover.json", "perf.json"} {
		if text, ok := c.Schema(name); !ok || !strings.Contains(string(text), `"title": "`+name+`"`) {
			t.Errorf("%s: %s", name, text)
		}
	}
	if refs := lintOf(c, []byte("see work/agents/plan.md and work/agents/review.md")); len(refs) != 1 {
		t.Errorf("%+v", refs)
	}
}

func TestF74_AddedToDevtsNames(t *testing.T) {
	c, err := Declared().Extend("c", []byte("version: 1\ntypes: [feature, review]\nphases: [design]\ntiers: any\n"))
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"feature": "feature", "review": "review", "dev": "dev", "arch": "arch_health_scan"} {
		if got, err := c.Words().Type(word); got != want || err != nil {
			t.Errorf("%s: %s, %v", word, got, err)
		}
	}
	d := c.Describe()
	if len(d.Tiers) != 0 || d.Phases[len(d.Phases)-1] != "design" || len(d.Canonical) != 85 {
		t.Errorf("%+v", d)
	}
}

func TestF74_Refusals(t *testing.T) {
	for text, want := range map[string]string{
		"extends: all":                          "c:2: extends is neither",
		"folder: ../x":                          "c:2: ../x is not a folder below",
		"folder: /tmp":                          "c:2: /tmp is not",
		"folder: .":                             "c:2: . is not",
		"folder: a/../../b":                     "c:2: a/../../b is not",
		"folder: a\\b":                          "is not a folder",
		"folder: .git/x":                        "c:2: .git/x is in a folder that has another purpose",
		"folder: .BATON/tasks":                  "another purpose",
		"folder: sub/.git":                      "another purpose",
		"folder: [a]":                           "c:2: folder is not a text",
		"folder: /":                             "is not a folder",
		"folder: a/.Devt/state":                 "another purpose",
		"types: [dev]":                          "c:2: dev is known already",
		"types: [a b]":                          "a b is not one word",
		"types: []":                             "types is empty",
		"phases: 3":                             "phases is not a list",
		"canonical: [{name: a.md, schema: {}}]": "a.md is not a JSON file",
		"canonical:\n  - name: a.json\n    schema:\n      format: x":               "c:5: the schema of a.json: the keyword",
		"canonical: [{name: a.md, evict: now}]":                                    "evict is neither",
		"canonical: [{name: a.md, evict: [x]}]":                                    "evict is neither",
		"canonical: [{name: a.md, evict: session, exempt: true}]":                  "never evicted",
		"patterns: [{pattern: '^zz-.*$', evict: workflow}]":                        "evict is not session",
		"inputs: [{name: a.md}]":                                                   "a.md is not a JSON file",
		"inputs: [{name: review.json}]":                                            "review.json is declared already",
		"folders: [{name: a/b}]":                                                   "a slash",
		"folders: [{name: notes}]":                                                 "notes is declared already",
		"leftovers: [{pattern: '^.*$'}]":                                           "the pattern matches",
		"leftovers: [{pattern: '^review-x.*$'}]\ncanonical: [{name: review-x.md}]": "is allowed already",
		"canonical: [{name: mine.q}]\nleftovers: [{pattern: '^.*\\.q$'}]":          "the pattern matches mine.q",
		"extends: none\nleftovers: [{pattern: '^w.*l$'}]":                          "the pattern matches workflow.yaml",
	} {
		_, err := Declared().Extend("c", []byte("version: 1\n"+text+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) || report.CodeOf(err) != report.CodeContractInvalid {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The built-in contract must not change when it is extended.
func TestF74_ExtendingChangesNothingElse(t *testing.T) {
	c := Declared()
	for range 2 {
		_, err := c.Extend("c", []byte("version: 1\ncanonical: [{name: a.json, evict: workflow, schema: true}]\n"+
			"leftovers: [{pattern: '^.*\\.bak$'}]\n"))
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(c.EvictionList(statedir.EvictList)) != len(Declared().EvictionList(statedir.EvictList)) ||
		len(c.Ephemerals()) != len(Declared().Ephemerals()) || len(c.Schemas()) != len(Declared().Schemas()) {
		t.Error("the declared contract changed")
	}
}

// Every key with a value of every wrong kind is refused or means nothing, and never a panic.
func TestF74_OddValues(t *testing.T) {
	odd := []string{
		"", "null", "1", "1.5", "true", "x", "[]", "{}", "[1]", "[null]", "[[]]", "[{}]", "{a: b}", "[{name: 1}]",
		"[{name: [a]}]",
	}
	for _, key := range []string{
		"extends", "folder", "types", "phases", "tiers", "canonical", "inputs", "folders", "patterns", "leftovers", "sidecars",
		"exempt", "retention",
	} {
		for _, value := range odd {
			_, err := Declared().Extend("c", []byte("version: 1\n"+key+": "+value+"\n"))
			if err != nil && report.CodeOf(err) != report.CodeContractInvalid {
				t.Errorf("%s: %s: %v", key, value, err)
			}
		}
	}
	keys := []string{"writer", "purpose", "statuses", "schema", "exempt", "evict", "required", "recommended", "stale_days", "status"}
	for _, key := range keys {
		for _, value := range odd {
			for _, list := range []string{
				"canonical: [{name: zz.json", "inputs: [{name: zz.json", "folders: [{name: zz", "patterns: [{pattern: '^zz$'",
				"leftovers: [{pattern: '^zz$'", "sidecars: [{markdown: zz.md, json: zz.json",
			} {
				_, err := Declared().Extend("c", []byte("version: 1\n"+list+", "+key+": "+value+"}]\n"))
				if err != nil && report.CodeOf(err) != report.CodeContractInvalid {
					t.Errorf("%s, %s: %s: %v", list, key, value, err)
				}
			}
		}
	}
}

// A file from somebody else does not take all memory or time: every command and the guard read it.
func TestF74_AHugeContractIsRefused(t *testing.T) {
	t.Parallel()
	head := "version: 1\nextends: none\n"
	for name, text := range map[string]string{
		"patterns":  head + "patterns:\n" + strings.Repeat("  - {pattern: '^a.{900}$', purpose: p}\n", 200),
		"leftovers": head + "leftovers:\n" + strings.Repeat("  - {pattern: '^a.{900}$', purpose: p}\n", 200),
		"schema": head + "canonical:\n  - name: x.json\n    schema: {anyOf: [" +
			strings.Repeat("{pattern: '.{900}'}, ", 200) + "true]}\n",
		"size": head + "# " + strings.Repeat("x", 1<<20) + "\n",
	} {
		_, err := Declared().Extend("contract.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), "large") {
			t.Errorf("%s: %v", name, err)
		}
	}
	var many strings.Builder
	many.WriteString(head + "patterns:\n")
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		for _, d := range "abcdefghijklmnopqrstuvwxyz" {
			many.WriteString("  - {pattern: '^" + string(c) + string(d) + "[a-z]{1,900}$', purpose: p}\n")
		}
	}
	if _, err := Declared().Extend("contract.yaml", []byte(many.String())); err == nil ||
		!strings.Contains(err.Error(), "too large together") {
		t.Errorf("many patterns: %v", err)
	}
}
