package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/term"
)

func main() {
	if os.Getenv(agentVariable) != "" {
		os.Exit(serveAgent(os.Stdin, os.Stdout))
	}
	program := flag.String("baton", "bin/baton", "the program to show")
	all := flag.Bool("all", false, "play the long demo of every part of baton")
	keep := flag.String("dir", "", "folder to play in, which is kept (default: a temporary one, which is removed)")
	flag.Parse()
	live := term.IsTerminal(int(os.Stdout.Fd()))
	if err := run(*program, *keep, *all, live, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo: something went differently than expected:", err)
		os.Exit(1)
	}
}

// run runs the short or the long demo in dir, or in a temporary folder that it removes.
func run(program, dir string, all, live bool, out io.Writer) (err error) {
	start := time.Now()
	program, err = filepath.Abs(program)
	if err != nil {
		return err
	}
	kept := dir != ""
	if !kept {
		if dir, err = os.MkdirTemp("", "baton-demo-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	s := &stage{program: program, dir: dir, out: out, live: live}
	if all {
		return runAll(s, start, kept)
	}
	return runShort(s)
}

// runAll shows every part of baton, one after the other.
func runAll(s *stage, start time.Time, kept bool) error {
	dir := s.dir
	for _, act := range []func(*stage){
		prepare, schema, service, endpoints, plans, digest, safety, folder, planning, curtain, agent,
	} {
		act(s)
		if s.err != nil {
			return s.err
		}
	}
	s.act("What is left behind")
	for _, line := range s.sizes {
		s.say("  %s", line)
	}
	s.say("")
	s.say("The relay took %.1f s.", time.Since(start).Seconds())
	if kept {
		s.say("The files are in %s: read them, edit them, continue with them.", dir)
	} else {
		s.say("To keep the files: go run ./demo -all -dir FOLDER")
	}
	return s.err
}
