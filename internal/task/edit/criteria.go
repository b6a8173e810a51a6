package edit

import (
	"slices"
	"strconv"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/pick"
)

// criterion returns criterion n of the task. The steps before drop and accept leave the numbers as
// they are.
func (e *editor) criterion(n int) (task.Criterion, error) {
	c, err := pick.Criterion(e.State, strconv.Itoa(n), "index")
	if f := report.As(err); err != nil {
		again := *f
		again.Op = op
		return c, &again
	}
	return c, nil
}

// reword gives criteria other words. What was shown for the old words does not show the new ones,
// so such a criterion is open again.
func (e *editor) reword() error {
	for _, w := range e.r.Reword {
		text := safetext.OneLine(w.Text)
		if text == "" {
			return invalid("criterion "+strconv.Itoa(w.N)+" would have no words", "to remove it, use --drop")
		}
		c, err := e.criterion(w.N)
		if err != nil {
			return err
		}
		if c.Text == text {
			continue
		}
		old := e.held(c)
		if c.Checked || c.Box.Len() > 0 && e.State.BoxChecked(c) {
			next, err := e.State.SetCriterion(c.N, false, e.r.Now)
			if err != nil {
				return err
			}
			e.State, e.Opened = next, append(e.Opened, c.N)
		}
		if c, err = e.criterion(w.N); err != nil {
			return err
		}
		if c.Feature >= 0 {
			if err := e.feature(c, "description", quoted(text)); err != nil {
				return err
			}
		}
		if c.Box.Len() > 0 {
			c.Box = e.boxNow(c)
			for _, item := range e.State.Document().TaskItems(markdown.Span{End: len(e.State.Bytes())}) {
				if item.Box == c.Box {
					if err := e.splice(markdown.Edit{Span: item.Text, Text: []byte(text)}); err != nil {
						return err
					}
					break
				}
			}
		}
		e.Removed = append(e.Removed, Removed{"criterion", old})
		e.changed("criterion " + strconv.Itoa(w.N))
	}
	return nil
}

// boxNow returns the box of a criterion after an edit of the checklist, which comes after the boxes
// or before them.
func (e *editor) boxNow(c task.Criterion) markdown.Span {
	for _, item := range e.State.Document().TaskItems(markdown.Span{End: len(e.State.Bytes())}) {
		if safetext.OneLine(string(item.Text.Of(e.State.Bytes()))) == safetext.OneLine(c.Text) {
			return item.Box
		}
	}
	return c.Box
}

// verify sets the commands of criteria.
func (e *editor) verify() error {
	for _, w := range e.r.Verify {
		command := safetext.OneLine(w.Text)
		c, err := e.criterion(w.N)
		if err != nil {
			return err
		}
		if c.Verify == command {
			continue
		}
		if c.Feature >= 0 {
			if err = e.feature(c, "verify", quoted(command)); command == "" {
				err = e.feature(c, "verify", "null")
			}
		} else {
			err = e.verifyLine(c, command)
		}
		if err != nil {
			return err
		}
		if c.Verify != "" {
			e.Removed = append(e.Removed, Removed{"command of criterion " + strconv.Itoa(w.N), "`" + c.Verify + "`"})
		}
		e.changed("command of criterion " + strconv.Itoa(w.N))
	}
	return nil
}

// verifyLine writes the line below a box that holds its command, or removes it.
func (e *editor) verifyLine(c task.Criterion, command string) error {
	edit, ok := e.State.VerifyEdit(c.Box, command)
	if !ok {
		return nil
	}
	return e.splice(edit)
}

// held returns the text of a criterion as the archive keeps it: its box with what belongs to it.
func (e *editor) held(c task.Criterion) string {
	if c.Box.Len() > 0 {
		return strings.TrimRight(string(e.boxLines(c).Of(e.State.Bytes())), "\r\n")
	}
	text := "- [ ] " + c.Text
	if c.Checked {
		text = "- [x] " + c.Text
	}
	if c.Verify != "" {
		text += "\n" + task.VerifyLine(c.Verify)
	}
	return text
}

// boxLines returns the lines of a box and of what belongs to it.
func (e *editor) boxLines(c task.Criterion) markdown.Span {
	for _, h := range task.Hold(e.State.Bytes()).Criteria {
		if h.Span.Start <= c.Box.Start && c.Box.Start < h.Span.End {
			return h.Span
		}
	}
	line := e.State.Document().Lines()[e.State.Document().LineAt(c.Box.Start)]
	return markdown.Span{Start: line.Start, End: line.Next}
}

// drop removes criteria, the last one first, so that the numbers of the others stay valid.
func (e *editor) drop() error {
	numbers := slices.Clone(e.r.Drop)
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	var gone []Removed
	for _, n := range slices.Backward(numbers) {
		c, err := e.criterion(n)
		if err != nil {
			return err
		}
		gone = append(gone, Removed{"criterion", e.held(c)})
		if c.Feature >= 0 {
			if err := e.dropFeature(c); err != nil {
				return err
			}
			c.Box = e.boxAfter(c)
		}
		if c.Box.Len() > 0 {
			if err := e.splice(markdown.Edit{Span: e.boxLines(c)}); err != nil {
				return err
			}
		}
		e.changed("criterion " + strconv.Itoa(n) + " dropped")
	}
	slices.Reverse(gone)
	e.Removed = append(e.Removed, gone...)
	return nil
}

// boxAfter returns the box of a criterion whose feature was removed.
func (e *editor) boxAfter(c task.Criterion) markdown.Span {
	if c.Box.Len() == 0 {
		return c.Box
	}
	return e.boxNow(c)
}

