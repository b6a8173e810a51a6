// Package agents holds the commands that set up coding agents and answer them.
package agents
