package storetest_test

import (
	"testing"

	"baton/internal/store"
	"baton/internal/store/storetest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) store.Store {
		m := storetest.NewMemory()
		m.Outcomes = storetest.RecordOutcomes
		return m
	})
}
