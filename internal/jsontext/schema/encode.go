package schema

import (
	"strconv"
	"strings"

	"baton/internal/frontmatter"
	"baton/internal/jsontext"
)

// JSON returns the schema in JSON, with the keywords in the order of the file.
func (s *Schema) JSON() string { return encoded(s.source) }

// encoded returns a value of the schema in JSON.
func encoded(value any) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case frontmatter.Number:
		return string(v)
	case string:
		return jsontext.Quote(v)
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = encoded(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	case frontmatter.Map:
		members := make([]string, len(v))
		for i, e := range v {
			members[i] = jsontext.Quote(e.Key) + ":" + encodedKeyword(e)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	return "null"
}

// encodedKeyword is encoded, except that the type null is a word in JSON.
func encodedKeyword(e frontmatter.Entry) string {
	if e.Key != "type" {
		return encoded(e.Value)
	}
	switch v := e.Value.(type) {
	case nil:
		return `"null"`
	case []any:
		words := make([]any, len(v))
		for i, w := range v {
			if words[i] = w; w == nil {
				words[i] = "null"
			}
		}
		return encoded(words)
	}
	return encoded(e.Value)
}
