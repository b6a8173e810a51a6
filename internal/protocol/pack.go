package protocol

// Limit limits a text that is put into a model's context. Zero fields set no limit. Characters are
// counted as clients count them, in UTF-16 code units, of which a text has at least as many as
// characters.
type Limit struct {
	Tokens     int // estimated
	Target     int // characters that it should not exceed
	Characters int // characters that it must not exceed
}

// Part is one part of a pack.
type Part struct {
	Name       string `json:"name"`
	Form       string `json:"form"` // full, brief or left_out
	Characters int    `json:"characters"`
	Tokens     int    `json:"tokens"`
	Why        string `json:"why,omitempty"`
}

// LeftOut is a part for which a pack has no room, and the command that prints it.
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

// Score rates how well a new session is oriented.
type Score struct {
	Points  int      `json:"points"` // 0 to 100
	Reasons []Reason `json:"reasons"`
}

// Reason is one item of a score.
type Reason struct {
	Points int    `json:"points"` // points that were given
	Of     int    `json:"of"`
	Text   string `json:"text"`
	Hint   string `json:"hint,omitempty"`
}

// Options select the protocol's variant.
type Options struct {
	Setting  string            // full or lean (specflux.md 5.16)
	Phase    string            // one phase, or "" for all
	Words    string            // "criterion" or "feature"
	Override map[string]string // text by which a project replaces a phase of baton's, or adds to all phases under Also
	Task     string            // id in the form that commands accept; "" writes ID
	Path     string            // path of the task file, or "" if there is no task; with NoTasks, path of the digest
	NoTasks  bool              // the project has a digest or a state folder but no tasks
	Digest   string            // KindNone, KindSpecflow, or "" for a digest with all commands
}
