package trust

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
)

// mostBytes is the largest file of approvals that is read.
const mostBytes = 4 << 20

// Approval is one line of the file.
type Approval struct {
	Setting

	Hash       string `json:"hash"` // only this decides; the rest is for people
	Repository string `json:"repository"`
	At         string `json:"at"` // RFC 3339, UTC
}

// Book is the file of approvals.
type Book struct {
	Folder string // of the user's configuration; "" if unknown, then nothing is approved
	Env    report.Env
	FS     disk.FS // nil means the disk
	Wait   time.Duration
}

// Path returns the path of the file.
func (b Book) Path() string { return filepath.Join(b.Folder, FileName) }

// Read returns the approvals. A file that is not there has none. A link, anything but a regular
// file, and a file that others may write are errors, because somebody else may have put them there.
func (b Book) Read() ([]Approval, error) {
	if b.Folder == "" {
		return nil, nil
	}
	c, err := disk.Read(b.fs(), b.Path(), disk.Whole, mostBytes)
	switch {
	case errors.Is(err, disk.ErrLink):
		return nil, b.refused("is a link")
	case err != nil:
		return nil, disk.Refused(err, b.Path(), "read")
	case c.Exists && runtime.GOOS != "windows" && c.Info.Mode.Perm()&0o022 != 0:
		return nil, b.refused("can be written by other users")
	}
	return parse(c.Data), nil
}

func (b Book) fs() disk.FS {
	if b.FS == nil {
		return disk.OS{}
	}
	return b.FS
}

func (b Book) refused(why string) error {
	return &report.Error{
		Op: "trust", Kind: report.Refused, Code: report.CodeTrustUnsafe, Path: b.Path(),
		Message: b.Path() + " " + why + ", so baton does not believe what it approves",
		Hint:    "make it a file that only you can write, or remove it and approve again with `baton trust`",
	}
}

// parse reads the lines that are approvals. A line that is not whole approves nothing.
func parse(data []byte) []Approval {
	var out []Approval
	for line := range bytes.Lines(data) {
		var a Approval
		if json.Unmarshal(line, &a) == nil && a.Hash != "" && a.Hash == a.Setting.Hash(a.Repository) {
			out = append(out, a)
		}
	}
	return out
}

// Approves reports whether a list has an approval for a setting of a repository.
func Approves(list []Approval, repository string, s Setting) bool {
	hash := s.Hash(repository)
	return slices.ContainsFunc(list, func(a Approval) bool { return a.Hash == hash })
}

// Add approves settings of a repository, and returns the number of new approvals.
func (b Book) Add(ctx context.Context, command, repository string, settings []Setting) (int, error) {
	added := 0
	err := b.change(ctx, command, func(list []Approval) []Approval {
		added = 0
		for _, s := range settings {
			if !Approves(list, repository, s) {
				list = append(list, Approval{
					Setting: s, Hash: s.Hash(repository), Repository: repository,
					At: b.Env.Now().UTC().Format(time.RFC3339),
				})
				added++
			}
		}
		return list
	})
	return added, err
}

// Remove takes back every approval of a repository, and returns them.
func (b Book) Remove(ctx context.Context, command, repository string) ([]Approval, error) {
	var removed []Approval
	err := b.change(ctx, command, func(list []Approval) []Approval {
		removed = nil
		return slices.DeleteFunc(list, func(a Approval) bool {
			if a.Repository == repository {
				removed = append(removed, a)
			}
			return a.Repository == repository
		})
	})
	return removed, err
}

// change rewrites the file under a lock of its own. The store replaces it as a whole, so a crash
// leaves the old or the new approvals.
func (b Book) change(ctx context.Context, command string, edit func([]Approval) []Approval) error {
	if b.Folder == "" {
		return &report.Error{
			Op: "trust", Kind: report.Refused, Code: report.CodeTrustUnsafe,
			Message: "there is no folder of your own configuration outside this project, so nothing can be approved",
			Hint:    "set HOME, or name a folder with XDG_CONFIG_HOME",
		}
	}
	if _, err := b.Read(); err != nil {
		return err
	}
	s := filestore.Open(filestore.Options{
		Root: b.Folder, Runtime: filepath.Join(b.Folder, "run", FileName), Command: command, Env: b.Env, FS: b.FS,
		Wait: b.Wait, Private: true,
	})
	_, err := s.Update(ctx, func(tx *store.Tx) error {
		doc, err := tx.Read(FileName)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		for _, a := range edit(parse(doc.Data)) {
			line, err := json.Marshal(a)
			if err != nil {
				return err
			}
			out.Write(append(line, '\n'))
		}
		if doc.Exists || out.Len() > 0 {
			tx.Write(FileName, out.Bytes())
		}
		return nil
	})
	return errors.Join(err, s.Close())
}
