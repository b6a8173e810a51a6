package find

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/store"
	"baton/internal/workspace"
)

// MemoryRequest is one call of the memory tool (agents.md 11). Paths are those that the model
// writes, below /memories.
type MemoryRequest struct {
	Command    string `json:"command" required:"true" enum:"view,create,str_replace,insert,delete,rename"`
	Path       string `json:"path,omitempty" doc:"below /memories"`
	ViewRange  []int  `json:"view_range,omitempty" doc:"first and last line; -1 is the end"`
	FileText   string `json:"file_text,omitempty"`
	OldStr     string `json:"old_str,omitempty"`
	NewStr     string `json:"new_str,omitempty"`
	InsertLine int    `json:"insert_line,omitempty" doc:"0 is the beginning"`
	InsertText string `json:"insert_text,omitempty"`
	OldPath    string `json:"old_path,omitempty"`
	NewPath    string `json:"new_path,omitempty"`
}

// MemoryResult is the answer in the wording that models know.
type MemoryResult struct {
	Text string `json:"text"`
}

// The folder of the memory tool, and the archive for files that a model deletes: they are moved,
// not deleted.
const (
	memoryDir     = ".baton/memory"
	memoryArchive = ".baton/archive/memory"
)

// Memory answers one call of the memory tool over .baton/memory/. It never leaves the project,
// whatever is approved. It fails with Violation memory_error, in the tool's own wording, for what
// the tool calls an error; with Usage for an unknown command; and with Refused if the system
// refuses.
func (p Find) Memory(ctx context.Context, r MemoryRequest) (MemoryResult, error) {
	defer p.Confine()()
	text, err := p.memory(ctx, r)
	var fault protocol.MemoryFault
	if errors.As(err, &fault) {
		return MemoryResult{},
			&report.Error{Op: "memory", Kind: report.Violation, Code: report.CodeMemoryError, Message: string(fault)}
	}
	return MemoryResult{Text: text}, err
}

func (p Find) memory(ctx context.Context, r MemoryRequest) (string, error) {
	from := r.Path
	if r.Command == "rename" {
		from = r.OldPath
	}
	name, err := protocol.MemoryPath(from)
	if err != nil {
		return "", err
	}
	m := memory{p: p.Workspace, ctx: ctx, r: r, path: from, name: name}
	switch r.Command {
	case "view":
		return m.view()
	case "create":
		return m.create()
	case "str_replace":
		return m.edit(protocol.MemoryMissing, "Error: ", func(data []byte) ([]byte, string, error) {
			return protocol.MemoryReplace(m.path, data, r.OldStr, r.NewStr)
		})
	case "insert":
		return m.edit(m.gone, "", func(data []byte) ([]byte, string, error) {
			after, err := protocol.MemoryInsert(data, r.InsertLine, r.InsertText)
			return after, "The file " + m.path + " has been edited.", err
		})
	case "delete":
		return m.delete()
	case "rename":
		return m.rename()
	}
	return "", &report.Error{
		Op: "memory", Kind: report.Usage, Code: report.CodeMemoryCommand, Message: "the memory tool has no command " +
			safetext.Quote(r.Command),
		Hint: "use view, create, str_replace, insert, delete or rename",
	}
}

// memory is one call of the tool.
type memory struct {
	p    *workspace.Workspace
	ctx  context.Context
	r    MemoryRequest
	path string // as the model wrote it
	name string // below the folder, "" for the folder itself
}

func (m memory) gone(path string) error {
	return protocol.MemoryFault("Error: The path " + path + " does not exist")
}

// document returns the name of a file below the root.
func (m memory) document() string { return path.Join(memoryDir, m.name) }

// item finds an entry without following links. A link counts as missing, because it may lead
// anywhere.
func (m memory) item(r store.Reader, name string) (store.Item, bool, error) {
	dir, base := path.Split(path.Join(memoryDir, name))
	at := ""
	for segment := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") { // every parent must be a folder
		if at != "" {
			found, err := find(m.ctx, r, at, segment)
			if err != nil || found == nil || !found.Mode.IsDir() {
				return store.Item{}, false, err
			}
		}
		at = path.Join(at, segment)
	}
	found, err := find(m.ctx, r, at, base)
	if err != nil || found == nil || !found.Mode.IsDir() && !found.Mode.IsRegular() {
		return store.Item{}, false, err
	}
	return *found, true, nil
}

