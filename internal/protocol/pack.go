package protocol

// Limit bounds a text that is put into a model's context. Zero fields do not bind. Characters are
// counted as clients count them, in UTF-16 code units, of which there are never fewer than
// characters.
type Limit struct {
	Tokens     int // estimated
	Target     int // characters that it should not exceed
	Characters int // characters that it never exceeds
}

// Part is one part of a pack.
type Part struct {
	Name       string `json:"name"`
	Form       string `json:"form"` // full, brief, or left_out
	Characters int    `json:"characters"`
	Tokens     int    `json:"tokens"`
	Why        string `json:"why,omitempty"`
}

// LeftOut is what a pack has no room for, and how to get it.
type LeftOut struct {
	Name       string `json:"name"`
	Characters int    `json:"characters"`
	Command    string `json:"command"`
}

// Packed is a text within its limit.
type Packed struct {
	Text   string
	Parts  []Part
	Left   []LeftOut
	Tokens int
}

// Score rates how well a fresh session is oriented.
type Score struct {
	Points  int      `json:"points"` // 0 to 100
	Reasons []Reason `json:"reasons"`
}

// Reason is one thing that a score counts.
type Reason struct {
	Points int    `json:"points"` // given
	Of     int    `json:"of"`
	Text   string `json:"text"`
	Hint   string `json:"hint,omitempty"`
}

// Options say which protocol is meant.
type Options struct {
	Setting  string            // full or lean (specflux.md 5.16)
	Phase    string            // one phase, "" all
	Words    string            // "criterion" or "feature"
	Override map[string]string // text of a phase that a project put in the place of baton's, and of Also
	Task     string            // id as commands take it, "" writes ID
	Path     string            // of the task's state file, or "" if no task is meant; with NoTasks of the digest
	NoTasks  bool              // the project keeps a digest or a state folder and no tasks
	Digest   string            // KindNone or KindSpecflow, "" for a digest with all commands
}
