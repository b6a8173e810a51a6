package guard

import (
	"bytes"
	"context"
	"path"
	"path/filepath"
	"strings"

	"baton/internal/agentsession"
	"baton/internal/task"
	"baton/internal/workspace"
)

// mostBytes is the largest text of a task file that is checked. No tool writes a larger one.
const mostBytes = 16 << 20

// taskDenial returns why a file of a task must not be edited like that, or "": it is an archive or
// has evidence, or the edit changes a part that only commands change.
func (p Guard) taskDenial(ctx context.Context, s spot, t Target) string {
	name, base := s.name, path.Base(s.name)
	id, ok := task.IDOfAnyFile(base)
	within, err := filepath.Rel(p.Root, s.root)
	if !ok || err != nil || !filepath.IsLocal(within) { // accepts the root, and a task's own worktree below it
		return ""
	}
	full := path.Join(filepath.ToSlash(within), name)
	shown, call := workspace.PlainWord(full, mostName), string(id)
	for _, d := range p.SearchDirs(id) {
		rest, below := cutFolder(name, d.Archive)
		switch archive := below && rest == base; {
		case archive && base == task.ArchiveName(id):
			return shown + " is the archive of task " + id.Ref() +
				". baton moves older sessions there and removes none. `baton task log " + call +
				"` adds a session, `baton task archive " + call + "` moves old ones, and `baton task archive " + call +
				" --show N` reads them back."
		case archive && base == task.EvidenceName(id):
			return shown +
				" records the runs of commands that prove criteria, and only baton adds runs to it. " +
				"Run the command yourself, then record it with `baton task check " + call +
				" CRITERION --evidence TEXT`."
		}
		if rest, below = cutFolder(name, d.Dir); below && rest == base && base == task.StateName(id) {
			return p.editDenial(ctx, id, full, t)
		}
	}
	return ""
}

// editDenial is taskDenial for the task's state file. It compares the file with what the edits make
// of it, and opens only that file.
func (p Guard) editDenial(ctx context.Context, id task.ID, name string, t Target) string {
	doc, err := p.Store.Read(ctx, name)
	if err != nil || !doc.Exists || doc.Size > mostBytes {
		return ""
	}
	before := task.Parse(id, doc.Data)
	now, what := doc.Data, ""
	for _, edit := range t.edits {
		switch {
		case edit.Delete:
			return workspace.PlainWord(name, mostName) + " contains the whole history of task " + id.Ref() +
				", which must not be deleted. `baton task cancel " +
				string(id) + " --reason TEXT` gives the task up, and `baton task delete " + string(id) +
				" --apply` also moves its file to the archive."
		case edit.Content == nil && edit.Old == "" && edit.New == "":
			if what = task.HandPatch(before, edit.Removed, edit.Added); what != "" {
				return fieldDenial(id, name, what, "")
			}
			continue
		}
		if now = edited(now, edit); now == nil || len(now) > mostBytes {
			return ""
		}
	}
	if bytes.Equal(now, doc.Data) {
		return ""
	}
	after := task.Parse(id, now)
	if what = task.HandEdit(before, after); what == "" {
		return ""
	}
	return fieldDenial(id, name, what, after.Meta.Status)
}

// edited returns a text after one edit, or nil if it becomes too large for a guard. The client
// itself refuses an edit whose old text does not occur. Some clients show a text with CRLF as if it
// had LF.
func edited(text []byte, edit agentsession.FileEdit) []byte {
	if edit.Content != nil {
		return []byte(*edit.Content)
	}
	for _, crlf := range [...]bool{false, true} {
		old, put := edit.Old, edit.New
		if crlf {
			old, put = withCRLF(old), withCRLF(put)
		}
		if old == "" {
			break
		}
		times := bytes.Count(text, []byte(old))
		if !edit.All {
			times = min(times, 1)
		}
		switch {
		case times == 0:
			continue
		case len(text)+times*(len(put)-len(old)) > mostBytes:
			return nil
		}
		return bytes.Replace(text, []byte(old), []byte(put), times)
	}
	return text
}

func withCRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// fieldDenial returns the refusal of an edit that changes a field, and names the command for that.
func fieldDenial(id task.ID, name, what, status string) string {
	call := string(id)
	instead := "`baton task log " + call + " --did TEXT --next TEXT` records a session and updates counts and times"
	change := "changes `" + what + "` in the metadata, which only baton writes"
	switch what {
	case task.HandMetadata:
		change = "changes the metadata block, which only baton writes"
		instead = "leave it as it is; `baton task log " + call +
			" --did TEXT --next TEXT` records a session and updates it"
	case task.HandFeatures:
		change = "ticks or removes a feature, which only baton does"
		instead = "`baton task check " + call +
			" CRITERION --evidence TEXT` checks one with what you ran and saw, and `baton task uncheck " + call +
			" CRITERION` opens it again"
	case "status":
		instead = statusCommand(call, status)
	case "completed_at", "completed_forced":
		instead = "`baton task complete " + call + "` finishes the task"
	case task.StatusMergedKey:
		instead = "the next change of the status removes it"
	case "blocked_reason", "reopened_reason":
		instead = "`baton task block " + call + " --reason TEXT` and `baton task reopen " + call + "` record the reason"
	case "parent", "children":
		instead = "`baton task split " + call + "` splits a task into parts"
	case "archive_path", "archived_sessions":
		instead = "`baton task archive " + call + "` moves older sessions"
	case "input_hashes", "started_at":
		instead = "`baton session start " + call + "` adds inputs and records them"
	case "task_id", "created_at", task.DiscoveredFromKey, task.SourceKey:
		instead = "it never changes; `baton task new TITLE` creates another task"
	case task.CancelledKey:
		instead = statusCommand(call, string(task.StatusCancelled))
	case "dependencies":
		instead = "`baton task edit " + call + " --after ID` and `--not-after ID` change it"
	case "epic_id", task.PriorityKey:
		instead = "`baton task edit " + call + " --epic EPIC --priority LEVEL` changes it"
	}
	return "This edit of " + workspace.PlainWord(name, mostName) + " " + change + ": " + instead +
		". You may edit the rest of the file."
}

// statusCommand returns the command that sets the status of a task.
func statusCommand(call, word string) string {
	status, _ := task.CanonicalStatus(word)
	switch status {
	case task.StatusComplete:
		return "`baton task complete " + call + "` finishes the task once its criteria are checked"
	case task.StatusBlocked:
		return "`baton task block " + call + " --reason TEXT` records that it cannot continue"
	case task.StatusInProgress:
		return "`baton session start " + call + "` starts it, and `baton task reopen " + call +
			"` reopens a complete or blocked one"
	case task.StatusCancelled:
		return "`baton task cancel " + call + " --reason TEXT` gives the task up, and `baton task reopen " + call +
			"` undoes that"
	case task.StatusReady:
		return "`baton task release " + call + "` releases it for others"
	}
	return "`baton session start " + call + "`, `baton task block " + call + " --reason TEXT`, `baton task cancel " +
		call + " --reason TEXT` and `baton task complete " + call + "` change it"
}
