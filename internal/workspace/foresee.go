package workspace

import (
	"bytes"
	"context"
	"path"
	"slices"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/textdiff"
)

// Foreseen plans a change and returns how it would change each document.
func (p *Workspace) Foreseen(ctx context.Context, book *ClaimBook, fn func(*Change) error) ([]DoctorChange, error) {
	c := &Change{Now: p.Now(), As: p.Holder(), Claims: book, Dry: true}
	return foresee(ctx, p.Store, "", func(tx *store.Tx) error {
		c.Tx, c.Reader = tx, tx.Reader()
		return p.plan(c, fn)
	})
}

// foresee runs fn as a transaction that is never committed, and returns what it would do to each
// document of from, which is in a folder.
func foresee(
	ctx context.Context, from store.Reader, folder string, fn func(*store.Tx) error,
) ([]DoctorChange, error) {
	tx := store.NewTx(ctx, from)
	if err := fn(tx); err != nil {
		return nil, err
	}
	out := []DoctorChange{}
	for _, w := range tx.Changes() {
		was, err := from.Read(ctx, w.Name)
		if err != nil {
			return nil, err
		}
		next := w.Data
		if w.Kind == store.Append {
			next = slices.Concat(was.Data, w.Data)
		}
		if !was.Exists || !bytes.Equal(was.Data, next) {
			name := path.Join(folder, w.Name)
			out = append(out, DoctorChange{
				Path: name, Diff: safetext.Clean(textdiff.Unified(name, was.Data, next, was.Exists, true)),
			})
		}
	}
	for _, gone := range tx.Discards() {
		was, err := from.Read(ctx, gone.Document)
		if err != nil {
			return nil, err
		}
		name := path.Join(folder, gone.Document)
		out = append(out, DoctorChange{Path: name, Diff: safetext.Clean(
			textdiff.Unified(name, was.Data, nil, was.Exists, false),
		)})
	}
	return out, tx.Err()
}

// DoctorRequest asks what is wrong with a project. The zero value changes nothing.
type DoctorRequest struct {
	Fix    bool // repair what can be repaired without a person's judgement
	DryRun bool // report what Fix would do, as differences, and write nothing
}

// The modes of a doctor run.
const (
	ModeLook   = "look"
	ModeFix    = "fix"
	ModeDryRun = "dry-run"
)

// DoctorResult is the answer of "doctor".
type DoctorResult struct {
	Root     string          `json:"root"`
	Mode     string          `json:"mode"` // look, fix or dry-run
	OK       bool            `json:"ok"`   // there are no errors and no warnings
	Errors   int             `json:"errors"`
	Warnings int             `json:"warnings"`
	Notes    int             `json:"notes"`
	Findings []DoctorFinding `json:"findings"`       // worst first; after a fix, those that remain
	Fixes    []DoctorFix     `json:"fixes"`          // what was repaired, or would be
	Changes  []DoctorChange  `json:"changes"`        // dry-run: how each document would change
	Next     string          `json:"next,omitempty"` // after a fix during a merge: the command that completes the merge
}

// DoctorFinding is one problem: what, where, and how to fix it.
type DoctorFinding struct {
	report.Finding
	Command string `json:"command,omitempty"` // repairs it; "" if only a person can
	Advice  string `json:"advice,omitempty"`  // what a person can do about it
	Fixable bool   `json:"fixable"`           // --fix repairs it
}

// DoctorFix is one problem that was fixed, or would be.
type DoctorFix struct {
	Code report.Code `json:"code"`
	Path string      `json:"path,omitempty"`
	Text string      `json:"text"` // one clause
}

// DoctorChange is how one document would change.
type DoctorChange struct {
	Path string `json:"path"`
	Diff string `json:"diff"` // unified
}
