package frontmatter

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"baton/internal/report"

	"go.yaml.in/yaml/v3"
)

// parse returns the root node of the only document in src, or nil if there is none. shift is the
// number of lines before src in its file.
func parse(src []byte, shift int, code report.Code) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(src))
	var doc, more yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		line, what := explain(err)
		if line > 0 {
			line += shift
		}
		return nil, invalid(code, line, what, "correct the YAML; a value that contains \": \" or \" #\" needs quotes")
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		line := max(more.Line, 1) + shift
		return nil, invalid(code, line, "a second document follows the first", "keep one document")
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// explain splits the library's message, "yaml: line 3: what is wrong", into line number and text.
func explain(err error) (line int, what string) {
	what = strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(what, "line "); ok {
		if number, tail, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(number); err == nil {
				return n, "the YAML is broken: " + tail
			}
		}
	}
	return 0, "the YAML is broken: " + what
}

// scalar returns the value of a scalar node. A value that does not fit its type, such as a number
// beyond 64 bits, stays text.
func scalar(n *yaml.Node) any {
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return b
		}
	case "!!int":
		var i int64
		if n.Decode(&i) == nil {
			return i
		}
	case "!!float":
		var f float64
		if n.Decode(&f) == nil {
			return f
		}
	}
	return n.Value
}
