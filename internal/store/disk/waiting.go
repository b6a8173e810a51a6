package disk

// LetGo lets go of what a change holds while that only waits, until resume is called. Readers who
// use the same Holding then find folders where they are, not where they were when the wait began.
func (h *Holding) LetGo() (resume func()) {
	h.letGo()
	return func() { h.Hold() }
}
