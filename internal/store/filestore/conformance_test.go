package filestore_test

import (
	"os"
	"path/filepath"
	"testing"

	"baton/internal/store"
	"baton/internal/store/disk/crashfs"
	"baton/internal/store/filestore"
	"baton/internal/store/storetest"
)

// editable adds Put, with which the suite edits a file outside any transaction.
type editable struct {
	*filestore.Store
	put func(name string, data []byte)
}

func (e editable) Put(name string, data []byte) { e.put(name, data) }

func TestConformance(t *testing.T) {
	t.Parallel()
	t.Run("disk", func(t *testing.T) {
		t.Parallel()
		storetest.Run(t, func(t *testing.T) store.Store {
			root := realTemp(t)
			s := filestore.Open(filestore.Options{
				Root: root, Runtime: ".baton/local", RecordOutcomes: storetest.RecordOutcomes,
			})
			return editable{s, func(name string, data []byte) {
				if err := os.WriteFile(filepath.Join(root, name), data, 0o644); err != nil {
					t.Error(err)
				}
			}}
		})
	})
	for _, exchange := range []bool{true, false} {
		name := map[bool]string{true: "memory with exchange", false: "memory with links"}[exchange]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T) store.Store {
				fs := crashfs.New()
				fs.NoExchange = !exchange
				s := filestore.Open(filestore.Options{
					Root: "/p", Runtime: ".baton/local", FS: fs, RecordOutcomes: storetest.RecordOutcomes,
				})
				return editable{s, func(name string, data []byte) { fs.Put("/p/"+name, string(data)) }}
			})
		})
	}
}
