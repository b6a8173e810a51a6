package mcpserver

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// agents.md 7.1: the extension for skills, in both eras: the skill, what it says of itself and the digest of what a read
// gives.
func TestSkills(t *testing.T) {
	t.Parallel()
	w := emptyWorld(t)
	for _, begin := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernMeta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
			`"clientInfo":{"name":"t","version":"1"}}}`,
	} {
		meta := ""
		if strings.Contains(begin, "discover") {
			meta = modernMeta
		}
		c := w.talk(Options{})
		c.say(begin)
		if r := c.hear(); at(r, "result", "capabilities", "extensions", skillsExtension) == nil {
			t.Fatalf("%v", r)
		}
		c.say(`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"` + skillURI + `"` + strings.TrimRight(","+meta, ",") +
			`}}`)
		read, _ := at(c.hear(), "result", "contents", 0, "text").(string)
		digest := sha256.Sum256([]byte(read))
		c.say(`{"jsonrpc":"2.0","id":3,"method":"skills/list","params":{` + meta + `}}`)
		r := c.hear()
		own := at(r, "result", "skills", 0)
		if at(r, "result", "resultType") != "complete" || at(r, "result", "cacheScope") != "public" ||
			at(own, "frontmatter", "name") != "baton" ||
			!strings.Contains(read, "description: "+fmt.Sprint(at(own, "frontmatter", "description"))+"\n") ||
			at(own, "resources", 0, "uri") != skillURI || at(own, "resources", 0, "size") != float64(len(read)) ||
			at(own, "resources", 0, "digest") != "sha256:"+hex.EncodeToString(digest[:]) {
			t.Errorf("%v", r)
		}
		c.say(`{"jsonrpc":"2.0","id":4,"method":"skills/get","params":{"uri":"` + skillURI + `"` + strings.TrimRight(","+meta, ",") + `}}`)
		if one := c.hear(); fmt.Sprint(at(one, "result", "skill")) != fmt.Sprint(own) {
			t.Errorf("%v", one)
		}
		c.say(`{"jsonrpc":"2.0","id":5,"method":"skills/get","params":{"uri":"skill://other/SKILL.md"` + strings.TrimRight(","+meta, ",") +
			`}}`)
		if r := c.hear(); at(r, "error", "code") != -32602.0 && at(r, "error", "code") != -32002.0 {
			t.Errorf("%v", r)
		}
		_ = c.in.Close()
		c.end()
	}
}