func find(ctx context.Context, r store.Reader, dir, base string) (*store.Item, error) {
	folder, err := r.Scan(ctx, dir)
	if err != nil || folder.Outside {
		return nil, err
	}
	for i := range folder.Items {
		if folder.Items[i].Name == base {
			return &folder.Items[i], nil
		}
	}
	return nil, nil
}

func (m memory) view() (string, error) {
	item, ok, err := m.item(m.p.Store, m.name)
	if err != nil {
		return "", err
	}
	switch {
	case m.name == "" && !ok:
		return protocol.MemoryListing(m.path, []protocol.MemoryEntry{{Path: protocol.MemoryRoot}}), nil
	case !ok:
		return "", protocol.MemoryMissing(m.path)
	case item.Mode.IsDir():
		var list []protocol.MemoryEntry
		size, _, err := m.walk(m.p.Store, m.name, 0, &list)
		if err != nil {
			return "", err
		}
		self := protocol.MemoryEntry{Path: path.Join(protocol.MemoryRoot, m.name), Size: size}
		return protocol.MemoryListing(m.path, append([]protocol.MemoryEntry{self}, list...)), nil
	}
	doc, err := m.p.Store.Read(m.ctx, m.document())
	if err != nil {
		return "", err
	}
	return protocol.MemoryFile(m.path, doc.Data, m.r.ViewRange)
}

// mostMemoryDepth limits how deep folders are read.
const mostMemoryDepth = 16

// walk lists a folder two levels deep. It returns the bytes and the number of all files in it.
func (m memory) walk(
	r store.Reader, name string, depth int, list *[]protocol.MemoryEntry,
) (size int64, files int, err error) {
	folder, err := r.Scan(m.ctx, path.Join(memoryDir, name))
	if err != nil || folder.Outside || depth > mostMemoryDepth {
		return 0, 0, err
	}
	sorting.By(folder.Items, func(a, b store.Item) int { return strings.Compare(a.Name, b.Name) })
	for _, item := range folder.Items {
		below := path.Join(name, item.Name)
		if _, err := protocol.MemoryPath(protocol.MemoryRoot + "/" + below); err != nil || item.Name == "node_modules" {
			continue
		}
		entry := protocol.MemoryEntry{Path: protocol.MemoryRoot + "/" + below, Size: item.Size}
		at := len(*list)
		if depth < 2 && (item.Mode.IsDir() || item.Mode.IsRegular()) {
			*list = append(*list, entry)
		}
		switch {
		case item.Mode.IsRegular():
			size, files = size+item.Size, files+1
		case item.Mode.IsDir():
			inner, n, err := m.walk(r, below, depth+1, list)
			if err != nil {
				return 0, 0, err
			}
			if depth < 2 {
				(*list)[at].Size = inner
			}
			size, files = size+inner, files+n
		}
	}
	return size, files, nil
}

// allowed refuses content that must not be stored: a file that is too large, or one that contains a
// credential.
func (m memory) allowed(data []byte) error {
	if len(data) > protocol.MemoryFileSize {
		return protocol.MemoryFault(fmt.Sprintf(
			"Error: A memory file holds at most %d bytes, and this would have %d", protocol.MemoryFileSize, len(data),
		))
	}
	if kind, found := protocol.Secret(string(data)); found {
		return protocol.MemoryFault("Error: The text holds what looks like " + kind +
			"; secrets are not kept in memory")
	}
	return workspace.UnsafeError(m.document(), data)
}

