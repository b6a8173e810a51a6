package selftest

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
)

// exitNone is the exit status of "task claim --next" if nothing is ready (D14, D17).
const exitNone = 3

// hold is one answer of "task claim --next", or one row of the claims that the program lists.
type hold struct {
	task  string
	by    string
	fence int64
}

// queue creates a second project with many tasks and lets several processes claim them at the same
// time.
func (s *site) queue(ctx context.Context, o Options, r *Report) error {
	dir := filepath.Join(s.base, "queue")
	if err := plant(dir, settings); err != nil {
		return cannotMake(dir, err)
	}
	if err := s.fill(ctx, dir, o.Tasks); err != nil {
		return err
	}
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		holds []hold
		first error
	)
	for n := range o.Writers {
		group.Go(func() {
			mine, faults, err := s.drain(ctx, dir, "w"+strconv.Itoa(n), o.Tasks)
			mu.Lock()
			defer mu.Unlock()
			holds = append(holds, mine...)
			r.Failures = append(r.Failures, faults...)
			if first == nil {
				first = err
			}
		})
	}
	group.Wait()
	if first != nil {
		return first
	}
	kept, err := s.listed(ctx, dir)
	if err != nil {
		return err
	}
	r.Claims = Claims{Processes: o.Writers, Tasks: o.Tasks}
	r.claims(holds, kept)
	return nil
}

// fill creates the tasks in one transaction.
func (s *site) fill(ctx context.Context, dir string, tasks int) error {
	type wanted struct {
		Title    string   `json:"title"`
		Criteria []string `json:"criteria"`
	}
	list := make([]wanted, tasks)
	for n := range list {
		list[n] = wanted{Title: fmt.Sprintf("Piece %d of a queue", n+1), Criteria: []string{"it is done"}}
	}
	data, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("list tasks: %w", err)
	}
	a, err := s.run(ctx, dir, string(data), false, "task", "new", "--from", "-", "--json")
	if err != nil {
		return err
	}
	if !a.ok() {
		return broken("the queue for the test cannot be created", a)
	}
	return nil
}

// drain claims one task after the other until nothing is ready. It gives up after as many as there
// are tasks, because one more would be a task that was handed out twice.
func (s *site) drain(ctx context.Context, dir, as string, most int) (holds []hold, faults []string, err error) {
	for range most + 1 {
		a, err := s.run(ctx, dir, "", false, "task", "claim", "--next", "--as", as, "--json")
		switch {
		case err != nil:
			return holds, faults, err
		case a.code == exitNone:
			return holds, faults, nil
		case !a.ok():
			return holds,
				append(faults, fmt.Sprintf("a claim was refused with exit status %d: %s", a.code, a.complaint())), nil
		}
		var view struct {
			Task  string `json:"task"`
			Claim struct {
				By    string `json:"by"`
				Fence int64  `json:"fence"`
			} `json:"claim"`
		}
		if err := json.Unmarshal(a.stdout, &view); err != nil {
			return holds, append(faults, fmt.Sprintf("the answer to a claim is no JSON: %v", err)), nil
		}
		if view.Claim.By != as {
			faults = append(faults, fmt.Sprintf("a claim of %s was answered with a claim of %s", as, view.Claim.By))
		}
		holds = append(holds, hold{task: view.Task, by: as, fence: view.Claim.Fence})
	}
	return holds, faults, nil
}

// listed returns the claims that the program lists afterwards.
func (s *site) listed(ctx context.Context, dir string) ([]hold, error) {
	a, err := s.run(ctx, dir, "", false, "status", "--json")
	if err != nil {
		return nil, err
	}
	if !a.ok() {
		return nil, broken("the claims cannot be listed", a)
	}
	var view struct {
		Claims []struct {
			Task  string `json:"task"`
			By    string `json:"by"`
			Fence int64  `json:"fence"`
		} `json:"claims"`
	}
	if err := json.Unmarshal(a.stdout, &view); err != nil {
		return nil, fmt.Errorf("read the list of claims: %w", err)
	}
	kept := make([]hold, 0, len(view.Claims))
	for _, c := range view.Claims {
		kept = append(kept, hold{task: c.Task, by: c.By, fence: c.Fence})
	}
	return kept, nil
}

// claims checks that no task and no fencing number was handed out twice, that every task was, and
// that the stored claims are those of the answers.
func (r *Report) claims(holds, kept []hold) {
	byTask, byFence := map[string]hold{}, map[int64]hold{}
	for _, h := range holds {
		if other, twice := byTask[h.task]; twice {
			r.Claims.Doubles++
			r.fail(
				"task %s was handed to %s (fence %d) and to %s (fence %d)", h.task, other.by, other.fence, h.by,
				h.fence,
			)
		}
		if other, twice := byFence[h.fence]; twice {
			r.Claims.Doubles++
			r.fail("fencing number %d was given for task %s and for task %s", h.fence, other.task, h.task)
		}
		byTask[h.task], byFence[h.fence] = h, h
	}
	r.Claims.HandedOut = len(byTask)
	if len(byTask) != r.Claims.Tasks {
		r.fail("%d of %d tasks were handed out", len(byTask), r.Claims.Tasks)
	}
	if len(kept) != len(byTask) {
		r.fail("%d claims are kept, %d tasks were handed out", len(kept), len(byTask))
	}
	for _, k := range kept {
		if given, ok := byTask[k.task]; !ok || given != k {
			r.fail(
				"task %s is kept for %s (fence %d), handed to %s (fence %d)", k.task, k.by, k.fence, given.by,
				given.fence,
			)
		}
	}
}
