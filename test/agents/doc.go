// Package agents runs real coding agents against scripted models, on loopback only, with baton's
// own entries in their settings: what baton tells a model is looked for in the requests that the
// model got (agents.md 12).
//
// The tests are behind the tag agents and run on Linux, since they need a network namespace; `make
// test-agents` installs the agents and runs them. An agent that is not installed is skipped, unless
// BATON_AGENTS=require:claude,… names it. BATON_AGENTS_SLOW=1 adds OpenCode, whose start waits for
// a network that is not there. BATON_AGENTS_KEEP=DIR keeps what models and hooks were sent, below
// DIR.
package agents
