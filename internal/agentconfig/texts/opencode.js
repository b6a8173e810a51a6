@HEADER@
import { spawn } from "node:child_process";

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
  const parents = new Map();
  const failed = new Set();
  let last;
  const whose = (id) => parents.has(id) ? { session_id: parents.get(id), agent_id: id } : { session_id: id };
  const waits = async (type, id, properties) => {
    const { error } = properties;
    if (type === "permission.asked" || type === "permission.updated") {
      await ask("permission", directory, { ...whose(id), tool_name: properties.permission ?? properties.type, tool_input: { command: [].concat(properties.patterns ?? properties.pattern ?? []).join(" ") } });
    } else if (type === "question.asked") {
      await ask("question", directory, { ...whose(id), tool_input: { questions: properties.questions } });
    } else if (type === "permission.replied" || type === "question.replied" || type === "question.rejected") {
      await ask("answered", directory, whose(id));
    } else if (type === "session.error" && !parents.has(id)) {
      failed.add(id);
      if (error?.name === "MessageAbortedError") await ask("interrupt", directory, { session_id: id });
      else await ask("stop-failure", directory, { session_id: id, error: { name: error?.data?.statusCode === 429 ? "rate_limit" : error?.name, message: error?.data?.message } });
    } else if (type === "session.idle" && !parents.has(id) && !failed.delete(id)) {
      await ask("stop", directory, { session_id: id });
    }
  };
  const digest = (id) => {
    if (!digests.has(id)) digests.set(id, ask("session-start", directory, { session_id: id }));
    return digests.get(id);
  };
  return {
    event: async ({ event }) => {
      const id = event?.properties?.sessionID ?? event?.properties?.info?.id;
      if (event?.type === "session.created" && id) {
        const parent = event.properties?.info?.parentID;
        if (parent) digests.set(id, {}), parents.set(id, parents.get(parent) ?? parent); // a sub-agent gets no digest
        else digest(last = id);
      }
      if (event?.type && id) await waits(event.type, id, event.properties);
    },
    "chat.message": async (input) => {
      const id = last = input?.sessionID ?? last;
      if (!id || parents.has(id)) return;
      failed.delete(id);
      await digest(id);
      await ask("prompt", directory, { session_id: id });
    },
    "experimental.chat.system.transform": async (input, output) => {
      const id = input?.sessionID ?? last;
      const { context } = id ? await digest(id) : {};
      if (context && Array.isArray(output?.system)) output.system.push(context);
    },
    "tool.execute.before": async (input, output) => {
      const call = JSON.stringify([input?.sessionID, input?.callID]);
      if (input?.callID) running.set(call, output?.args);
      if (running.size > 64) running.delete(running.keys().next().value);
      const { deny } = await ask("pre-tool", directory, { ...whose(input?.sessionID), tool_name: input?.tool, tool_input: output?.args, tool_use_id: input?.callID });
      if (!deny) return;
      running.delete(call);
      throw new Error(String(deny));
    },
    "tool.execute.after": async (input) => {
      const call = JSON.stringify([input?.sessionID, input?.callID]);
      const args = input?.args ?? running.get(call);
      running.delete(call);
      await ask("post-tool", directory, { ...whose(input?.sessionID), tool_name: input?.tool, tool_input: args, tool_use_id: input?.callID });
    },
    "experimental.session.compacting": async (input, output) => {
      digests.delete(input?.sessionID);
      const { context } = await ask("pre-compact", directory, { session_id: input?.sessionID });
      if (context && Array.isArray(output?.context)) output.context.push(context);
    },
  };
};
