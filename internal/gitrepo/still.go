package gitrepo

import "sync"

// Still returns the same place for one piece of work: what files say of HEAD, of branches and of
// merges in progress is read once and then repeated. One look at a hundred marks otherwise reads
// the same few files hundreds of times.
func (p Place) Still() Place {
	p.seen = &seen{answers: map[string]any{}}
	return p
}

// seen has what files said of a place. It may be used concurrently.
type seen struct {
	sync.Mutex
	answers map[string]any
}

// once returns what look returned for this question the first time, if the place is still.
func once[T any](p Place, question string, look func() T) T {
	if p.seen == nil {
		return look()
	}
	p.seen.Lock()
	defer p.seen.Unlock()
	if answer, ok := p.seen.answers[question].(T); ok {
		return answer
	}
	answer := look()
	p.seen.answers[question] = answer
	return answer
}
