package loss

import (
	"path"
	"path/filepath"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/ledger"
	"baton/internal/task"
	"baton/internal/workspace"
)

// freshDocument gives a document of a kind that holds nothing yet. What it was called is not known: the ledger has entries only.
func (p Loss) freshDocument(name string, known []ledger.Entry) []byte {
	kind, project := workspace.DocKind(name), filepath.Base(p.Root)
	switch kind {
	case workspace.DocTask:
		id, _ := task.IDOfFile(path.Base(name))
		return task.New(task.NewTask{ID: id, Title: "Restored from what was lost", Dialect: dialectOf(known), Now: p.Env.Now()})
	case workspace.DocTaskArchive:
		id, _ := workspace.ArchiveID(path.Base(name))
		return []byte(task.ArchiveTitle(id) + "\n")
	case workspace.DocArchive:
		return []byte(decision.NewArchive(workspace.DigestForm(workspace.DocLayout(name))))
	case workspace.DocStateArchive:
		return []byte(stateArchiveHead)
	case workspace.LayoutSpecflow:
		return specflow.New(p.Env.Now(), project)
	case workspace.LayoutGSD:
		return gsd.New(gsd.Planning, p.Env.Now(), project)
	case workspace.LayoutBaton:
		return gsd.New(gsd.Own, p.Env.Now(), project)
	}
	return nil
}

// stateArchiveHead begins a STATE-ARCHIVE.md.
const stateArchiveHead = "# STATE Archive\n\nWhat left STATE.md. Nothing here is loaded by default; nothing is removed either.\n\n"

// dialectOf tells the family of a task file by the headings of its entries.
func dialectOf(known []ledger.Entry) task.Dialect {
	for i := range known {
		switch level, name := headingName(known[i].Section); {
		case level == 2 && name == "feature checklist", level == 2 && name == "progress log" && strings.Contains(known[i].Section, "4."):
			return task.V1C
		}
	}
	return task.V2
}

// withRoom gives a task file the sections that what comes back needs. Digests get theirs with the first entry.
func withRoom(name string, data []byte, known []ledger.Entry, wanted []int) []byte {
	id, ok := task.IDOfFile(path.Base(name))
	if workspace.DocKind(name) != workspace.DocTask || !ok {
		return data
	}
	var sessions, boxes, features, output bool
	for _, at := range wanted {
		e := &known[at]
		sessions = sessions || e.Kind == ledger.Session
		output = output || e.Kind == ledger.Output
		features = features || e.Kind == ledger.Criterion && shapeOf(e) == asObject
		boxes = boxes || e.Kind == ledger.Criterion && shapeOf(e) != asObject
	}
	state := task.Parse(id, data).Room(sessions, boxes, features, output)
	if _, _, readable := state.FeaturePlace(); features && !readable {
		state = state.Room(false, true, false, false)
	}
	return state.Bytes()
}

// recounted brings the counters of a task file in step with what it holds; other documents have none.
func recounted(name string, data []byte) []byte {
	id, ok := task.IDOfFile(path.Base(name))
	if workspace.DocKind(name) != workspace.DocTask || !ok {
		return data
	}
	return task.Parse(id, data).Recount().Bytes()
}
