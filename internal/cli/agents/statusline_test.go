package agents

import (
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestGSD56_InputThatNeverEnds checks that what arrives in time is used.
func TestGSD56_InputThatNeverEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in, agent := io.Pipe()
		go func() { _, _ = agent.Write([]byte(`{"cwd":"/a"}`)) }()
		begun := time.Now()
		got := agentInput(in, agentPatience)
		if string(got) != `{"cwd":"/a"}` || time.Since(begun) != agentPatience {
			t.Errorf("%q after %v", got, time.Since(begun))
		}
		agent.Close()
	})
}

// TestStatusLineReadsPipesToTheirEnd checks input in pieces, and a real pipe.
func TestStatusLineReadsPipesToTheirEnd(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text := strings.Repeat("0123456789", 30_000)
	go func() {
		defer w.Close()
		for rest := text; rest != ""; rest = rest[min(len(rest), 7001):] {
			_, _ = w.WriteString(rest[:min(len(rest), 7001)])
		}
	}()
	if got := agentInput(r, time.Hour); string(got) != text {
		t.Errorf("%d of %d bytes", len(got), len(text))
	}
	if got := agentInput(nil, time.Hour); got != nil {
		t.Errorf("%q from nothing", got)
	}
}
