package gsd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"baton/internal/digest/gsd/words"
	"baton/internal/digest/phases"
	"baton/internal/markdown"
)

// Sync updates everything that follows from other files: progress with its percentage, the current
// phase in the front matter, its plan counter, the next step, and the number of pending todos if a
// program wrote that line (D22, D39, N11). todos is nil if there is no folder of todos. Values
// without drift are not touched, and then last_updated is not either.
func (d *Doc) Sync(f phases.Facts, next phases.Next, todos *int, o SyncOptions) (Edited, error) {
	e, m := d.edit(o.Now), d.Model()
	e.progress(f, o.AllowDecrease)
	e.syncPlan(f, m)
	e.syncCurrent()
	e.syncName(f, m)
	e.syncStatus(m)
	if slices.Contains(m.Stale, "paused_at") {
		e.unpause()
	}
	e.syncLifecycle(next, m)
	if todos != nil {
		e.pendingTodos(*todos)
	}
	return e.finish()
}

// syncPlan updates the plan counter from the files: A of B, if the line has that shape (N11).
func (e *editor) syncPlan(f phases.Facts, m Model) {
	p, ok := f.Find(e.d.counted(m))
	if !ok || p.Plans == 0 {
		return
	}
	a, b, tail := words.PlanCount(m.Position.Plan)
	want, ours := planCount(p, m.Position.Plan)
	if b != "" && ours && (Number(a) != want || Number(b) != p.Plans) {
		e.set((*Doc).positionSpan, "Plan", fmt.Sprintf("%d of %d%s", want, p.Plans, tail))
	}
	next := min(p.Summaries+1, p.Plans)
	if now := e.d.bodyField("Current Plan"); digitsOnly(now) && Number(now) != next {
		e.set((*Doc).body, "Current Plan", strconv.Itoa(next))
	}
	if now := e.d.bodyField("Total Plans in Phase"); digitsOnly(now) && Number(now) != p.Plans {
		e.set((*Doc).body, "Total Plans in Phase", strconv.Itoa(p.Plans))
	}
}

// planCount returns the first number of the plan counter of a phase: the plan that comes next, or
// the number of complete ones where the line says that it counts those. ours is false for such a
// line of a person (F-55).
func planCount(p phases.Phase, text string) (n int, ours bool) {
	if _, _, tail := words.PlanCount(text); words.Counts(tail) {
		return p.Summaries, writtenPlan(text)
	}
	return min(p.Summaries+1, p.Plans), true
}

// counted returns the phase that the plan counter is about: the one that the body names, or else
// the current one (F-49).
func (d *Doc) counted(m Model) string {
	return or(d.bodyField("Current Phase"), words.ParsePhase(m.Position.Phase).ID, m.CurrentPhase, m.ActivePhase)
}

// syncCurrent updates existing keys of the front matter from the body. Values of the body win; keys
// without a value in the body stay (GSD-18).
func (e *editor) syncCurrent() {
	d := e.d
	phrase := words.ParsePhase(d.position().Phase)
	id := or(d.bodyField("Current Phase"), phrase.ID)
	moved := id != "" && !same(id, d.fm("current_phase"))
	if moved {
		e.keyIf("current_phase", id)
	}
	name := or(d.phaseName(), phrase.Name)
	if name != "" && name != words.ShortName(d.fm("current_phase_name")) {
		e.keyIf("current_phase_name", name)
	}
	if plan := d.planNow(); plan != "" && Number(plan) != Number(d.fm("current_plan")) {
		e.keyIf("current_plan", plan)
	}
}

// syncStatus writes the body's status into the front matter if it is another one (F-53).
func (e *editor) syncStatus(m Model) {
	if text := e.d.overruling(m.StatusFront); e.d.sheet != nil && m.PausedAt == "" && text != "" {
		e.key("status", e.d.stored(text))
	}
}

// overruling returns the body's status if it wins over that of the front matter, or "". A text
// without a known word wins only over another such text: of a known one it says nothing (N4).
func (d *Doc) overruling(front string) string {
	body := d.bodyStatus()
	word, known := Canonical(body, false), Canonical(front, false)
	switch {
	case body == "", word == statusUnknown && (known != word || strings.EqualFold(body, statusUnknown)),
		word != statusUnknown && known == word, body == front:
		return ""
	}
	return body
}

// syncLifecycle corrects lifecycle fields that the file has, and adds none (D46). A stale active
// phase becomes the one that the body calls running, or goes. While a stage is running, there is no
// next step.
func (e *editor) syncLifecycle(next phases.Next, m Model) {
	active := m.ActivePhase
	if slices.Contains(m.Stale, "active_phase") {
		if at := running(e.d.bodyStatus()); same(at, m.CurrentPhase) {
			active = at
			e.key("active_phase", at)
		} else {
			e.key("active_phase", nil)
		}
	}
	if active != "" || slices.Contains(m.Stale, "next_action") || next.Action == "" || len(next.Phases) == 0 {
		next = phases.Next{}
	}
	if next.Action == "" {
		e.next(next)
		return
	}
	e.keyIf("next_action", next.Action)
	e.keyIf("next_phases", next.Phases)
}

// planNow returns the number of the current plan from the body, or "" if the body names none.
func (d *Doc) planNow() string {
	plan := d.bodyField("Current Plan")
	if plan == "" {
		plan, _, _ = words.PlanCount(d.position().Plan)
	}
	return plan
}

// syncName replaces a placeholder with the milestone's name, never the other way round (N3,
// GSD-17).
func (e *editor) syncName(f phases.Facts, m Model) {
	if f.Milestone == m.Milestone && !realName(m.MilestoneName) && realName(f.MilestoneName) {
		e.keyIf("milestone_name", f.MilestoneName)
	}
}

// realName reports whether a text is a name and not the placeholder or a fragment of a heading.
func realName(name string) bool {
	return name != "" && name != "milestone" && !strings.ContainsAny(name[:1], " \t-:") &&
		!strings.HasPrefix(name, "—") && !strings.HasPrefix(name, "–")
}

// pendingTodos writes the number of pending todos if a program wrote the section's line (D39).
func (e *editor) pendingTodos(n int) {
	i := e.d.todosSection()
	if i < 0 || e.err != nil {
		return
	}
	first, last := e.d.lines(e.d.titles[i].own)
	for k := first; k < last; k++ {
		ln := e.d.md.Lines()[k]
		if ln.Class != markdown.Text && ln.Class != markdown.Item {
			continue
		}
		at := markdown.Span{Start: ln.Start + e.d.shift, End: ln.End + e.d.shift}
		old := strings.TrimSpace(string(at.Of(e.d.src)))
		number, ok := todoCount(strings.TrimPrefix(old, "- "))
		if !ok {
			continue
		}
		if number == n {
			return
		}
		text := strconv.Itoa(n) + " pending, see todos/pending/"
		if n == 0 {
			text = "None yet."
		}
		if strings.HasPrefix(old, "- ") {
			text = "- " + text
		}
		e.splice(markdown.Edit{Span: at, Text: []byte(text)})
		e.changedField("Pending Todos", old, text)
		return
	}
}

// todoCount reads a line that a program wrote: none, or the number of todos in the folder.
func todoCount(text string) (n int, ok bool) {
	if text != "" && isNone(text) {
		return 0, true
	}
	tail := strings.TrimLeft(text, "0123456789")
	n = Number(text)
	if n < 0 || !strings.HasPrefix(tail, " pending") || !strings.HasSuffix(strings.TrimRight(tail, "."),
		"todos/pending/") {
		return 0, false
	}
	return n, len(strings.Fields(tail)) <= 4
}

func digitsOnly(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
