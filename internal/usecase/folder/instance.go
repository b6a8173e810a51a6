package folder

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/statedir/record"
	"baton/internal/store"
	"baton/internal/store/foreign"
	"baton/internal/workspace"
)

// InstanceVariable is the environment variable with the instance of a session (5.12).
const InstanceVariable = "DEVT_WORKFLOW_ID"

// intoInstance moves on to the folder of the requested instance (5.12).
func (p Folder) intoInstance(op string, r DirRequest, place *workspace.FolderPlace) error {
	id, source := r.Instance, "--instance"
	if id == "" {
		id, source = p.Env.Getenv(InstanceVariable), InstanceVariable
	}
	if id == "" && !slices.Contains(p.Env.Environ, InstanceVariable+"=") {
		return nil
	}
	message, hint := safetext.Quote(id)+" ("+source+") cannot be the id of an instance", ""
	switch {
	case id == "": // an empty variable is a mistake and does not mean the project's folder
		message = InstanceVariable + " is empty, so it names no instance"
		hint = "unset it to use the project's own folder, or set it to the id of an instance"
	case !workspace.IsInstanceID(id):
		hint = "use at most 64 letters, digits, - and _"
	case place.Contract.Classify(id, true, false).Bucket == statedir.Canonical, place.Contract.Classify(id, false,
		false).Bucket == statedir.Canonical:
		hint = "the contract uses that name for something else; choose another one"
	}
	if hint != "" {
		return &report.Error{Op: op, Kind: report.Usage, Code: report.CodeInstanceInvalid, Message: message, Hint: hint}
	}
	place.Instance = id
	place.Dir += "/" + id
	return p.noInstanceLink(op, place)
}

// instances knows which subfolders of a state folder belong to instances.
type instances struct {
	ids map[string]bool // registered ids
	any bool            // the register cannot be read, so every folder with a valid id may be an instance's
}

// registered reads the register of instances. The register may be a link to a folder of the
// project.
func registered(ctx context.Context, r store.Reader, place workspace.FolderPlace, items []store.Item) (instances,
	error,
) {
	i := slices.IndexFunc(items, func(item store.Item) bool { return item.Name == statedir.InstancesName })
	if i < 0 {
		return instances{}, nil
	}
	if !isFolder(items[i]) {
		return instances{any: true}, nil
	}
	register, err := r.Scan(ctx, place.In(statedir.InstancesName))
	if err != nil {
		return instances{}, err
	}
	ids := make(map[string]bool, len(register.Items))
	for _, one := range register.Items {
		if id, ok := strings.CutSuffix(one.Name, ".json"); ok {
			ids[id] = true
		}
	}
	return instances{ids: ids}, nil
}

// isFolder reports whether an item is a folder, or a link to a folder in the project.
func isFolder(item store.Item) bool {
	return item.Mode.IsDir() || item.Link != nil && item.Link.Fault == "" && item.Link.Mode.IsDir()
}

// isInstance reports whether a folder, or a link to one, belongs to an instance (5.12). It does if
// it is registered, or if it contains entries that only a state folder has. A folder that cannot be
// read counts too, because it may be somebody's work.
func (v *FolderView) isInstance(ctx context.Context, r store.Reader, item store.Item, known instances) bool {
	switch {
	case !workspace.IsInstanceID(item.Name), v.place.Contract.Classify(item.Name, true,
		false).Bucket == statedir.Canonical:
		return false
	case !isFolder(item) && (item.Link == nil || item.Link.Fault != "outside"):
		return false
	case known.any, known.ids[item.Name]:
		return true
	}
	for _, name := range [...]string{record.FileName, statedir.LockName, statedir.ArchiveName} {
		found, err := r.Head(ctx, v.place.In(item.Name)+"/"+name, 0)
		if found.Exists || err != nil &&
			report.CodeOf(err) != report.CodeNotDirectory { // the link may lead to a file outside
			return true
		}
	}
	return false
}

// registerEntry is an instance's entry in the register.
type registerEntry struct {
	ID         string  `json:"wf_id"`
	CreatedAt  string  `json:"created_at"`
	LastActive string  `json:"last_active"`
	Tag        *string `json:"tag"`
}

// register adds the instance to the register with its first write, in the same transaction. A
// change that writes nothing registers nothing. If the register is not a folder, nothing is added;
// then every folder with a valid id counts as an instance's.
func (p Folder) register(ctx context.Context, c *workspace.Change, place workspace.FolderPlace) error {
	if place.Instance == "" || len(c.Tx.Changes())+len(c.Tx.Relocations()) == 0 {
		return nil
	}
	home := place.Home()
	found, err := c.Reader.Scan(ctx, home.Dir)
	if err != nil {
		return folderFault(err, home)
	}
	known, err := registered(ctx, c.Reader, home, found.Items)
	if err != nil || known.any || known.ids[place.Instance] {
		return err
	}
	now := c.Now.UTC().Format(record.MomentForm)
	entry, err := json.MarshalIndent(registerEntry{ID: place.Instance, CreatedAt: now, LastActive: now}, "", "  ")
	if err == nil {
		c.Tx.Create(home.In(statedir.InstancesName)+"/"+place.Instance+".json", entry)
	}
	return err
}

// viewIn is ViewFolder within a change. It leaves out the lock file that the change itself holds,
// so that a real sweep sees the same entries as its dry run. It also leaves out temporary files of
// that lock, because the store removes them.
func (p Folder) viewIn(ctx context.Context, c *workspace.Change, place workspace.FolderPlace) (*FolderView, error) {
	v, err := p.ViewFolder(ctx, c.Reader, place, c.Now)
	if err != nil {
		return nil, err
	}
	v.facts.Entries = slices.DeleteFunc(v.facts.Entries, func(e statedir.Entry) bool { return ofLock(e) })
	if c.Dry {
		return v, nil
	}
	if item, here := v.items[statedir.LockName]; here && item.Mode.IsRegular() {
		held, err := c.Reader.Head(ctx, place.In(statedir.LockName), mostPID)
		if err == nil && string(held.Data) == strconv.Itoa(p.Env.PID) {
			delete(v.items, statedir.LockName)
			v.facts.Entries = slices.DeleteFunc(v.facts.Entries, func(e statedir.Entry) bool {
				return e.Name == statedir.LockName
			})
		}
	}
	return v, nil
}

// ofLock reports whether a file is a temporary one that the store creates while it takes the
// folder's lock. It exists for a moment, or is left after a crash.
func ofLock(e statedir.Entry) bool {
	_, is := foreign.LockTemporary(statedir.LockName, e.Name)
	return is && e.Kind == statedir.File && e.Size <= foreign.MaxLock
}

// mostPID is longer than the digits of any process id.
const mostPID = 24
