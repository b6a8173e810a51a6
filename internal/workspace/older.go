package workspace

import (
	"context"
	"strings"

	"baton/internal/frontmatter"
	"baton/internal/markdown"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/inputs"
)

// olderNames returns the hand-off files of older SpecFlux projects (5.1).
func olderNames(id task.ID) [2]string {
	return [2]string{".specflux/chain-outputs/task-" + string(id) + ".md", "chain-outputs/" + string(id) + "-output.md"}
}

// OlderOutput returns the output in an older hand-off file, for a task whose own file is missing
// or has no output. It returns a state with that text as its chain output, and the file's name; nil
// if there is none.
func (p *Workspace) OlderOutput(ctx context.Context, r store.Reader, s *task.State) (*task.State, string, error) {
	for _, name := range olderNames(s.ID) {
		doc, err := r.Read(ctx, name)
		if err != nil {
			return nil, "", err
		}
		if !doc.Exists {
			continue
		}
		title, text := olderText(doc.Data)
		if s.Title != "" {
			title = s.Title
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		frame := "# Task " + s.ID.Ref() + ": " + title +
			"\n\n## 0. Metadata\n```json\n{\"status\": \"complete\"}\n```\n\n## 4. Chain Output\n\n(To be completed)\n"
		if out, err := inputs.SetOutput(task.Parse(s.ID, []byte(frame)), nil, text); err == nil {
			return out, name, nil
		}
	}
	return nil, "", nil
}

// olderText removes front matter and the first H1 from a hand-off file, and returns that H1 as the
// title.
func olderText(data []byte) (title, text string) {
	if block, ok := frontmatter.Find(data); ok {
		data = data[block.Span.End:]
	}
	doc := markdown.Parse(data)
	for _, h := range doc.Headings() {
		if h.Level == 1 {
			title = string(h.Text.Of(data))
			before, after := data[:h.Span.Start], data[h.Span.End:]
			return title, string(before) + string(after)
		}
	}
	return "", string(data)
}

// handedOver returns the ids with an older hand-off file. Without a state file they count as
// complete, because their output is available.
func (p *Workspace) handedOver(ctx context.Context, r store.Reader) (map[task.ID]bool, error) {
	out := map[task.ID]bool{}
	for _, dir := range [...]string{".specflux/chain-outputs", "chain-outputs"} {
		entries, err := r.List(ctx, dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			name, ok := strings.CutSuffix(e.Name, "-output.md")
			if dir == ".specflux/chain-outputs" {
				if name, ok = strings.CutPrefix(e.Name, "task-"); ok {
					name, ok = strings.CutSuffix(name, ".md")
				}
			}
			if id, err := task.ParseID(name); ok && err == nil && !e.Dir {
				out[id] = true
			}
		}
	}
	return out, nil
}
