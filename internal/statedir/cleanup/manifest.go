package cleanup

import (
	"bytes"
	"encoding/json"
	"time"

	"baton/internal/statedir"
	"baton/internal/statedir/record"
)

// Manifest lists the entries that a sweep moved into a snapshot (5.9).
type Manifest struct {
	Version      int             `json:"version"` // ManifestVersion
	Kind         statedir.Sweep  `json:"kind"`
	Moment       string          `json:"moment"` // RFC 3339 with milliseconds, UTC
	Folder       string          `json:"folder"` // relative to the project's root
	WorkflowID   string          `json:"workflow_id,omitempty"`
	WorkflowType string          `json:"workflow_type,omitempty"`
	Task         string          `json:"task,omitempty"`
	Phase        string          `json:"phase,omitempty"`
	Complete     bool            `json:"complete"` // false until the last entry was moved
	Entries      []ManifestEntry `json:"entries"`
}

// ManifestVersion is the version that this program writes.
const ManifestVersion = 1

// ManifestEntry is one entry of a manifest.
type ManifestEntry struct {
	Name      string          `json:"name"`                 // with invalid bytes shown as \xNN
	NameBytes []byte          `json:"name_bytes,omitempty"` // the exact bytes, only if the name is not UTF-8 (SD-D18)
	Kind      statedir.Kind   `json:"kind"`
	Size      int64           `json:"size"`
	ModTime   string          `json:"mtime"`          // RFC 3339 with nanoseconds, UTC
	Link      string          `json:"link,omitempty"` // text of a relative link, which is restored unchanged (SD-11)
	Bucket    statedir.Bucket `json:"bucket"`
	Reason    string          `json:"reason"`
	State     string          `json:"state"`
	Error     string          `json:"error,omitempty"`
}

// RawName returns the exact bytes of the name.
func (e ManifestEntry) RawName() string {
	if e.NameBytes != nil {
		return string(e.NameBytes)
	}
	return e.Name
}

// NewManifest returns the manifest of a plan, with the state planned for every entry. folder is the
// folder's path relative to the project's root; r is the record before the sweep, or nil; links has
// the texts of links by the bytes of their names.
func NewManifest(p Plan, folder string, now time.Time, r *record.Record, links map[string]string) Manifest {
	m := Manifest{
		Version: ManifestVersion, Kind: p.Sweep, Moment: record.MomentText(now), Folder: folder,
		Entries: make([]ManifestEntry, 0, len(p.Moves)),
	}
	if r != nil {
		m.WorkflowID, _ = statedir.ShownName(r.Text("workflow_id"))
		m.WorkflowType, _ = statedir.ShownName(r.Text("workflow_type"))
		m.Task, _ = statedir.ShownName(r.Text("task"))
		m.Phase, _ = statedir.ShownName(r.Text("phase"))
	}
	for _, move := range p.Moves {
		e := ManifestEntry{
			Kind: move.Entry.Kind, Size: move.Entry.Size, ModTime: move.Entry.ModTime.UTC().Format(time.RFC3339Nano),
			Bucket: move.Class.Bucket, Reason: move.Reason, State: StatePlanned,
		}
		e.Name, e.NameBytes = statedir.ShownName(move.Entry.Name)
		e.Link, _ = statedir.ShownName(links[move.Entry.Name])
		m.Entries = append(m.Entries, e)
	}
	return m
}

// Encode returns a manifest as JSON with a final line feed: the head is indented, and each entry is
// on a line of its own.
func (m Manifest) Encode() []byte {
	entries := m.Entries
	m.Entries = []ManifestEntry{}
	var b, line bytes.Buffer
	head, each := json.NewEncoder(&b), json.NewEncoder(&line)
	head.SetEscapeHTML(false)
	head.SetIndent("", "  ")
	each.SetEscapeHTML(false)
	_ = head.Encode(m) // texts and numbers can always be encoded, and a buffer never fails
	if len(entries) == 0 {
		return b.Bytes()
	}
	b.Truncate(b.Len() - len("]\n}\n"))
	for i, e := range entries {
		line.Reset()
		_ = each.Encode(e)
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		b.Write(bytes.TrimSuffix(line.Bytes(), []byte("\n")))
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes()
}