func (m memory) create() (string, error) {
	if m.name == "" {
		return "", protocol.MemoryFault("Error: File " + m.path + " already exists")
	}
	if err := m.allowed([]byte(m.r.FileText)); err != nil {
		return "", err
	}
	_, err := m.p.Update(m.ctx, func(c *workspace.Change) error {
		if _, there, err := m.item(c.Reader, m.name); err != nil {
			return err
		} else if there {
			return protocol.MemoryFault("Error: File " + m.path + " already exists")
		}
		_, files, err := m.walk(c.Reader, "", 0, &[]protocol.MemoryEntry{})
		if err != nil {
			return err
		}
		if files >= protocol.MemoryFiles {
			return protocol.MemoryFault(
				fmt.Sprintf("Error: The memory holds %d files, which is the most; delete or join some", files),
			)
		}
		c.Tx.Create(m.document(), []byte(m.r.FileText))
		return nil
	})
	if report.CodeOf(err) == report.CodeExists { // somebody created it after this call looked
		err = protocol.MemoryFault("Error: File " + m.path + " already exists")
	}
	return "File created successfully at: " + m.path, err
}

// edit changes a file. missing words the error for a missing file, and prefix precedes it.
func (m memory) edit(
	missing func(string) error, prefix string, splice func([]byte) ([]byte, string, error),
) (answer string, err error) {
	_, err = m.p.Update(m.ctx, func(c *workspace.Change) error {
		item, ok, err := m.item(c.Reader, m.name)
		if err != nil {
			return err
		}
		if m.name == "" || !ok || !item.Mode.IsRegular() {
			return protocol.MemoryFault(prefix + missing(m.path).Error())
		}
		doc, err := c.Tx.Read(m.document())
		if err != nil {
			return err
		}
		after, said, err := splice(doc.Data)
		if err != nil {
			return err
		}
		if err := m.allowed(after); err != nil {
			return err
		}
		answer = said
		c.Tx.Write(m.document(), after)
		return nil
	})
	return answer, err
}

// delete moves the entry to the archive of the memory, so that nothing is lost.
func (m memory) delete() (string, error) {
	if m.name == "" {
		return "", protocol.MemoryFault("Error: The folder " + protocol.MemoryRoot + " itself cannot be deleted")
	}
	var done *workspace.Change
	_, err := m.p.Update(m.ctx, func(c *workspace.Change) error {
		item, ok, err := m.item(c.Reader, m.name)
		if err != nil {
			return err
		}
		if !ok {
			return m.gone(m.path)
		}
		done = c
		dir, base := path.Split(m.document())
		c.Tx.Relocate(store.Relocation{
			From: path.Clean(
				dir,
			), To: path.Join(memoryArchive, c.Now.UTC().Format("20060102-150405.000000000")), Name: base, Seen: item,
		})
		return nil
	})
	return "Successfully deleted " + m.path, moved(err, done, m.path)
}

// moved returns why an entry could not be moved, or nil.
func moved(err error, done *workspace.Change, path string) error {
	if err != nil || done == nil {
		return err
	}
	for _, o := range done.Outcomes {
		if o.State != store.Moved {
			return protocol.MemoryFault("Error: " + path + " could not be moved: " + o.State)
		}
	}
	return nil
}

func (m memory) rename() (string, error) {
	to, err := protocol.MemoryPath(m.r.NewPath)
	if err != nil {
		return "", err
	}
	if m.name == "" || to == "" {
		return "", protocol.MemoryFault("Error: The folder " + protocol.MemoryRoot + " itself cannot be renamed")
	}
	if strings.HasPrefix(to+"/", m.name+"/") && to != m.name {
		return "", protocol.MemoryFault("Error: " + m.r.NewPath + " is inside " + m.path + " itself")
	}
	var done *workspace.Change
	_, err = m.p.Update(m.ctx, func(c *workspace.Change) error {
		done = c
		item, ok, err := m.item(c.Reader, m.name)
		if err != nil {
			return err
		}
		if !ok {
			return m.gone(m.path)
		}
		if _, taken, err := m.item(c.Reader, to); err != nil {
			return err
		} else if taken {
			return protocol.MemoryFault("Error: The destination " + m.r.NewPath + " already exists")
		}
		dir, base := path.Split(m.document())
		newDir, newBase := path.Split(path.Join(memoryDir, to))
		c.Tx.Relocate(
			store.Relocation{From: path.Clean(dir), To: path.Clean(newDir), Name: base, NewName: newBase, Seen: item},
		)
		return nil
	})
	return "Successfully renamed " + m.path + " to " + m.r.NewPath, moved(err, done, m.path)
}
