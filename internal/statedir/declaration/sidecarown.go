package declaration

import (
	"strconv"

	"baton/internal/jsontext"
	jsonschema "baton/internal/jsontext/schema"
	"baton/internal/report"
	"baton/internal/statedir"
)

// own checks a file against the schema that the project wrote for it (F-74).
func (k *jsonCheck) own(s *jsonschema.Schema, text jsontext.Node) {
	reasons := map[jsonschema.Reason]report.Code{
		jsonschema.NotAllowed: report.CodeInvalidValue, jsonschema.WrongType: report.CodeWrongKind,
		jsonschema.Missing: report.CodeMissingRequiredField,
	}
	for _, f := range s.Check(k.src, text) {
		line, _ := place(k.src, f.At.Span.Start)
		p := statedir.Problem{
			Reason: reasons[f.Reason], Severity: statedir.Wrong, Pointer: statedir.CutText(f.Pointer), Line: line,
			Allowed: f.Allowed,
		}
		what, actual := statedir.PlainName(p.Pointer), ""
		if what == "" {
			what = "the value"
		}
		if f.Reason != jsonschema.Missing {
			actual = cutValue(f.At, k.src)
			if f.At.Kind == '"' {
				actual = statedir.CutText(f.At.ValidText(k.src))
			}
			p.Actual = statedir.Quotable(actual)
		}
		says := statedir.PlainName(statedir.CutText(f.What))
		if len(f.Allowed) > 0 && f.At.Kind == '"' {
			says = "is " + statedir.QuoteText(actual)
		}
		k.add(p, ":"+strconv.Itoa(line)+": "+what+" "+says+
			statedir.AllowedText(actual, f.Allowed))
	}
}
