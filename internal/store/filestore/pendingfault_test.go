package filestore_test

import (
	"context"
	"strings"
	"syscall"
	"testing"

	"baton/internal/report"
	"baton/internal/store/disk/crashfs"
)

// TestD8_JournalWhoseFilesCannotBeRead: if a file cannot be read, it is unknown whether its promise
// was kept, so no content is shown. A folder in a file's place was put there by somebody, and voids
// the promise.
func TestD8_JournalWhoseFilesCannotBeRead(t *testing.T) {
	t.Parallel()
	t.Run("fault", func(t *testing.T) {
		t.Parallel()
		for code, fault := range map[report.Code]error{"permission": syscall.EACCES, "io": syscall.EIO} {
			fs := stopped(t, "append", "/p/archive/1.md")
			fs.Hook = func(op crashfs.Op) error {
				if strings.HasSuffix(op.Path, "archive/1.md") {
					return fault
				}
				return nil
			}
			_, err := on(fs).Read(context.Background(), "tasks/1.md")
			if e := report.As(err); e == nil || e.Kind != report.Refused || e.Code != code || e.Path != "archive/1.md" {
				t.Errorf("%s: %v", code, err)
			}
		}
	})
	t.Run("folder", func(t *testing.T) {
		t.Parallel()
		fs := stopped(t, "append", "/p/archive/1.md")
		fs.Delete("/p/archive/1.md")
		fs.MkdirAll("/p/archive/1.md")
		if doc, err := on(fs).Read(context.Background(), "tasks/1.md"); err != nil || doc.Pending {
			t.Errorf("%+v, %v", doc, err)
		}
	})
}

// TestF86c_TooManyOpenFilesAreNoFaultOfTheJournal: who has no file handles left is not told to move
// the journal away, which would lose an unfinished change.
func TestF86c_TooManyOpenFilesAreNoFaultOfTheJournal(t *testing.T) {
	t.Parallel()
	fs := stopped(t, "append", "/p/archive/1.md")
	fs.Hook = func(op crashfs.Op) error {
		if strings.HasSuffix(op.Path, "/journal") {
			return syscall.EMFILE
		}
		return nil
	}
	_, err := on(fs).Read(context.Background(), "tasks/1.md")
	e := report.As(err)
	if e == nil || e.Code != report.CodeIO || !strings.HasSuffix(e.Path, "/journal") || strings.Contains(e.Hint, "away") {
		t.Errorf("%v, %+v", err, e)
	}
}
