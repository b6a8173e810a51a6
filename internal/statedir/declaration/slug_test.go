package declaration

import (
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/statedir"

	"pgregory.net/rapid"
)

func TestSlugsOfTheContract(t *testing.T) {
	t.Parallel()
	for _, x := range readFacts(t).Slugs {
		if got := statedir.LaneSlug(x[0]); got != x[1] {
			t.Errorf("%q: %s, want %s", x[0], got, x[1])
		}
	}
	for title, want := range map[string]string{
		"": "ungrouped", "___": "ungrouped", "_a_": "a", "A  B\tC": "a_b_c", "é": "ungrouped", "Café au lait": "caf_au_lait",
		"\xff\xfex":             "x",
		strings.Repeat("a", 40): strings.Repeat("a", 32), strings.Repeat("a", 31) + " b": strings.Repeat("a", 31) + "_",
		strings.Repeat("a", 32) + " ": strings.Repeat("a", 32), "\u212a": "ungrouped", "a_b": "a_b", "API/v2 (beta)": "api_v2_beta",
	} {
		if got := statedir.LaneSlug(title); got != want {
			t.Errorf("%q: %s, want %s", title, got, want)
		}
	}
}

// The slug of any title gives a name that the contract allows.
func TestEverySlugMakesAnAllowedName(t *testing.T) {
	t.Parallel()
	c := Declared()
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9 _./-]{0,50}`)).Draw(t, "title")
		slug := statedir.LaneSlug(title)
		if again := statedir.LaneSlug(slug); strings.Trim(slug, "_") != again || len(slug) > 32 {
			t.Fatalf("%q: %q, again %q", title, slug, again)
		}
		for _, ending := range []string{".md", ".json"} {
			if b := c.Classify("review-lane-"+slug+ending, false, false).Bucket; b != statedir.PatternAllowed {
				t.Fatalf("%q: %s%s is %s", title, slug, ending, b)
			}
		}
	})
}

func TestSD55_SDK14_SDD17_TwoTitlesWithOneSlugAreRefused(t *testing.T) {
	t.Parallel()
	same := strings.Repeat("a", 32)
	for _, x := range []struct {
		titles []string
		taken  map[string]string
		free   string
	}{
		{[]string{"API v1", "api-v1"}, nil, "api_v1_2"},
		{[]string{"API v1", "API v1 2", "api-v1"}, nil, "api_v1_3"},
		{[]string{"請求", "認証"}, nil, "ungrouped_2"},
		{[]string{same + "x", same + "y"}, nil, same[:29] + "_2"},
		{[]string{"Billing"}, map[string]string{"billing": "billing (old)"}, "billing_2"},
		{[]string{"Billing"}, map[string]string{"billing": ""}, "billing_2"},
		{[]string{"b", "B"}, map[string]string{"b_2": "other"}, "b_3"},
		{[]string{"2FA", "2-FA", "2fa"}, nil, "2fa_2"},
	} {
		_, err := statedir.LaneSlugs(x.titles, x.taken)
		e := report.As(err)
		if err == nil || e.Kind != report.Conflict || e.Code != "slug_taken" || e.Details["free"] != x.free ||
			!strings.Contains(e.Hint, x.free) {
			t.Errorf("%q: %+v, want %s", x.titles, e, x.free)
		}
	}
}

func TestSDD17_TheSameTitleAgainIsTheSameLane(t *testing.T) {
	t.Parallel()
	got, err := statedir.LaneSlugs([]string{"API v1", "Frontend", "API v1"}, map[string]string{"frontend": "Frontend", "other": "API"})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "slugs", got, []string{"api_v1", "frontend", "api_v1"})
	if none, err := statedir.LaneSlugs(nil, nil); err != nil || len(none) != 0 {
		t.Error(none, err)
	}
}

// There are more equal titles than two digits can number: the stem is shortened.
func TestAFreeSlugNeverGrowsTooLong(t *testing.T) {
	t.Parallel()
	title := strings.Repeat("a", 40)
	taken := map[string]string{statedir.LaneSlug(title): "another"}
	for range 200 {
		_, err := statedir.LaneSlugs([]string{title}, taken)
		free, _ := report.As(err).Details["free"].(string)
		if len(free) > 32 || statedir.LaneSlug(free) != free || taken[free] != "" {
			t.Fatalf("%q", free)
		}
		taken[free] = "another"
	}
}

func TestSlugMessagesAreTame(t *testing.T) {
	t.Parallel()
	_, err := statedir.LaneSlugs([]string{"\x1b[31m" + strings.Repeat("x", 5000), "31m" + strings.Repeat("x", 5000) + "\n"}, nil)
	e := report.As(err)
	if err == nil || strings.ContainsAny(e.Message, "\x1b\n") || len(e.Message) > 500 {
		t.Errorf("%q", e.Message)
	}
}
