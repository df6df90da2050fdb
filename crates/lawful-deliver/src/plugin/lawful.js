// Lawful: `lawful hook install` wrote this file, and `lawful hook uninstall` removes it.
//
// It runs `lawful hook` for the events of opencode. A tool call or a prompt that Lawful denies, or
// does not answer, is denied by an error.

import { spawn } from "node:child_process"

/** The events to ask about, and the options of the command. */
const OPTIONS = "OPTIONS"
/** How long to wait for an answer, in seconds. */
const PATIENCE = { stop: 900 }
/** How often a stop is blocked if Lawful does not answer. */
const BLOCKS = 3

/** The answer of Lawful to an event; rejects if there is none. */
function ask(event, project, input) {
  return new Promise((resolve, reject) => {
    const fail = (why) =>
      reject(new Error(`Lawful did not answer, so this cannot be checked (${why}). A person must see to it: is \`lawful\` installed, and on the PATH?`))
    if (!OPTIONS.events.includes(event)) return resolve({})
    const options = OPTIONS.arguments.map((word) => word.replace("${PROJECT}", () => project))
    let child
    try {
      child = spawn("lawful", ["hook", "--harness", "opencode", event, ...options], { cwd: project })
    } catch (error) {
      return fail(error.message)
    }
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      fail("it takes too long")
    }, (PATIENCE[event] ?? 60) * 1000)
    let output = ""
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (text) => (output += text))
    child.stderr.resume()
    child.stdin.on("error", () => {})
    child.on("error", (error) => {
      clearTimeout(timer)
      fail(error.message)
    })
    child.on("close", (code, signal) => {
      clearTimeout(timer)
      if (code !== 0) return fail(signal ?? `exit code ${code}`)
      try {
        const answer = output.trim() === "" ? {} : JSON.parse(output)
        if (answer === null || typeof answer !== "object") return fail("the answer is invalid")
        resolve(answer)
      } catch {
        fail("the answer is invalid")
      }
    })
    child.stdin.end(JSON.stringify(input))
  })
}

export const Lawful = async ({ client, directory, worktree }) => {
  const project = worktree && worktree !== "/" ? worktree : directory
  /** What is known of each session. */
  const sessions = new Map()
  const known = (id) => {
    if (!sessions.has(id)) sessions.set(id, { failures: 0, started: false })
    return sessions.get(id)
  }

  /** Whether a session belongs to a sub-agent. */
  const parentOf = async (id) => {
    const session = known(id)
    if (session.parent === undefined) {
      const found = await client.session.get({ path: { id } })
      if (!found.data) throw new Error("Lawful cannot find the session, so this cannot be checked")
      session.parent = found.data.parentID ?? null
    }
    return session.parent
  }

  /** The fields of every event. A sub-agent works in the session of its parent. */
  const base = async (name, id) => {
    const parent = await parentOf(id)
    const fields = { hook_event_name: name, session_id: parent ?? id, cwd: directory, project }
    if (parent !== null) Object.assign(fields, { agent_id: id, agent_type: known(id).agent })
    return fields
  }

  const servers = async () => {
    const found = await client.mcp.status()
    if (!found.data) throw new Error("Lawful cannot list the MCP servers, so this cannot be checked")
    return Object.keys(found.data)
  }

  /** Throws if the answer is anything but permission. */
  const check = (answer) => {
    if (answer.decision !== undefined) throw new Error(answer.reason ?? "denied by Lawful")
  }

  const stop = async (id) => {
    const session = known(id)
    if ((await parentOf(id)) !== null) return
    let reason
    try {
      const input = { ...(await base("session.idle", id)), stop_hook_active: session.blocked === true }
      const answer = await ask("stop", project, input)
      session.failures = 0
      reason = answer.decision === undefined ? undefined : (answer.reason ?? "blocked by Lawful")
    } catch (error) {
      session.failures += 1
      reason = session.failures > BLOCKS ? undefined : error.message
    }
    session.blocked = reason !== undefined
    if (reason === undefined) return
    session.own = reason
    await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: reason }] } })
  }

  return {
    event: async ({ event }) => {
      if (event.type === "session.idle") await stop(event.properties.sessionID)
    },

    "chat.message": async (input, output) => {
      const id = input.sessionID
      const session = known(id)
      session.agent = input.agent ?? session.agent
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = texts.map((part) => part.text).join("\n")
      const isSubAgent = (await parentOf(id)) !== null
      if (!session.started) {
        const first = isSubAgent ? "agent-start" : "session-start"
        const fields = { ...(await base("chat.message", id)), source: "startup" }
        session.context = (await ask(first, project, fields)).context
        session.started = true
      }
      // Nobody submitted the prompt of a sub-agent, or the reason of a blocked stop.
      if (isSubAgent || prompt === session.own) return
      const answer = await ask("prompt", project, { ...(await base("chat.message", id)), prompt })
      check(answer)
      session.turn = answer.context
    },

    "experimental.chat.system.transform": async (input, output) => {
      const session = sessions.get(input.sessionID)
      for (const text of [session?.context, session?.turn]) if (text) output.system.push(text)
    },

    "tool.execute.before": async (input, output) => {
      const fields = {
        ...(await base("tool.execute.before", input.sessionID)),
        call_id: input.callID,
        mcp_servers: await servers(),
        tool_name: input.tool,
        tool_input: output.args,
      }
      check(await ask("tool-call", project, fields))
    },

    "tool.execute.after": async (input, output) => {
      const fields = {
        ...(await base("tool.execute.after", input.sessionID)),
        call_id: input.callID,
        mcp_servers: await servers(),
        tool_name: input.tool,
        tool_input: input.args,
        tool_response: { output: output?.output ?? null },
      }
      // The tool has run: there is nothing left to deny.
      const answer = await ask("tool-result", project, fields).catch(() => ({}))
      if (answer.context && typeof output?.output === "string") output.output += `\n\n${answer.context}`
    },

    "experimental.session.compacting": async (input, output) => {
      const fields = { ...(await base("experimental.session.compacting", input.sessionID)), trigger: "auto" }
      const answer = await ask("compact", project, fields).catch(() => ({}))
      if (answer.context) output.context.push(answer.context)
    },
  }
}
