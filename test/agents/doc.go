// Package agents runs real coding agents against scripted models, on loopback only, with baton's
// entries in their settings. It checks that the requests to the model contain what baton tells it
// (agents.md 12).
//
// The tests have the tag agents and run on Linux, because they need a network namespace; `make
// test-agents` installs the agents and runs them. An agent that is not installed is skipped, unless
// BATON_AGENTS=require:claude,… names it. BATON_AGENTS_SLOW=1 adds OpenCode, which takes more than
// a minute to start without a network. BATON_AGENTS_KEEP=DIR keeps what models and hooks were sent,
// below DIR.
package agents