// accept adds criteria at the end.
func (e *editor) accept() error {
	for _, given := range e.r.Accept {
		text := safetext.OneLine(given)
		if text == "" {
			return invalid("a criterion has no words", "give each --accept a text")
		}
		if slices.ContainsFunc(e.State.Criteria, func(c task.Criterion) bool { return c.Text == text }) {
			continue
		}
		if e.State.Features.Len() > 0 {
			if err := e.addFeature(text); err != nil {
				return err
			}
		}
		if err := e.addBox(text); err != nil {
			return err
		}
		e.changed("criterion " + strconv.Itoa(len(e.State.Criteria)))
	}
	return nil
}

// addBox adds a box after the last one, or below the heading of the criteria, which it adds if
// there is none.
func (e *editor) addBox(text string) error {
	doc, src := e.State.Document(), e.State.Bytes()
	section, ok := e.State.Find(task.ContextKind)
	if !ok {
		if e.State.Features.Len() > 0 {
			return nil
		}
		return invalid(task.StateName(e.State.ID)+" has no section for criteria",
			"convert the file first: baton task convert "+string(e.State.ID)+" --to v2 --apply")
	}
	headings := task.HeadingsIn(doc, section.Body)
	eol := doc.EOL(section.Body.Start)
	for i, h := range headings {
		if h.Level != 3 || task.FoldName(doc.View(h.Text)) != "acceptance criteria" {
			continue
		}
		body := task.PartBody(headings, i, section.Body.End)
		at, lead := h.Span.End, "- [ ] "
		if held := task.Hold(src).Criteria; len(held) > 0 {
			for _, one := range held {
				if one.Span.Start >= body.Start && one.Span.End <= body.End {
					at = max(at, one.Span.End)
				}
			}
		}
		line := lead + text + eol
		if at > 0 && src[at-1] != '\n' {
			line = eol + lead + text
		}
		return e.splice(markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: []byte(line)})
	}
	if e.State.Features.Len() > 0 {
		return nil
	}
	at := task.ContentEnd(doc, section.Body)
	block := eol + "### Acceptance Criteria" + eol + "- [ ] " + text + eol
	if at > 0 && src[at-1] != '\n' {
		block = eol + block
	}
	return e.splice(markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: []byte(block)})
}

// feature sets a key of the feature of a criterion.
func (e *editor) feature(c task.Criterion, key, value string) error {
	list, text, err := e.features()
	if err != nil || c.Feature >= len(list.Items) {
		return err
	}
	item := list.Items[c.Feature]
	object, ok := jsontext.Set(item.Span.Of(text), key, value, e.State.Document().EOL(e.State.Features.Start))
	if !ok {
		return e.opaque()
	}
	base := e.State.Features.Start
	return e.splice(markdown.Edit{
		Span: markdown.Span{Start: base + item.Span.Start, End: base + item.Span.End}, Text: object,
	})
}

func (e *editor) dropFeature(c task.Criterion) error {
	list, text, err := e.features()
	if err != nil || c.Feature >= len(list.Items) {
		return err
	}
	return e.rewriteFeatures(jsontext.RemoveItem(text, list, c.Feature))
}

func (e *editor) addFeature(words string) error {
	list, text, err := e.features()
	if err != nil {
		return err
	}
	eol := e.State.Document().EOL(e.State.Features.Start)
	inner := eol + "      "
	object := "{" + inner + `"id": ` + quoted(e.freeID()) + "," + inner + `"description": ` + quoted(words) + "," +
		inner + `"passes": false,` + inner + `"tested_at": null` + eol + "    }"
	return e.rewriteFeatures(jsontext.AddItem(text, list, object, "    ", eol))
}

// freeID returns an id that no feature has.
func (e *editor) freeID() string {
	base := task.Slug(e.State.Title)
	for n := len(e.State.Criteria) + 1; ; n++ {
		id := base + "-" + strconv.Itoa(n)
		if !slices.ContainsFunc(e.State.Criteria, func(c task.Criterion) bool { return c.FeatureID == id }) {
			return id
		}
	}
}

// features returns the list of features and the text that it is part of.
func (e *editor) features() (jsontext.Node, []byte, error) {
	text := e.State.Features.Of(e.State.Bytes())
	node, fault := jsontext.Relaxed(text)
	if fault != nil {
		return node, nil, e.opaque()
	}
	if node.Kind == '{' {
		member, _ := node.Member("features")
		node = member.Value
	}
	if node.Kind != '[' {
		return node, nil, e.opaque()
	}
	return node, text, nil
}

// rewriteFeatures writes the checklist and its progress.
func (e *editor) rewriteFeatures(text []byte) error {
	if err := e.splice(markdown.Edit{Span: e.State.Features, Text: text}); err != nil {
		return err
	}
	next, err := e.State.WithProgress()
	if err == nil {
		e.State = next
	}
	return err
}

func (e *editor) opaque() error {
	return &report.Error{
		Op: op, Kind: report.Corrupt, Code: report.CodeOpaqueSection, Path: task.StateName(e.State.ID),
		Message: "the feature checklist of " + task.StateName(e.State.ID) + " is not a list of JSON objects",
		Hint:    "write each feature as {\"id\": …, \"description\": …, \"passes\": false}",
	}
}

// Gone returns the criteria of a task that another version of it does not have.
func Gone(before, after *task.State) []Removed {
	e := &editor{Result: Result{State: before}}
	var out []Removed
	for _, c := range before.Criteria {
		if slices.ContainsFunc(after.Criteria, func(o task.Criterion) bool { return o.Text == c.Text }) {
			continue
		}
		out = append(out, Removed{"criterion", e.held(c)})
	}
	return out
}
