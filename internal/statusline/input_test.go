package statusline

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/jsontext"
)

func percent(f float64) *float64 { return &f }

// TestInputOfEveryAgent: a value that is missing, null or of another type affects no other value (agents.md 6).
func TestInputOfEveryAgent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       Input
	}{
		{"empty", "", Input{}},
		{"broken", `{"model": `, Input{Broken: true}},
		{"broken behind", `{"session_id":"s"} x`, Input{Broken: true}},
		{"no object", `[1,2]`, Input{}},
		{"null", `null`, Input{}},
		{"no UTF-8", "\xff\xfe", Input{Broken: true}},
		{
			"complete",
			`{"session_id":"s","cwd":"/a","model":{"id":"x-1","display_name":"X"},"workspace":{"current_dir":"/b","added_dirs":[]},` +
				`"context_window":{"context_window_size":1000000,"total_tokens":9,"current_usage":{"input_tokens":1,"output_tokens":2,` +
				`"cache_creation_input_tokens":3,"cache_read_input_tokens":4},"used_percentage":7,"remaining_percentage":93}}`,
			Input{
				Session: "s", Model: "X", Dir: "/b", Remaining: percent(93), Left: "93", Used: percent(7),
				Window: 1_000_000, Total: 9, Tokens: 10,
			},
		},
		{
			"before the first answer",
			`{"cwd":"/a","context_window":{"current_usage":null,"used_percentage":null,"remaining_percentage":null}}`,
			Input{Dir: "/a"},
		},
		{
			"usage as a number", `{"context_window":{"current_usage":1234,"remaining_percentage":50}}`,
			Input{Remaining: percent(50), Left: "50", Tokens: 1234},
		},
		{
			"Qwen Code 0.24.4, as it was sent", `{"session_id":"dca0eaad","version":"0.24.4","model":{"display_name":"mock-model"},` +
				`"context_window":{"context_window_size":200000,"used_percentage":25,"remaining_percentage":75,"current_usage":50000,` +
				`"total_input_tokens":50000,"total_output_tokens":20},"workspace":{"current_dir":"/p"},"git":{"branch":"main"},` +
				`"metrics":{"models":{"mock-model":{"api":{"total_requests":1,"total_errors":0,"total_latency_ms":3385},` +
				`"tokens":{"prompt":50000,"completion":20,"total":50020,"cached":0,"thoughts":0}}},` +
				`"files":{"total_lines_added":0,"total_lines_removed":0}}}`,
			Input{
				Session: "dca0eaad", Model: "mock-model", Dir: "/p", Remaining: percent(75), Left: "75", Used: percent(25), Window: 200_000,
				Tokens: 50_000,
			},
		},
		{
			"Qwen Code does not know the model", `{"context_window":{"context_window_size":0,"used_percentage":0,` +
				`"remaining_percentage":100,"current_usage":50000}}`,
			Input{Tokens: 50_000},
		},
		{
			"usage as a text", `{"context_window":{"current_usage":"lots","remaining_percentage":50,"total_tokens":"200000"}}`,
			Input{Remaining: percent(50), Left: "50", Total: 200_000},
		},
		{"used alone", `{"context_window":{"used_percentage":30}}`, Input{Remaining: percent(70), Used: percent(30)}},
		{"model as a text", `{"model":"qwen-3"}`, Input{Model: "qwen-3"}},
		{"model with an id only", `{"model":{"id":"m-1"}}`, Input{Model: "m-1"}},
		{
			"wrong types",
			`{"session_id":7,"model":[],"workspace":"x","cwd":"/a","context_window":{"remaining_percentage":"low",` +
				`"context_window_size":"big","current_usage":{"input_tokens":"1","output_tokens":5}}}`,
			Input{
				Dir: "/a", Tokens: 5,
			},
		},
		{
			"huge numbers", `{"cwd":"/a","context_window":{"context_window_size":1e300,"current_usage":-5,"remaining_percentage":1e999}}`,
			Input{Dir: "/a", Window: 1e12},
		},
	} {
		if diff := cmp.Diff(c.want, Parse([]byte(c.text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestScalarsAgreeWithTheLibrary: scalars accepts and decodes JSON exactly as encoding/json does.
func TestScalarsAgreeWithTheLibrary(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"{", "}", "[", "]", ":", ",", `"a"`, `"b"`, `"\u00e9\n"`, `"\ud83d\ude00"`, `"\ud83d x"`, `"\ude00\ud83d"`, `"\x"`, `"\"`, `"\u12"`,
		"1", "-0", "01",
		"1.5e+3", "1.", "-", "1e", "true", "nul", "null", " ", "\n", "\x01", `"` + "\x01" + `"`, "{}", `{"a":1}`, `,"b":[{"c":"d"}]`,
		`{"a":"x","a":"y"}`,
	}
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "pieces"), ""))
		if rapid.Bool().Draw(t, "object") {
			data = []byte(`{"a":` + string(data) + "}")
		}
		got := map[string]string{}
		whole := scalars(data, func(path string, value jsontext.Node) { got[path] = text(value, data) })
		want := map[string]any{}
		if isObject := json.Valid(data) && strings.HasPrefix(strings.TrimLeft(string(data), " \n"), "{"); whole != isObject {
			t.Fatalf("%q is an object: %v, the library says %v", data, whole, isObject)
		}
		if json.Unmarshal(data, &want) != nil { // this includes numbers that are too large
			return
		}
		for key, value := range want {
			if value, ok := value.(string); ok && got[key] != value {
				t.Fatalf("%q: %s is %q, the library says %q", data, key, got[key], value)
			}
		}
	})
}

