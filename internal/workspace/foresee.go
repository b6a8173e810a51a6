package workspace

import (
	"bytes"
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/textdiff"
)

// Foreseen plans a change and returns how it would change each document.
func (p *Workspace) Foreseen(ctx context.Context, book *ClaimBook, fn func(*Change) error) ([]DoctorChange, error) {
	tx := store.NewTx(ctx, p.Store)
	c := &Change{Tx: tx, Reader: tx.Reader(), Now: p.Now(), As: p.Holder(), Claims: book, Dry: true}
	if err := p.plan(c, fn); err != nil {
		return nil, err
	}
	var out []DoctorChange
	for _, w := range tx.Changes() {
		was, err := p.Store.Read(ctx, w.Name)
		if err != nil {
			return nil, err
		}
		next := w.Data
		if w.Kind == store.Append {
			next = slices.Concat(was.Data, w.Data)
		}
		if !bytes.Equal(was.Data, next) {
			out = append(out, DoctorChange{
				Path: w.Name, Diff: safetext.Clean(textdiff.Unified(w.Name, was.Data, next, was.Exists, true)),
			})
		}
	}
	for _, gone := range tx.Discards() {
		was, err := p.Store.Read(ctx, gone.Document)
		if err != nil {
			return nil, err
		}
		out = append(out, DoctorChange{Path: gone.Document, Diff: safetext.Clean(
			textdiff.Unified(gone.Document, was.Data, nil, was.Exists, false),
		)})
	}
	return out, nil
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
