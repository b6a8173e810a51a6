package project

import (
	"path"
	"path/filepath"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/ledger"
	"baton/internal/task"
)

// freshDocument gives a document of a kind that holds nothing yet. What it was called is not known: the ledger has entries only.
func (p *Project) freshDocument(name string, known []ledger.Entry) []byte {
	kind, project := docKind(name), filepath.Base(p.root)
	switch kind {
	case docTask:
		id, _ := task.IDOfFile(path.Base(name))
		return task.New(task.NewTask{ID: id, Title: "Restored from what was lost", Dialect: dialectOf(known), Now: p.env.Now()})
	case docTaskArchive:
		id, _ := archiveID(path.Base(name))
		return []byte(task.ArchiveTitle(id) + "\n")
	case docArchive:
		return []byte(decision.NewArchive(digestForm(docLayout(name))))
	case docStateArchive:
		return []byte(stateArchiveHead)
	case layoutSpecflow:
		return specflow.New(p.env.Now(), project)
	case layoutGSD:
		return gsd.New(gsd.Planning, p.env.Now(), project)
	case layoutBaton:
		return gsd.New(gsd.Own, p.env.Now(), project)
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
	if docKind(name) != docTask || !ok {
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
	if docKind(name) != docTask || !ok {
		return data
	}
	return task.Parse(id, data).Recount().Bytes()
}
