package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/term"
)

func main() {
	program := flag.String("baton", "bin/baton", "the program to show")
	keep := flag.String("dir", "", "folder to play in (default: a new temporary one, which stays for reading)")
	flag.Parse()
	if err := run(*program, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "demo: not as told:", err)
		os.Exit(1)
	}
}

func run(program, dir string) error {
	start := time.Now()
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "baton-demo-"); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	s := &stage{program: program, dir: dir, out: os.Stdout, live: term.IsTerminal(int(os.Stdout.Fd()))}
	for _, act := range []func(*stage){prepare, schema, service, endpoints, digest, safety, folder, planning, curtain, agent} {
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
	s.say("The relay took %.1f s. The files are in %s: read them, edit them, go on with them.", time.Since(start).Seconds(), dir)
	return nil
}
