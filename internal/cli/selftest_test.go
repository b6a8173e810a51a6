package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/selftest"
)

func TestSelftest_WrongUsage(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"--writers 0", "--writers 1000", "--changes -1", "--time 0s", "--time -5s", "--time soon", "more"} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			out, complaints := new(bytes.Buffer), new(bytes.Buffer)
			d := &app.App{Env: report.Env{Stdout: out, Stderr: complaints, Getenv: func(string) string { return "" }}}
			d.Env.Args = append([]string{"selftest"}, strings.Fields(line)...)
			if code := run(t.Context(), d); code != 2 || out.Len() != 0 || !strings.Contains(complaints.String(), "\nhint: ") {
				t.Errorf("exit code %d, output %q, errors %q", code, out, complaints)
			}
		})
	}
}

// TestF85_SelftestIsHandedOver compares what batond receives with the command line of baton.
func TestF85_SelftestIsHandedOver(t *testing.T) {
	t.Parallel()
	if usualWriters != selftest.DefaultWriters || usualChanges != selftest.DefaultChanges {
		t.Error("the command and the self-test have different defaults")
	}
	for line, want := range map[string]SelftestOptions{
		"selftest": {Writers: usualWriters, Changes: usualChanges},
		"-C x selftest --program /b --writers 3 --changes 0 --time 20s --seed 7": {
			Program: "/b", Writers: 3, Time: 20 * time.Second, Seed: 7,
		},
	} {
		var out, complaint bytes.Buffer
		var got SelftestOptions
		code := Daemon(t.Context(), report.Env{Args: strings.Fields(line), Stdout: &out, Stderr: &complaint}, Servers{
			Selftest: func(_ context.Context, _ *app.App, o SelftestOptions) error { got = o; return nil },
		})
		if diff := cmp.Diff(want, got); diff != "" || code != 0 || out.Len()+complaint.Len() > 0 {
			t.Errorf("%s: exit code %d %s%s\n%s", line, code, &out, &complaint, diff)
		}
	}
}
