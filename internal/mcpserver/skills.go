package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/agentconfig"
	"baton/internal/frontmatter"
	"baton/internal/safetext"
)

// skillsExtension is the extension by which clients find skills on a server (agents.md 7.1). What
// is offered is the one skill that `baton init` writes into a project, for clients of which nobody
// set up the folder.
const skillsExtension = "io.modelcontextprotocol/skills"

type skillsParams struct {
	mcp.ParamsBase
	URI string `json:"uri,omitempty"`
}

func (p *skillsParams) uri() string {
	if p == nil {
		return ""
	}
	return p.URI
}

// skill is one skill: what its file says of itself, and all its files with their digests.
type skill struct {
	URI         string            `json:"uri"`
	Frontmatter map[string]string `json:"frontmatter"`
	Resources   []skillPart       `json:"resources"`
}

type skillPart struct {
	URI      string `json:"uri"`
	Name     string `json:"name"`
	MIMEType string `json:"mimeType"`
	Digest   string `json:"digest"` // "sha256:" and 64 hexadecimal digits, of the bytes that a read gives
	Size     int    `json:"size"`   // in bytes
}

// skillsResult is the answer of both methods. The library does not know them, so it is told here
// that the answer is whole, and how long clients may keep it.
type skillsResult struct {
	mcp.ResultBase
	mcp.Cacheable
	ResultType string  `json:"resultType"`
	Skills     []skill `json:"skills,omitempty"`
	Skill      *skill  `json:"skill,omitempty"`
}

func newSkillsResult() *skillsResult {
	return &skillsResult{Cacheable: mcp.Cacheable{TTLMs: fresh, CacheScope: "public"}, ResultType: "complete"}
}

// addSkills offers the skill. Its file itself is a resource.
func (s *server) addSkills() {
	// The only error of adding a method is a name that the library has for its own.
	_ = mcp.AddReceivingCustomMethod(
		s.mcp, "skills/list", func(context.Context, *mcp.ServerSession, *skillsParams) (*skillsResult, error) {
			r := newSkillsResult()
			r.Skills = []skill{ownSkill()}
			return r, nil
		},
	)
	_ = mcp.AddReceivingCustomMethod(
		s.mcp, "skills/get", func(_ context.Context, _ *mcp.ServerSession, p *skillsParams) (*skillsResult, error) {
			if p.uri() != skillURI {
				return nil, mcp.ResourceNotFoundError(safetext.Line(safetext.Runes(p.uri(), 200)))
			}
			r, own := newSkillsResult(), ownSkill()
			r.Skill = &own
			return r, nil
		},
	)
}

func ownSkill() skill {
	text := agentconfig.Skill()
	digest := sha256.Sum256([]byte(text))
	return skill{
		URI: skillURI, Frontmatter: frontmatterOf(text),
		Resources: []skillPart{{URI: skillURI, Name: "SKILL.md", MIMEType: markdownType, Digest: "sha256:" +
			hex.EncodeToString(digest[:]), Size: len(text)}},
	}
}

// frontmatterOf reads the head of our own skill, whose values are texts.
func frontmatterOf(text string) map[string]string {
	out := map[string]string{}
	block, _ := frontmatter.Find([]byte(text))
	head, err := frontmatter.ParseYAML(block.Body.Of([]byte(text)))
	if err != nil {
		return out // a test reads the text with the same functions
	}
	for _, e := range head {
		out[e.Key] = e.Text
	}
	return out
}