func TestInputNestedTooDeeply(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":`, 1_000_000)
	if diff := cmp.Diff(Input{Broken: true}, Parse([]byte(deep))); diff != "" {
		t.Error(diff)
	}
	lists := `{"cwd":"/a","b":` + strings.Repeat("[", 50) + strings.Repeat("]", 50) + "}"
	if got := Parse([]byte(lists)); got.Dir != "/a" {
		t.Errorf("%+v", got)
	}
}

// FuzzStatusline checks that any input and any files give exactly one line without control characters.
func FuzzStatusline(f *testing.F) {
	f.Add(`{"model":{"display_name":"Opus (1M context)"},"cwd":"/a","context_window":{"remaining_percentage":40}}`,
		"---\nstatus: x\nprogress:\n  percent: 40\n---\nPhase: 1 of 2 (N)\n", "main", 20, true)
	f.Add("{", "---\nnext_phases: [\n", "\x1b[31m", 0, false)
	f.Add(`{"context_window":{"current_usage":5,"remaining_percentage":-1}}`, "## Active Specification\n\nSPEC-1 \x07\n\n**Status:** r\n",
		"a\nb", 1, true)
	f.Fuzz(func(t *testing.T, input, digest, branch string, columns int, plain bool) {
		in := Parse([]byte(input))
		state := gsd.ReadHead([]byte(digest))
		state.Lift([]byte(digest))
		facts := Facts{Dir: branch, Branch: branch, Digest: Own, Tasks: true, State: &state, Task: &Task{ID: "7", Title: digest}}
		if id, status, more, ok := specflow.FirstActive([]byte(digest)); ok {
			facts.Spec = &Spec{id, status, more}
		}
		for _, format := range []string{"full", "compact"} {
			line := Line(in, facts, Options{Format: format, Columns: columns, Plain: plain, NoColor: true, Tokens: true})
			if strings.TrimSpace(line) == "" || !utf8.ValidString(line) || strings.ContainsFunc(line, unicode.IsControl) {
				t.Fatalf("%q", line)
			}
			colored := Line(in, facts, Options{Format: format, Columns: columns, Plain: plain, Tokens: true})
			if plain && colored != line || !plain && withoutColors(colored) != line {
				t.Fatalf("%q is not %q with colours", colored, line)
			}
		}
		Describe(in, facts, Options{})
	})
}

// withoutColors removes the colour sequences, which the line may contain.
func withoutColors(line string) string {
	for _, code := range []string{"0", bold, dim, green, yellow, cyan, orange, alarm} {
		line = strings.ReplaceAll(line, "\x1b["+code+"m", "")
	}
	return line
}

func BenchmarkStatusline(b *testing.B) {
	digest := []byte("---\nmilestone: v1.2\nmilestone_name: Tide Tables\nstatus: executing\nprogress:\n  total_phases: 5\n  percent: " +
		"44\n---\n\n# T\n\nPhase: 3 of 5 (Gauge feed)\n" + strings.Repeat("- a decision\n", 10_000))
	input := []byte(
		`{"session_id":"s","cwd":"/a","model":{"display_name":"Opus"},"workspace":{"current_dir":"/b"},` +
			`"context_window":{"context_window_size":1000000,"current_usage":{"input_tokens":1},"remaining_percentage":93}}`,
	)
	b.ReportAllocs()
	for b.Loop() {
		in := Parse(input)
		state := gsd.ReadHead(digest[:64<<10])
		state.Lift(digest)
		Line(in, Facts{Dir: "shop", Digest: GSD, State: &state}, Options{Columns: 120})
	}
}
