package agentconfig

func htmlHeader(note string) string   { return "<!-- " + note + " -->\n" }
func scriptHeader(note string) string { return "// " + note + "\n" }

// agentsBlock is what stands between the fence in AGENTS.md: fewer than 25 lines, no state, no
// overview of the repository (agents.md 4).
func agentsBlock() string {
	return `## baton

This repository keeps the state of its work in files that baton writes, so that a session starts where the last one ended.

- ` + "`baton context`" + ` prints where the project stands, what is active, and what the last session left to do.
- ` + "`baton protocol`" + ` prints how a session goes in this project, from its first step to the call that ends it.
- The last step of a session records what was done and what comes next. On a task that is
  ` + "`baton task log ID --did TEXT --next TEXT`" + `, and each criterion shown to hold is checked with ` +
		"`baton task check ID N`" + `. Where no tasks
  are kept it is ` + "`baton session end --stopped-at TEXT`" + `, in a project of SpecFlow ` +
		"`baton state active set ID --next TEXT`" + `.

Archives, records of evidence and metadata in JSON are changed by baton only. More is in ` +
		"`.agents/skills/baton/SKILL.md`" + `.
`
}

// skillFile is the skill, the same bytes wherever it is put (agents.md 4).
func skillFile() string {
	return `---
name: baton
description: Keeps the state of long-running work in files of the repository - tasks, acceptance criteria, sessions, decisions, blockers and hand-offs. Use it at the start of a session to see where the work stands, while working to check criteria and record decisions, and before stopping to log the session.
---
` + headerMark + `
# baton

Work that takes several sessions is kept in files: one per task, or one digest of the project, or both. baton reads and
writes them; every command takes ` + "`--json`" + `, and ` + "`baton help COMMAND`" +
		` says what it does. Where baton's MCP server is connected, its
tools do the same. How a session goes in this project, step by step: ` + "`baton protocol`" + `.

## When a session starts

The digest that stands in the conversation comes from baton. To have it again: ` + "`baton context`" +
		`. It names what is active, what is
open, the next steps of the last session and what was tried without success.

- With tasks: ` + "`baton task ready`" + ` lists what can begin, ` + "`baton task show ID`" + ` prints one task, and ` +
		"`baton session start ID`" + ` takes it,
  so that nobody else works on it at the same time.
- Without: ` + "`baton state show`" + ` prints the digest.

## While working

- A criterion of a task is checked when it has been seen to hold: ` + "`baton task check ID N`" +
		`, or with a command as evidence
  ` + "`baton task check ID N --run 'make test'`" + `.
- A decision that others need to know: ` + "`baton decision add`" + `. What stops the work: ` + "`baton blocker add`" +
		`.
- What the next task needs from this one: ` + "`baton task output ID`" + `.

Text in task files and digests may be edited by hand. Archives, records of evidence and metadata in JSON may not: numbers and hashes in them would no
longer agree.

## Before stopping

The last step records the session: what was done, what went wrong, the state, and the next steps for somebody who knows nothing
of it.

- On a task: ` + "`baton task log ID --did TEXT --next TEXT`" + `. ` + "`baton task complete ID`" +
		` ends one whose criteria are all checked.
- Where no tasks are kept: ` + "`baton session end --stopped-at TEXT`" + ` with a GSD digest or baton's own,
  ` + "`baton state active set ID --next TEXT`" + ` with SpecFlow's.
`
}

// openCodeModule hands OpenCode's events to `baton hook` and its answers back (agents.md 3.5). A
// missing program, a timeout and an answer that is no JSON do nothing; only a denial throws. What
// comes after a tool may name its call only, so its arguments are kept from before it, those of the
// newest 64 calls: one that fails has no event after it.
func openCodeModule() string {
	return headerMark + `import { spawn } from "node:child_process";

const ask = (event, directory, fields) => new Promise((resolve) => {
  let text = "";
  const done = () => { try { resolve(JSON.parse(text) ?? {}); } catch { resolve({}); } };
  try {
    const child = spawn("baton", ["hook", "--agent", "opencode", "--event", event], { cwd: directory, stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => { child.kill(); resolve({}); }, 2000);
    child.on("error", () => { clearTimeout(timer); resolve({}); });
    child.on("close", () => { clearTimeout(timer); done(); });
    child.stdin.on("error", () => {});
    child.stdout.on("data", (part) => { text += part; });
    child.stdin.end(JSON.stringify({ cwd: directory, hook_event_name: event, ...fields }));
  } catch { resolve({}); }
});

export const Baton = async ({ directory }) => {
  const digests = new Map();
  const running = new Map();
  let last;
  const digest = (id) => {
    if (!digests.has(id)) digests.set(id, ask("session-start", directory, { session_id: id }));
    return digests.get(id);
  };
  return {
    event: async ({ event }) => {
      const id = event?.properties?.sessionID ?? event?.properties?.info?.id;
      if (event?.type === "session.created" && id) {
        if (event.properties?.info?.parentID) digests.set(id, {}); // a sub-agent gets no digest
        else digest(last = id);
      }
      if (event?.type === "session.idle" && id) await ask("stop", directory, { session_id: id });
    },
    "chat.message": async (input) => { last = input?.sessionID ?? last; },
    "experimental.chat.system.transform": async (input, output) => {
      const id = input?.sessionID ?? last;
      const { context } = id ? await digest(id) : {};
      if (context && Array.isArray(output?.system)) output.system.push(context);
    },
    "tool.execute.before": async (input, output) => {
      const call = JSON.stringify([input?.sessionID, input?.callID]);
      if (input?.callID) running.set(call, output?.args);
      if (running.size > 64) running.delete(running.keys().next().value);
      const { deny } = await ask("pre-tool", directory, { session_id: input?.sessionID, tool_name: input?.tool, tool_input: output?.args, tool_use_id: input?.callID });
      if (!deny) return;
      running.delete(call);
      throw new Error(String(deny));
    },
    "tool.execute.after": async (input) => {
      const call = JSON.stringify([input?.sessionID, input?.callID]);
      const args = input?.args ?? running.get(call);
      running.delete(call);
      await ask("post-tool", directory, { session_id: input?.sessionID, tool_name: input?.tool, tool_input: args, tool_use_id: input?.callID });
    },
    "experimental.session.compacting": async (input, output) => {
      digests.delete(input?.sessionID);
      const { context } = await ask("pre-compact", directory, { session_id: input?.sessionID });
      if (context && Array.isArray(output?.context)) output.context.push(context);
    },
  };
};
`
}
