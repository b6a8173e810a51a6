package workspace

import (
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"strings"
)

// planningConfig is the part of .planning/config.json that baton needs. baton only reads that file.
type planningConfig struct {
	SubRepos  []string `json:"sub_repos"`
	MultiRepo bool     `json:"multiRepo"`
	Planning  struct {
		SubRepos []string `json:"sub_repos"`
	} `json:"planning"`
}

// MostPlanningConfig is the largest size of GSD's configuration, in bytes.
const MostPlanningConfig = 1 << 20

// readPlanningConfig reads GSD's configuration below a root. A broken one counts as none.
func readPlanningConfig(root string) planningConfig {
	var c planningConfig
	_ = json.Unmarshal(ReadFileLimited(filepath.Join(root, ".planning", "config.json"), MostPlanningConfig), &c)
	return c
}

// PlanningDir returns the planning folder below a root: .planning, or the folder in it of the
// project and the workstream (gsd.md 1.0). A name that leads elsewhere counts as none. A stored
// pointer is never removed (N1).
func PlanningDir(root string, getenv func(string) string) string {
	dir := ".planning"
	if name := getenv("GSD_PROJECT"); name != "" && !leadsAway(name) {
		dir += "/" + name
	}
	if name := Workstream(root, getenv); name != "" {
		dir += "/workstreams/" + name
	}
	return dir
}

// Workstream returns the chosen workstream: that of the environment, or else the stored one, or "".
// Only a stored one is known to exist.
func Workstream(root string, getenv func(string) string) string {
	name := strings.TrimSpace(getenv("GSD_WORKSTREAM"))
	if name == "" {
		return storedWorkstream(root, getenv)
	}
	if !workstreamName(name) {
		return ""
	}
	return name
}

func leadsAway(name string) bool {
	return strings.ContainsAny(name, `/\:`) || strings.Contains(name, "..") || name == "."
}

// storedWorkstream reads GSD's pointer: that of the terminal or agent session if one is known, or
// else the project's. It counts only if the workstream exists.
func storedWorkstream(root string, getenv func(string) string) string {
	pointer := filepath.Join(root, ".planning", "active-workstream")
	if key := sessionKey(getenv); key != "" {
		sum := sha1.Sum([]byte(Real(filepath.Join(root, ".planning"))))
		pointer = filepath.Join(tempFolder(getenv), "gsd-workstream-sessions", hex.EncodeToString(sum[:])[:16], key)
	}
	name := strings.TrimSpace(string(ReadFileLimited(pointer, 1<<10)))
	if !workstreamName(name) || !IsDir(filepath.Join(root, ".planning", "workstreams", name)) {
		return ""
	}
	return name
}

// workstreamName reports whether a word can name a workstream: it has letters, digits, "-", "_" and
// ".", but not "..".
func workstreamName(name string) bool {
	for i := range len(name) {
		c := name[i]
		word := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !word && (i == 0 || c != '-' && c != '_' && c != '.') {
			return false
		}
	}
	return name != "" && !strings.Contains(name, "..")
}

// sessionKey returns the name of the pointer file of the terminal or agent session in the
// environment, or "".
func sessionKey(getenv func(string) string) string {
	variables := [...]string{
		"GSD_SESSION_KEY", "CODEX_THREAD_ID", "CLAUDE_SESSION_ID", "CLAUDE_CODE_SSE_PORT", "OPENCODE_SESSION_ID",
		"GEMINI_SESSION_ID", "CURSOR_SESSION_ID", "WINDSURF_SESSION_ID", "TERM_SESSION_ID", "WT_SESSION", "TMUX_PANE",
		"ZELLIJ_SESSION_NAME",
	}
	for _, name := range variables {
		if value := getenv(name); value != "" {
			if token := fileToken(value); token != "" {
				return strings.ReplaceAll(strings.ToLower(name), "_", "-") + "-" + token
			}
		}
	}
	for _, name := range [...]string{"TTY", "SSH_TTY"} {
		if value := getenv(name); value != "" {
			if token := fileToken(value); token != "" {
				return "tty-" + token
			}
		}
	}
	return ""
}

// fileToken turns a value into a file name of at most 160 characters. Characters other than
// letters, digits, ".", "_" and "-" become "_".
func fileToken(value string) string {
	token := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '.' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, value)
	token = strings.Trim(token, "_")
	return token[:min(len(token), 160)]
}

// tempFolder returns the folder of the user's temporary files.
func tempFolder(getenv func(string) string) string {
	for _, name := range [...]string{"TMPDIR", "TEMP", "TMP"} {
		if dir := getenv(name); dir != "" {
			return dir
		}
	}
	return "/tmp"
}
