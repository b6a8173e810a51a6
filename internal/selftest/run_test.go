package selftest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"baton/internal/cli"
	"baton/internal/report"
	"baton/internal/selftest"
	"baton/test/programs"
)

// standIn makes the test binary act as a program with a fault instead of running tests.
const standIn = "SELFTEST_STAND_IN"

func TestMain(m *testing.M) {
	if fault := os.Getenv(standIn); fault != "" {
		os.Exit(faulty(fault, os.Args[1:]))
	}
	if os.Getenv("BATON_SELFTEST") != "" {
		os.Exit(1) // a run started this binary in place of baton; tests that start runs must not run inside one
	}
	code := m.Run()
	if dir, _ := built(); dir != "" {
		_ = os.RemoveAll(filepath.Dir(dir))
	}
	os.Exit(code)
}

// faulty is baton with one fault. "forgets" acknowledges some log entries without writing them; "repeats" writes some
// twice; "shares" hands one task of the queue to several processes; "ignores" acknowledges decisions without writing
// them.
func faulty(fault string, args []string) int {
	env := cli.Environment(args)
	line := strings.Join(args, " ")
	unlucky := strings.Contains(line, "baton-selftest:log:1:") // all entries of one writer
	switch {
	case fault == "ignores" && strings.HasPrefix(line, "decision add"):
		fmt.Println(`{}`)
		return 0
	case fault == "forgets" && unlucky:
		fmt.Println(`{"task":"1","session":1,"archived_sessions":[],"warnings":[]}`)
		return 0
	case fault == "repeats" && unlucky:
		first := env
		first.Stdout = new(strings.Builder)
		cli.Main(context.Background(), first, cli.Doors{})
	case fault == "shares" && strings.HasPrefix(line, "task claim") && os.Mkdir("shared-"+args[4], 0o777) == nil:
		fmt.Printf(`{"task":"1","claim":{"by":%q,"fence":1}}`+"\n", args[4])
		return 0
	}
	return cli.Main(context.Background(), env, cli.Doors{})
}

// built builds the program once for all tests, which test the whole program.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "baton-program-")
	if err != nil {
		return "", err
	}
	return programs.Make(dir, "baton")
})

func options(t *testing.T) selftest.Options {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return selftest.Options{
		Env: cli.Environment(nil), Program: program, Dir: t.TempDir(), Seed: 7, Tasks: -1, NoNet: true,
		Progress: func(line string) { t.Log(line) },
	}
}

func TestRun_KilledWritersLoseNothing(t *testing.T) {
	t.Parallel()
	o := options(t)
	o.Writers, o.Changes, o.Tasks = 3, 8, 6
	r, err := selftest.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK {
		t.Errorf("failures: %s", strings.Join(r.Failures, "\n"))
	}
	if r.Acknowledged != 3*8 || r.Refused != 0 {
		t.Errorf("%d changes acknowledged, %d refused, want 24 and 0", r.Acknowledged, r.Refused)
	}
	if r.Entries.Acknowledged == 0 || r.Evidence.Acknowledged == 0 || r.Claims.HandedOut != 6 {
		t.Errorf("a part was left out: entries %+v, evidence %+v, claims %+v", r.Entries, r.Evidence, r.Claims)
	}
	left, err := os.ReadDir(o.Dir)
	if err != nil || len(left) != 0 {
		t.Errorf("%d files are left in the folder of the run (%v)", len(left), err)
	}
	t.Logf("%+v", r)
}

// TestClaims_EightProcessesNeverHoldOneTaskTwice claims all tasks of a queue of 200 (40 with -short).
func TestClaims_EightProcessesNeverHoldOneTaskTwice(t *testing.T) {
	t.Parallel()
	o := options(t)
	o.Writers, o.Tasks, o.Changes = 8, 200, 1
	if testing.Short() {
		o.Tasks = 40
	}
	r, err := selftest.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := selftest.Claims{Processes: 8, Tasks: o.Tasks, HandedOut: o.Tasks}
	if r.Claims != want {
		t.Errorf("claims %+v, want %+v", r.Claims, want)
	}
	if !r.OK {
		t.Errorf("failures: %s", strings.Join(r.Failures, "\n"))
	}
}

