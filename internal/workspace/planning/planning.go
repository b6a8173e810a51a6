// Package planning finds what GSD keeps below .planning: its configuration, and the folder of the
// project and workstream that the environment or a stored pointer chooses (gsd.md 1.0).
package planning

import (
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
)

// Config is the part of .planning/config.json that baton needs. Only "config set" writes
// that file.
type Config struct {
	SubRepos  []string `json:"sub_repos"`
	MultiRepo bool     `json:"multiRepo"`
	Planning  struct {
		SubRepos []string `json:"sub_repos"`
	} `json:"planning"`
}

// MostConfig is the largest size of GSD's configuration, in bytes.
const MostConfig = 1 << 20

// Read reads GSD's configuration below a root. A broken one counts as none.
func Read(root string) Config {
	var c Config
	_ = json.Unmarshal(ReadFile(filepath.Join(root, ".planning", "config.json"), MostConfig), &c)
	return c
}

// Dir returns the planning folder below a root: .planning, or the folder in it of the
// project and the workstream (gsd.md 1.0). A name that leads elsewhere counts as none. A stored
// pointer is never removed (N1).
func Dir(root string, getenv func(string) string) string {
	dir := ".planning"
	if name := getenv("GSD_PROJECT"); name != "" && !leadsAway(name) {
		dir += "/" + name
	}
	if name := Workstream(root, getenv); name != "" {
		dir += "/workstreams/" + name
	}
	return dir
}

// mostWorkstreams is the most folders of workstreams that Dirs returns.
const mostWorkstreams = 100

// Dirs returns all folders below a root in which GSD keeps a digest: .planning and those of its
// workstreams, in the order of their names, as slash paths. A project's first digest moves to a
// workstream when the project gets its second one.
func Dirs(root string) []string {
	dirs := []string{".planning"}
	streams, err := os.ReadDir(filepath.Join(root, ".planning", "workstreams"))
	if err != nil {
		return dirs
	}
	for _, entry := range streams[:min(len(streams), mostWorkstreams)] {
		if entry.IsDir() && workstreamName(entry.Name()) {
			dirs = append(dirs, ".planning/workstreams/"+entry.Name())
		}
	}
	return dirs
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

// Misnamed refuses a project or a workstream that cannot exist, as GSD does (gsd.md 1.0). Without
// the name, a command would change another digest.
func Misnamed(op string, getenv func(string) string) error {
	name := "GSD_PROJECT"
	if !leadsAway(getenv(name)) {
		name = "GSD_WORKSTREAM"
		if stream := strings.TrimSpace(getenv(name)); stream == "" || workstreamName(stream) {
			return nil
		}
	}
	return &report.Error{
		Op: op, Kind: report.Usage, Code: report.CodeNameInvalid,
		Message: name + " is " + safetext.Quote(getenv(name)) + ", which leads to no folder of .planning",
		Hint:    "correct the variable, or unset it",
	}
}

func leadsAway(name string) bool {
	return strings.ContainsAny(name, `/\:`) || strings.Contains(name, "..") || name == "."
}

// storedWorkstream reads GSD's pointer: that of the terminal or agent session if one is known, or
// else the project's. It counts only if the workstream exists.
func storedWorkstream(root string, getenv func(string) string) string {
	pointer := filepath.Join(root, ".planning", "active-workstream")
	if key := sessionKey(getenv); key != "" {
		sum := sha1.Sum([]byte(real(filepath.Join(root, ".planning"))))
		pointer = filepath.Join(TempFolder(getenv), "gsd-workstream-sessions", hex.EncodeToString(sum[:])[:16], key)
	}
	name := strings.TrimSpace(string(ReadFile(pointer, 1<<10)))
	if !workstreamName(name) || !isDir(filepath.Join(root, ".planning", "workstreams", name)) {
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

// TempFolder returns the folder for temporary files as Node chooses it, because GSD looks there.
func TempFolder(getenv func(string) string) string {
	names := []string{"TMPDIR", "TMP", "TEMP"}
	if runtime.GOOS == "windows" {
		names = []string{"TEMP", "TMP"}
	}
	for _, name := range names {
		if dir := getenv(name); dir != "" {
			return dir
		}
	}
	return os.TempDir()
}

// ClaudeFolder returns the user's folder of Claude Code, in which GSD is installed. It is "" if the
// home directory is unknown and no variable names the folder.
func ClaudeFolder(getenv func(string) string, home string) string {
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" || home == "" {
		return dir
	}
	return filepath.Join(home, ".claude")
}

// ReadFile reads a small file of another program. An unreadable or larger file counts as
// empty.
func ReadFile(path string, limit int64) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return data
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// real resolves links; a path that does not exist is returned unchanged.
func real(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}
