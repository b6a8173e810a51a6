package statedir

import (
	"strconv"

	"baton/internal/report"
)

// Limits of slugs (5.15).
const (
	maxSlug  = 32          // bytes
	slugStem = 29          // bytes of a slug, with room for "_2" to "_99"
	noSlug   = "ungrouped" // for a title without ASCII letters and digits
)

// LaneSlug returns the slug of a lane's title (5.15): lower-case ASCII letters and digits, with one
// _ for each run of other characters between them, at most 32 bytes. If the title has no such
// characters, the slug is "ungrouped".
func LaneSlug(title string) string {
	slug := make([]byte, 0, maxSlug)
	gap := false
	for i := 0; i < len(title) && len(slug) < maxSlug; i++ {
		b := title[i]
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		if (b < 'a' || b > 'z') && (b < '0' || b > '9') {
			gap = len(slug) > 0
			continue
		}
		if gap {
			slug = append(slug, '_')
			gap = false
		}
		if len(slug) < maxSlug {
			slug = append(slug, b)
		}
	}
	if len(slug) == 0 {
		return noSlug
	}
	return string(slug)
}

// LaneSlugs returns the slugs of several titles. taken maps slugs that already have a file to their
// titles, or to "" if the title is unknown. Errors: Conflict slug_taken if two different titles
// have the same slug; the hint and the detail "free" give a free one (SD-D17).
func LaneSlugs(titles []string, taken map[string]string) ([]string, error) {
	owners := make(map[string]string, len(taken)+len(titles))
	for slug, title := range taken {
		owners[slug] = title
	}
	slugs := make([]string, len(titles))
	for i, title := range titles {
		slug := LaneSlug(title)
		if owner, ok := owners[slug]; ok && (owner != title || title == "") {
			return nil, slugTaken(title, owner, slug, freeSlug(slug, titles, owners))
		}
		owners[slug] = title
		slugs[i] = slug
	}
	return slugs, nil
}

// freeSlug returns a similar slug that is not in use and that no other title will get.
func freeSlug(slug string, titles []string, owners map[string]string) string {
	used := make(map[string]bool, len(titles))
	for _, t := range titles {
		used[LaneSlug(t)] = true
	}
	stem := slug[:min(len(slug), slugStem)]
	for n := 2; ; n++ {
		tail := "_" + strconv.Itoa(n)
		free := stem[:min(len(stem), maxSlug-len(tail))] + tail
		if _, ok := owners[free]; !ok && !used[free] {
			return free
		}
	}
}

func slugTaken(title, owner, slug, free string) error {
	message := Say("the titles %s and %s both have the slug ", owner, title) + slug
	if owner == "" {
		message = Say("the slug of the title %s belongs to another lane: ", title) + slug
	}
	return &report.Error{
		Op: "dir.slug", Kind: report.Conflict, Code: report.CodeSlugTaken, Message: message,
		Hint:    "give one of them a different title, or use the slug " + free,
		Details: map[string]any{"slug": slug, "free": free},
	}
}