func TestRun_WhatAnEditorDamagesIsThereOrOffered(t *testing.T) {
	t.Parallel()
	o := options(t)
	o.Writers, o.Changes, o.NoNet = 2, 48, false
	if testing.Short() {
		o.Changes = 16
	}
	r, err := selftest.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK {
		t.Errorf("failures: %s", strings.Join(r.Failures, "\n"))
	}
	if n := r.Net; n.Acknowledged == 0 || n.Present+n.Offered != n.Acknowledged || n.Lost != 0 {
		t.Errorf("%+v", n)
	}
	t.Logf("%+v", r.Net)
}

// TestRun_CatchesAFaultyProgram runs a program with a fault, from the first process to the report.
func TestRun_CatchesAFaultyProgram(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		failure string
		seen    func(selftest.Report) bool
	}{
		"forgets": {
			"was acknowledged and is not there", func(r selftest.Report) bool { return r.Entries.Lost > 0 && r.Entries.Doubled == 0 },
		},
		"repeats": {"is there 2 times", func(r selftest.Report) bool { return r.Entries.Doubled > 0 && r.Entries.Lost == 0 }},
		"shares":  {"was handed to", func(r selftest.Report) bool { return r.Claims.Doubles > 0 }},
		"ignores": {"is in no document and not offered", func(r selftest.Report) bool { return r.Net.Lost > 0 && r.Entries.Lost == 0 }},
	}
	for fault, c := range cases {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			o.Program, o.Writers, o.Changes, o.Tasks = self, 2, 6, -1
			switch fault {
			case "shares":
				o.Changes, o.Tasks = 1, 4
			case "ignores":
				o.Changes, o.NoNet = 32, false
			}
			o.Env.Environ = append(slices.Clone(o.Env.Environ), standIn+"="+fault)
			r, err := selftest.Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if r.OK || !c.seen(r) {
				t.Errorf("the fault is not in the report: %+v", r)
			}
			if !slices.ContainsFunc(r.Failures, func(f string) bool { return strings.Contains(f, c.failure) }) {
				t.Errorf("no failure says %q: %q", c.failure, r.Failures)
			}
			if _, err := os.Stat(filepath.Join(r.Kept, "writers")); err != nil {
				t.Errorf("the folder of a failed run is not kept: %v", err)
			}
		})
	}
}

func TestRun_LeavesARepositoryAroundItAlone(t *testing.T) {
	t.Parallel()
	o := options(t)
	o.Writers, o.Changes, o.Tasks = 1, 1, 1
	around := filepath.Join(o.Dir, ".git")
	if err := os.Mkdir(around, 0o777); err != nil {
		t.Fatal(err)
	}
	r, err := selftest.Run(t.Context(), o)
	if err != nil || !r.OK {
		t.Fatalf("%v %q", err, r.Failures)
	}
	left, err := os.ReadDir(o.Dir)
	if err != nil || len(left) != 1 {
		t.Errorf("the folder around has %d entries, want .git only (%v)", len(left), err)
	}
	if inside, err := os.ReadDir(around); err != nil || len(inside) != 0 {
		t.Errorf("%d files were written into the repository around (%v)", len(inside), err)
	}
}

func TestRun_Refuses(t *testing.T) {
	t.Parallel()
	gone, stop := context.WithCancel(t.Context())
	stop()
	cases := map[string]struct {
		ctx    context.Context
		change func(*selftest.Options)
		kind   report.Kind
	}{
		"a folder that is not there": {t.Context(), func(o *selftest.Options) { o.Dir = filepath.Join(o.Dir, "absent") }, report.Refused},
		"a program that is not there": {
			t.Context(), func(o *selftest.Options) { o.Program = filepath.Join(o.Dir, "absent") }, report.Internal,
		},
		"no program":                   {t.Context(), func(o *selftest.Options) { o.Program = "" }, report.Internal},
		"neither time nor changes":     {t.Context(), func(o *selftest.Options) { o.Changes = -1 }, report.Usage},
		"a run that was called off":    {gone, func(*selftest.Options) {}, report.Interrupted},
		"a program that is no program": {t.Context(), func(o *selftest.Options) { o.Program = o.Dir }, report.Internal},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := selftest.Options{Env: cli.Environment(nil), Program: os.Args[0], Dir: t.TempDir(), Writers: 1, Changes: 1}
			dir := o.Dir
			c.change(&o)
			_, err := selftest.Run(c.ctx, o)
			if report.KindOf(err) != c.kind {
				t.Errorf("error %v of kind %q, want %q", err, report.KindOf(err), c.kind)
			}
			left, err := os.ReadDir(dir)
			if err != nil && !errors.Is(err, os.ErrNotExist) || len(left) != 0 {
				t.Errorf("%d files are left behind (%v)", len(left), err)
			}
		})
	}
}
