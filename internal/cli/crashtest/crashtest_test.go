package crashtest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/selftest"
)

func soundRun() selftest.Report {
	return selftest.Report{
		OK: true, Seed: 7, Dialect: "v2", DurationMS: 7340, Writers: 8, Processes: 1041, Acknowledged: 800, Kills: 135, Recoveries: 15,
		Reads:    53,
		Entries:  selftest.Tally{Acknowledged: 407, Found: 432},
		Evidence: selftest.Tally{Acknowledged: 145, Found: 152},
		Claims:   selftest.Claims{Processes: 8, Tasks: 40, HandedOut: 40},
		Net:      selftest.Net{Changes: 173, Kills: 32, Edits: 28, Looks: 6, Acknowledged: 123, Present: 116, Offered: 7},
		Disk:     selftest.Disk{Dir: "/tmp/x", FileSystem: "ext4", SyncMicros: 130},
		Failures: []string{},
	}
}

// selftestDoor returns an app that prints into the two buffers.
func selftestDoor(asJSON bool) (d *app.App, out, complaints *bytes.Buffer) {
	out, complaints = new(bytes.Buffer), new(bytes.Buffer)
	env := report.Env{Stdout: out, Stderr: complaints, Getenv: func(string) string { return "" }}
	return &app.App{Env: env, JSON: asJSON}, out, complaints
}

func TestSelftest_Table(t *testing.T) {
	t.Parallel()
	d, out, complaints := selftestDoor(false)
	if code := d.ExitCode(answer(d, soundRun())); code != 0 || complaints.Len() != 0 {
		t.Errorf("exit code %d, standard error %q", code, complaints)
	}
	want := `what      found
writers   8 at a time, 1041 processes, 7.3s, seed 7
changes   800 acknowledged, 0 refused, 53 reads meanwhile, dialect v2
kills     135, 15 recoveries noticed
entries   407 acknowledged, 432 found, 0 lost, 0 doubled
evidence  145 acknowledged, 152 found, 0 lost, 0 doubled
net       123 acknowledged, 116 present, 7 offered, 0 lost, 0 doubled
damage    28 edits, 32 kills, 173 changes acknowledged, 6 looks meanwhile
claims    40 of 40 tasks handed to 8 processes, 0 twice
disk      ext4, 130 µs for a small write with fsync
folder    /tmp/x
result    nothing lost, nothing doubled, nothing left behind
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestSelftest_FailureIsAnErrorWithTheReport(t *testing.T) {
	t.Parallel()
	r := soundRun()
	r.OK, r.Entries.Lost, r.Kept = false, 1, "/tmp/x"
	r.Failures = []string{"log entry \x1b[31m was acknowledged and is not there"}
	for name, asJSON := range map[string]bool{"text": false, "json": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, out, complaints := selftestDoor(asJSON)
			if code := d.ExitCode(answer(d, r)); code != report.Violation.Row().Exit || out.Len() != 0 {
				t.Errorf("exit code %d, standard output %q", code, out)
			}
			if !asJSON {
				for _, want := range []string{
					"1 lost", "was acknowledged and is not there", "baton: the self-test failed", "hint: the files are kept in /tmp/x",
					"--seed 7",
				} {
					if !strings.Contains(complaints.String(), want) {
						t.Errorf("standard error lacks %q: %s", want, complaints)
					}
				}
				if strings.Contains(complaints.String(), "\x1b") {
					t.Errorf("an escape sequence reaches the terminal: %q", complaints)
				}
				return
			}
			var object struct {
				Error struct {
					Code    string
					Details struct{ Report selftest.Report }
				}
			}
			if err := json.Unmarshal(complaints.Bytes(), &object); err != nil {
				t.Fatalf("%v: %s", err, complaints)
			}
			if object.Error.Code != "selftest_failed" || object.Error.Details.Report.Entries.Lost != 1 {
				t.Errorf("error object %s", complaints)
			}
		})
	}
}

func TestSelftest_NeedsAProgram(t *testing.T) {
	t.Parallel()
	d, out, complaints := selftestDoor(false)
	code := d.ExitCode(Run(t.Context(), d, Options{Writers: 1, Changes: 1}))
	if code != report.Unavailable.Row().Exit || out.Len() != 0 || !strings.Contains(complaints.String(), "hint: baton selftest") {
		t.Errorf("exit code %d, output %q, errors %q", code, out, complaints)
	}
}
