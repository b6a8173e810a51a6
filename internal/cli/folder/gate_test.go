package folder

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/usecase/folder"
)

// hostileNames are names of files that a stranger may have committed.
var hostileNames = []string{
	"a\n::error::x", "b\r::stop-commands::y", "c%0A::x", "e,line=3", "f\x1b[31mred", "\xff\xfe.md", "h\u202erev", "i\u2028ls",
	"\u009b31m", " lead", "k:l?m#n", "x::y",
}

func hostileFlaws() []flaw {
	audit := folder.DirAudit{Folder: ".baton/work", Buckets: map[statedir.Bucket][]folder.AuditEntry{}}
	for _, name := range hostileNames {
		var e folder.AuditEntry
		e.Name, e.NameBytes = statedir.ShownName(name)
		audit.Buckets[statedir.AdHoc] = append(audit.Buckets[statedir.AdHoc], e)
	}
	audit.Findings = []report.Finding{report.CodeNameOnFolder.Finding(".baton/work/\x1b", 3, "50% of\r\n::error::this\x1b[0m")}
	return auditFlaws(audit)
}

// TestF73_AnnotationsOfHostileNames: a name is neither a command of its own nor an escape sequence.
func TestF73_AnnotationsOfHostileNames(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	g := gate{format: "github"}
	if err := g.print(&app.App{Env: report.Env{Stdout: &out}}, hostileFlaws()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(hostileNames)+1 {
		t.Fatalf("%d lines:\n%s", len(lines), out.String())
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "::error file=.baton/work/") && !strings.HasPrefix(line, "::warning file=.baton/work/") ||
			strings.ContainsAny(line, "\x1b\r\u202e\u2028\u009b") || !utf8.ValidString(line) {
			t.Errorf("%q", line)
		}
	}
	for _, want := range []string{
		"file=.baton/work/a%0A%3A%3Aerror%3A%3Ax,", "file=.baton/work/c%250A%3A%3Ax,", "file=.baton/work/e%2Cline=3,",
		`file=.baton/work/\xFF\xFE.md,`, ",line=3,title=name_on_folder::50%25 of%0D%0A::error::this",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("without %q:\n%s", want, out.String())
		}
	}
}

// TestF73_SARIFOfHostileNames checks what the schema of SARIF 2.1.0 says about the parts that baton writes.
func TestF73_SARIFOfHostileNames(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	g := gate{format: "sarif"}
	if err := g.print(&app.App{Env: report.Env{Stdout: &out}}, hostileFlaws()); err != nil {
		t.Fatal(err)
	}
	var rules jsonschema.Schema
	if err := json.Unmarshal([]byte(sarifRules), &rules); err != nil {
		t.Fatal(err)
	}
	resolved, err := rules.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var log any
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(log); err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		`".baton/work/%FF%FE.md"`, `".baton/work/a%0A%3A%3Aerror%3A%3Ax"`, `".baton/work/f%1B%5B31mred"`, `".baton/work/k%3Al%3Fm%23n"`,
	} {
		if !strings.Contains(out.String(), `"uri": `+want) {
			t.Errorf("without %s:\n%s", want, out.String())
		}
	}
}

const sarifRules = `{
  "type": "object", "required": ["version", "runs"], "additionalProperties": false,
  "properties": {
    "version": {"const": "2.1.0"}, "$schema": {"type": "string", "pattern": "^https://"},
    "runs": {"type": "array", "minItems": 1, "items": {
      "type": "object", "required": ["tool", "results"], "additionalProperties": false,
      "properties": {
        "tool": {"type": "object", "required": ["driver"], "properties": {
          "driver": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "minLength": 1}}}
        }},
        "results": {"type": "array", "minItems": 1, "items": {
          "type": "object", "required": ["message", "ruleId"], "additionalProperties": false,
          "properties": {
            "ruleId": {"type": "string", "minLength": 1}, "level": {"enum": ["none", "note", "warning", "error"]},
            "message": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}},
            "locations": {"type": "array", "items": {"type": "object", "properties": {"physicalLocation": {
              "type": "object", "required": ["artifactLocation"], "additionalProperties": false,
              "properties": {
                "artifactLocation": {"type": "object", "properties": {
                  "uri": {"type": "string", "pattern": "^([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$"}
                }},
                "region": {"type": "object", "properties": {"startLine": {"type": "integer", "minimum": 1}}}
              }
            }}}}
          }
        }}
      }
    }}
  }
}`
