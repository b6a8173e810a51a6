package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
)

// agentVariable makes the demo's own executable act as the process of a coding agent.
const agentVariable = "BATON_DEMO_AGENT"

// client is the process of a coding agent. It runs commands for the demo, so that baton sees them
// come from a process that can be killed.
type client struct {
	session string
	cmd     *exec.Cmd
	in      *json.Encoder
	out     *json.Decoder
}

// order is a command that an agent runs, and result its outcome.
type (
	order struct {
		Program, Dir, Stdin string
		Args, Env           []string
	}
	result struct {
		Out, Complaint, Failure string
		Code                    int
	}
)

// startClient starts the process of an agent.
func startClient(session string) (*client, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(clean(os.Environ()), agentVariable+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &client{session: session, cmd: cmd, in: json.NewEncoder(in), out: json.NewDecoder(out)}, nil
}

// run has the agent run a command.
func (c *client) run(o order) (r result, err error) {
	if err := c.in.Encode(o); err != nil {
		return r, err
	}
	return r, c.out.Decode(&r)
}

// kill ends the process of the agent at once.
func (c *client) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}

// serveAgent runs commands until the input ends, and returns an exit code.
func serveAgent(in io.Reader, out io.Writer) int {
	orders, results := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var o order
		if err := orders.Decode(&o); err != nil {
			return 0
		}
		if results.Encode(execute(o)) != nil {
			return 1
		}
	}
}

// execute runs one command.
func execute(o order) (r result) {
	cmd := exec.Command(o.Program, o.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin = o.Dir, o.Env, strings.NewReader(o.Stdin)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return result{Failure: err.Error()}
	}
	return result{Out: out.String(), Complaint: complaint.String(), Code: cmd.ProcessState.ExitCode()}
}
