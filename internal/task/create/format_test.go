package create_test

import (
	"testing"

	"baton/internal/report"
	"baton/internal/task/create"
	"baton/internal/task/tasktest"
)

// A title must be a text, and an id a whole number or a text. All other types are refused (D20, D21).
func TestD21_TitlesAndIDsOfOtherKinds(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, in, code string }{
		{"number as title", `{"title": 7}`, "value_invalid"},
		{"list as title", `{"title": ["a"]}`, "value_invalid"},
		{"truth as title", `{"title": true}`, "value_invalid"},
		{"no title", `{"title": null}`, "title_missing"},
		{"fraction", `{"title": "T", "id": 1.5}`, "id_invalid"},
		{"exponent", `{"title": "T", "id": 1e3}`, "id_invalid"},
		{"negative", `{"title": "T", "id": -1}`, "id_invalid"},
		{"truth as id", `{"title": "T", "id": true}`, "id_invalid"},
		{"object as id", `{"title": "T", "id": {"a": 1}}`, "id_invalid"},
		{"list as id", `{"title": "T", "id": [1]}`, "id_invalid"},
		{"16 digits", `{"title": "T", "id": 1234567890123456}`, "id_invalid"},
		{"truth as dependency", `{"title": "T", "dependencies": [false]}`, "id_invalid"},
		{"whole number", `{"title": "T", "id": 7, "dependencies": ["PROJ-1", 5]}`, ""},
		{"text", `{"title": "T", "id": "PROJ-7", "dependencies": 5}`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := create.Parse([]byte(c.in))
			if c.code == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			tasktest.WantError(t, err, report.Usage, report.Code(c.code))
		})
	}
}
