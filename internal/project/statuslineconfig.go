package project

import (
	"bytes"
	"encoding/json"
	"path/filepath"

	"baton/internal/statusline"
)

// lineConfig is what the settings say about the line.
type lineConfig struct {
	options statusline.Options
	digest  string // layout.digest
	sensor  bool
}

// configured reads GSD's settings, and baton's over them.
func (g *glance) configured() lineConfig {
	var c lineConfig
	if g.gsd != "" {
		c.gsd(g.whole(g.gsd, mostPlanningConfig))
	}
	// YAML is parsed only for a file that may say something about the line. A file that is wrong anywhere is ignored
	// as a whole (D27).
	data := g.whole(filepath.Join(g.root, filepath.FromSlash(configName)), mostConfig)
	if bytes.Contains(data, []byte("statusline")) || g.several() && bytes.Contains(data, []byte("digest")) {
		if conf := readConfig(g.root); conf.fault() == nil {
			c.baton(&conf)
		}
	}
	return c
}

// several tells whether the configuration may have to choose a digest.
func (g *glance) several() bool {
	n := 0
	for _, name := range [...]string{g.state, g.own, g.specflow} {
		if name != "" {
			n++
		}
	}
	return n > 1
}

// planningLine are the settings of 1.10 in .planning/config.json, flat or nested. Values of another type count as absent.
type planningLine struct {
	Tokens   any `json:"show_context_tokens"`
	Position any `json:"context_position"`
	Format   any `json:"state_format"`
}

// gsd takes in .planning/config.json.
func (c *lineConfig) gsd(data []byte) {
	if !bytes.Contains(data, []byte("statusline")) {
		return
	}
	var file struct {
		Nested   planningLine `json:"statusline"`
		Tokens   any          `json:"statusline.show_context_tokens"`
		Position any          `json:"statusline.context_position"`
		Format   any          `json:"statusline.state_format"`
	}
	if json.Valid(data) {
		_ = json.Unmarshal(data, &file) // another type somewhere leaves the rest in place
	}
	for _, s := range [...]planningLine{file.Nested, {file.Tokens, file.Position, file.Format}} {
		if on, ok := s.Tokens.(bool); ok {
			c.options.Tokens = on
		}
		if where, ok := s.Position.(string); ok {
			c.options.Front = where == "front"
		}
		if format, ok := s.Format.(string); ok {
			c.options.Format = format
		}
	}
}

// baton takes in .baton/config.yaml: what it says goes before what GSD's settings say.
func (c *lineConfig) baton(conf *config) {
	c.digest = conf.text("layout.digest")
	c.sensor, _ = conf.value("statusline.sensor").(bool)
	o := &c.options
	o.Segments, _ = conf.value("statusline.segments").([]string)
	o.Scale = statusline.Scale(conf.text("statusline.scale"))
	if conf.given("statusline.state_format") {
		o.Format = conf.text("statusline.state_format")
	}
	if conf.given("statusline.context_position") {
		o.Front = conf.text("statusline.context_position") == "front"
	}
	if conf.given("statusline.show_context_tokens") {
		o.Tokens, _ = conf.value("statusline.show_context_tokens").(bool)
	}
}
