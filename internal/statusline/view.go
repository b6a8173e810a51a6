package statusline

import "baton/internal/digest/gsd"

// View is the content of the line as data, for `baton statusline --format json`. Texts are as they
// are in the files and in the agent's input; only Line is safe for a terminal.
type View struct {
	Line      string     `json:"line"` // as --plain prints it, for any width
	Model     string     `json:"model"`
	Directory string     `json:"directory"`
	Branch    string     `json:"branch,omitempty"`
	Digest    Digest     `json:"digest,omitempty"` // gsd, specflow or baton
	State     *StateView `json:"state,omitempty"`
	Spec      *SpecView  `json:"spec,omitempty"`
	Task      *TaskView  `json:"task,omitempty"`
	// Lost is the number of lost entries, as far as known (D9); left out if it is 0.
	Lost int `json:"lost,omitempty"`
	// Waiting is the number of agents' sessions that wait for a person (D49); left out if it is 0.
	Waiting int          `json:"waiting,omitempty"`
	Agent   *AgentView   `json:"agent,omitempty"`   // left out if nothing is known about the session
	Context *ContextView `json:"context,omitempty"` // left out if the agent does not know
}

// StateView describes the state of the milestone.
type StateView struct {
	Scene         int      `json:"scene"` // 1 to 4 (gsd.md N10); 0 if only a text replaces it
	Text          string   `json:"text"`  // the scene's words
	Milestone     string   `json:"milestone,omitempty"`
	MilestoneName string   `json:"milestone_name,omitempty"`
	Percent       *int     `json:"percent"` // 0 to 100, or null if there is none
	Status        string   `json:"status,omitempty"`
	ActivePhase   string   `json:"active_phase,omitempty"`
	NextAction    string   `json:"next_action,omitempty"`
	NextPhases    []string `json:"next_phases"`
}

// SpecView is SpecFlow's active specification.
type SpecView struct {
	ID     string `json:"id"`
	Status string `json:"status,omitempty"`
	More   int    `json:"more"` // number of further active specifications
}

// TaskView is the active task.
type TaskView struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Checked  int    `json:"checked"`
	Criteria int    `json:"criteria"`
	Sessions int    `json:"sessions"`
	Status   string `json:"status,omitempty"`
	Next     *Next  `json:"next,omitempty"` // the task to start next, once this one is finished
}

// AgentView is what baton put into the session's context.
type AgentView struct {
	Times      int `json:"times"`
	Characters int `json:"characters"`
	Tokens     int `json:"tokens"` // estimated
}

// ContextView describes how full the agent's context window is.
type ContextView struct {
	Shown     int     `json:"shown_percentage"`     // as the bar shows it, 0 to 100
	Remaining float64 `json:"remaining_percentage"` // according to the agent
	Tokens    int     `json:"tokens,omitempty"`
	Window    int     `json:"context_window_size,omitempty"`
}

// Describe returns the line's content as data.
func Describe(in Input, f Facts, o Options) View {
	o.Plain, o.Columns = true, 0
	v := View{
		Line: Line(in, f, o), Model: modelText(in.Model), Directory: f.Dir, Branch: f.Branch, Digest: f.Digest,
		Lost: max(0, f.Lost), Waiting: max(0, f.Waiting),
	}
	switch {
	case f.State != nil:
		v.State = describe(f.State, o)
		if v.State.Text == "" && f.Standing != nil && f.Standing.Total > 0 {
			v.State.Text, v.State.Percent = tasksText(f.Standing, false, marksOf(true)), &f.Standing.Percent
		}
	case f.Note != "":
		v.State = &StateView{Text: f.Note}
	}
	if f.Spec != nil {
		v.Spec = &SpecView{f.Spec.ID, f.Spec.Status, f.Spec.More}
	}
	if t := f.Task; t != nil {
		v.Task = &TaskView{string(t.ID), t.Title, t.Checked, t.Criteria, t.Sessions, string(t.Status), t.Next}
	}
	if a := f.Agent; a != nil {
		v.Agent = &AgentView{a.Times, a.Characters, a.Tokens}
	}
	if shown, ok := used(in, f, o); ok {
		v.Context = &ContextView{shown, *in.Remaining, in.Tokens, in.Window}
	}
	return v
}

func describe(s *gsd.Head, o Options) *StateView {
	v := &StateView{
		Milestone: s.Milestone, MilestoneName: s.MilestoneName, Status: s.StatusText(),
		ActivePhase: s.Active(), NextPhases: []string{},
	}
	if !s.Running {
		v.NextAction, v.NextPhases = s.NextAction, append(v.NextPhases, s.NextPhases...)
	}
	number, parts := scene(s)
	v.Scene = number
	m := marksOf(o.Plain)
	for i, part := range parts {
		if i > 0 {
			v.Text += m.dot
		}
		v.Text += part
	}
	if n := gsd.Number(s.Percent); n >= 0 {
		n = min(n, 100)
		v.Percent = &n
	}
	return v
}
