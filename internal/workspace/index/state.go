package index

import (
	"baton/internal/sorting"
	"baton/internal/task"
)

// Fill takes over what a task says. valid is false if a list needs more of it than a row has.
func (r *Row) Fill(s *task.State, valid bool) {
	r.Parent = s.Meta.Parent
	ids := func(from []task.ID) (out []task.ID) {
		for _, id := range from {
			if name, err := task.ParseID(string(id)); err == nil && name == id {
				out = append(out, id)
			} else {
				valid = false
			}
		}
		return out
	}
	r.After, r.Children = ids(s.Meta.Dependencies), ids(s.Meta.Children)
	if r.Plain = valid && s.Meta.Present; !r.Plain {
		return
	}
	r.Status, r.Title, r.Epic, r.EpicID = string(s.Status()), s.Title, s.Context.Epic, s.Meta.EpicID
	r.Priority, r.From, r.Source, r.Agent = s.Meta.Priority, s.Meta.From, s.Meta.Source, s.Context.Agent
	r.Total = len(s.Criteria)
	for _, c := range s.Criteria {
		if c.Checked {
			r.Done++
		}
		if len(r.Children) > 0 || r.Parent != "" {
			r.Criteria = append(r.Criteria, task.Criterion{Checked: c.Checked, Text: c.Text})
		}
	}
	for id, received := range s.Meta.Inputs {
		r.Inputs = append(r.Inputs, Input{From: id, InputReceived: received})
	}
	sorting.By(r.Inputs, func(a, b Input) int { return task.CompareIDs(a.From, b.From) })
}

// Counted makes criteria of tasks without parts, of which only the number matters. Tasks with the
// same numbers share them.
type Counted map[[2]int][]task.Criterion

func (c Counted) of(done, total int) []task.Criterion {
	out, made := c[[2]int{done, total}]
	if !made {
		out = make([]task.Criterion, total)
		for i := range done {
			out[i].Checked = true
		}
		c[[2]int{done, total}] = out
	}
	return out
}

// State sets s to the task with an id as far as the row has it.
func (r *Row) State(id task.ID, s *task.State, c Counted) {
	*s = task.State{ID: id, Title: r.Title, Criteria: r.Criteria}
	s.Meta = task.Meta{
		EpicID: r.EpicID, Status: r.Status, Dependencies: r.After, Total: r.Sessions, Archived: -1, Parent: r.Parent,
		Children: r.Children, Priority: r.Priority, From: r.From, Source: r.Source,
	}
	s.Context.Epic, s.Context.Agent = r.Epic, r.Agent
	if s.Criteria == nil {
		s.Criteria = c.of(r.Done, r.Total)
	}
	if len(r.Inputs) > 0 {
		s.Meta.Inputs = make(map[task.ID]task.InputReceived, len(r.Inputs))
		for _, in := range r.Inputs {
			s.Meta.Inputs[in.From] = in.InputReceived
		}
	}
}
