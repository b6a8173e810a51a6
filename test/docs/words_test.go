package docs

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// stilted matches words and phrases that hide the meaning of a sentence. Plain ones are repair, again, anyone, expire,
// mention, be in, of baton, compute and take over.
var stilted = regexp.MustCompile(`(?i)\b(mend(s|ed|ing)?|anew|whoever|astray|laps(e|es|ed|ing)|(tells?|told) of|` +
	`stands? in|stood in|of baton's|for want of|reckon(s|ed|ing)?|goes over to|in vain|what an edit wiped|nobody's judgement|` +
	`as far as anything tells)\b`)

// sentences were on the README and other pages, and said too much at once.
var sentences = []string{
	"It is one small program that owns every mechanical change to the Markdown files of a project",
	"It keeps the folder that agents work in free of what nobody declared",
	"and those of GSD, SpecFlow and devt projects are edited where they are",
	"it calls `batond` for what serves coding agents. Keep the two side by side",
	"A contract says which names may be there; everything else, and what an earlier workflow left, moves to an archive",
	"Who stops without a hand-over is asked for one, once; a session that vanishes leaves a draft made from facts",
	"Nothing that was in the agent's settings is lost",
	"A claim lapses after 30 minutes without a write of its holder",
	"Whoever edits there meanwhile is told",
	"What moved to another document or to an archive is not lost, and neither is what has other words now",
	"Where one cannot be written, because the disk is full, say, the change is made all the same and says so",
	"In all other prose conflict markers remain where both sides wrote different sentences in one place",
	"goes over to the agent's session, which says so; a second session beside it takes nothing",
	"On standard input and output the server is gone two seconds after the end of its input",
}

// No page has one of these phrases outside code and what the program prints.
func TestF93_PlainWords(t *testing.T) {
	t.Parallel()
	inline := regexp.MustCompile("`[^`\n]*`")
	for _, name := range markdownPages(t) {
		page := inline.ReplaceAllString(outsideFences(readText(t, name)), "``")
		text := strings.Join(strings.Fields(page), " ")
		for _, at := range stilted.FindAllStringIndex(text, -1) {
			t.Errorf("%s has %q: …%s…", name, text[at[0]:at[1]], text[max(0, at[0]-60):min(len(text), at[1]+60)])
		}
		for _, sentence := range sentences {
			if strings.Contains(text, strings.ReplaceAll(sentence, "`batond`", "``")) {
				t.Errorf("%s still says: %s", name, sentence)
			}
		}
	}
	readme := strings.Join(strings.Fields(readText(t, filepath.Join(root, "README.md"))), " ")
	for _, sentence := range []string{
		"It is one small program that makes every routine edit to two kinds of Markdown files: " +
			"one per task, and one page that says where the project stands.",
		"You type `baton`. It starts `batond`", "`baton dir restore` brings it back", "baton drafts the note from commits and edited files",
		"A claim expires 30 minutes after its holder last changed anything",
	} {
		if !strings.Contains(strings.Replace(readme, "and a claim expires", "A claim expires", 1), sentence) {
			t.Errorf("the README does not say: %s", sentence)
		}
	}
}
