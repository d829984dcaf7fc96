// Turns what came out of a run into a small observation that can be compared across implementations.
// Keys named "info" are for the reader: they are never compared. Prose written by the implementation is
// reduced to the MARK-… tokens it contains; text scripted by the scenario is kept.
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
export const marks = (v) => [...new Set((typeof v === 'string' ? v : JSON.stringify(v ?? '')).match(/MARK-[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*/g) || [])].sort();

export function makeNormaliser(sc, sandbox) {
  const { dir, root, vars } = sandbox;
  const scripted = new Set();
  const collect = (v) => { if (typeof v === 'string') scripted.add(v); else if (v && typeof v === 'object') Object.values(v).forEach(collect); };
  collect(sandbox.fill(sc.turns || [])); collect(sandbox.fill(sc.side || []));
  const slug = (p) => p.replace(/[^A-Za-z0-9]/g, '-');
  const str = (s) => s
    .split(vars.HTTP || '\0').join('${HTTP}').split(dir.work).join('${WORK}').split(dir.home).join('${HOME}').split(dir.outside).join('${OUTSIDE}').split(dir.state).join('${STATE}')
    .split(slug(dir.work)).join('${WORKSLUG}').split(root).join('${ROOT}').replace(UUID, '<uuid>').replace(/\ba[0-9a-f]{16}\b/g, '<agent>')
    .replace(/"[^"]*" "[^"]*hook\.mjs" "\$\{STATE\}" ([\w-]+)/g, '@$1');
  const deep = (v) => typeof v === 'string' ? str(v) : Array.isArray(v) ? v.map(deep)
    : v && typeof v === 'object' ? Object.fromEntries(Object.entries(v).map(([k, x]) => [str(k), deep(x)])) : v;
  const snippet = (s) => str(s).replace(/\s+/g, ' ').slice(0, 110);
  const prose = (s) => {
    if (s == null) return {};
    const t = typeof s === 'string' ? s : JSON.stringify(s);
    if (scripted.has(t)) return { text: str(t) };
    return { marks: marks(t), info: snippet(t) };
  };
  const present = (o, keys) => keys.filter((k) => k in o);
  const toolResult = (b) => {
    const s = typeof b.content === 'string' ? b.content : (b.content || []).map((c) => c.text || `<${c.type}>`).join('\n');
    const is_error = b.is_error === true;
    const says = sc.says?.[b.tool_use_id]?.filter((re) => new RegExp(re, 'is').test(s));
    return { tool_result: b.tool_use_id, is_error, marks: marks(s), ...(says ? { says } : {}), ...(is_error ? { info: snippet(s) } : {}) };
  };

  const CORE = ['AskUserQuestion', 'Bash', 'Edit', 'Read', 'Write', 'ExitPlanMode'];
  const message = (m) => {
    const t = m.subtype && m.type === 'system' ? `system/${m.subtype}` : m.type;
    switch (t) {
      case 'system/init':
        return { t, permissionMode: m.permissionMode, keys: present(m, ['cwd', 'session_id', 'tools', 'mcp_servers', 'model', 'permissionMode', 'slash_commands', 'apiKeySource', 'claude_code_version', 'output_style', 'agents', 'skills', 'plugins', 'uuid']),
          info: { tools: (m.tools || []).filter((x) => CORE.includes(x) || x.startsWith('mcp__')), mcp: (m.mcp_servers || []).map((s) => `${s.name}:${s.status}`) } };
      case 'assistant':
        return { t, ...(m.parent_tool_use_id ? { parent: m.parent_tool_use_id } : {}), ...(m.error ? { error: m.error } : {}), blocks: (m.message?.content || []).map((b) => b.type === 'tool_use' ? { tool_use: b.id, name: b.name, input: deep(b.input) } : b.type === 'text' ? prose(b.text) : { [b.type]: true }) };
      case 'user': {
        const c = m.message?.content;
        const blocks = typeof c === 'string' ? [prose(c)] : (c || []).map((b) => b.type === 'tool_result' ? toolResult(b) : b.type === 'text' ? prose(b.text) : { [b.type]: true });
        return { t, ...(m.isReplay ? { replay: true } : {}), ...(m.isSynthetic ? { synthetic: true } : {}), ...(m.parent_tool_use_id ? { parent: m.parent_tool_use_id } : {}), blocks,
          keys: present(m, ['tool_use_result']) };
      }
      case 'result': {
        const { text, ...rest } = prose(m.result);
        return { t, subtype: m.subtype, is_error: m.is_error, stop_reason: m.stop_reason, num_turns: m.num_turns,
          ...('result' in m ? { result: text ?? (m.result === '' ? '' : { marks: rest.marks, info: rest.info }) } : {}),
          permission_denials: deep((m.permission_denials || []).map(({ tool_name, tool_use_id, tool_input }) => ({ tool_name, tool_use_id, tool_input }))),
          ...deep(Object.fromEntries(['deferred_tool_use', 'deferred_tool_uses'].filter((k) => m[k] !== undefined).map((k) => [k, m[k]]))),
          ...(sc.says?.result ? { says: sc.says.result.filter((re) => new RegExp(re, 'is').test([m.result, ...(m.errors || [])].join('\n'))) } : {}),
          keys: present(m, ['session_id', 'duration_ms', 'duration_api_ms', 'total_cost_usd', 'usage', 'modelUsage', 'uuid']),
          info: { terminal_reason: m.terminal_reason, errors: (m.errors || []).map((e) => str(String(e)).slice(0, 110)) } };
      }
      case 'control_request': {
        const { subtype, tool_name, input, tool_use_id, blocked_path, permission_suggestions, callback_id, server_name, message: rpc, ...other } = m.request || {};
        const id = tool_use_id && String(tool_use_id).replace(UUID, '<uuid>');
        if (subtype === 'hook_callback') return { t, subtype, callback_id, ...(input?.tool_use_id ? { tool_use_id: id } : {}), input: (({ hook: _, ...h }) => h)(hook({ input })) };
        if (subtype === 'mcp_message') return { t, subtype, server_name, method: rpc?.method, ...(rpc?.method === 'tools/call' ? { params: deep({ name: rpc.params?.name, arguments: rpc.params?.arguments }) } : {}) };
        return { t, subtype, ...deep({ tool_name, input, tool_use_id: id, blocked_path }), ...(sc.compareSuggestions ? { suggestions: deep(permission_suggestions) } : {}),
          info: deep({ permission_suggestions, ...Object.fromEntries(Object.entries(other).map(([k, v]) => [k, typeof v === 'string' ? v.slice(0, 110) : v])) }) };
      }
      case 'control_response': return { t, subtype: m.response?.subtype, info: { keys: Object.keys(m.response?.response || {}).sort(), error: m.response?.error && str(String(m.response.error)).slice(0, 110) } };
      case 'control_cancel_request': return { t };
      case 'system/hook_started': return { t, hook_event: m.hook_event, hook_name: m.hook_name };
      case 'system/hook_progress': return { t, hook_event: m.hook_event, hook_name: m.hook_name, marks: marks(m) };
      case 'system/hook_response': return { t, hook_event: m.hook_event, hook_name: m.hook_name, exit_code: m.exit_code, outcome: m.outcome, keys: present(m, ['stdout', 'stderr', 'output', 'hook_id']), marks: marks(m) };
      case 'system/status': return { t, permissionMode: m.permissionMode, status: m.status };
      case 'system/permission_denied': return { t, tool_name: m.tool_name, tool_use_id: m.tool_use_id };
      case '<text>': return { t, ...prose(m.text) };
      default: return null;
    }
  };

  const OPTIONAL = new Set(['system/status', 'system/permission_denied', 'control_cancel_request']);
  const run = (r) => {
    const kept = [], extra = {};
    for (const m of r.messages) {
      if (Array.isArray(m)) { kept.push({ t: 'array' }); m.forEach((x) => { const y = message(x); if (y) kept.push(y); }); continue; }
      const n = message(m);
      const t = m.subtype && m.type === 'system' ? `system/${m.subtype}` : m.type;
      if (n && !(OPTIONAL.has(n.t) && !(sc.keep || []).includes(n.t))) kept.push(n); else extra[t] = (extra[t] || 0) + 1;
    }
    const ids = new Set(r.messages.filter((m) => m.type !== 'system' || m.subtype === 'init').map((m) => m.session_id).filter(Boolean));
    return { exit: r.exit, one_session_id: ids.size <= 1, messages: kept, info: { extra, stderr: str(r.stderr || '').replace(/(file:\/\/)?\/(tmp|usr|root|home|opt|var)\/[^\s)"']*/g, '<path>').replace(/\s+/g, ' ').slice(0, 110) } };
  };

  const DROP = new Set(['session_id', 'transcript_path', 'cwd', 'permission_mode', 'hook_event_name', 'tool_name', 'tool_input', 'tool_use_id', 'tool_response', 'duration_ms', 'effort', 'prompt_id', 'last_assistant_message', 'model', 'background_tasks', 'session_crons', 'session_title', 'scheduled_tasks', 'seconds_since_last_response', 'context_tokens', 'prompt_cache_likely_expired', 'estimated_cache_write_usd', 'mcp_server', 'permission_suggestions', 'agent_transcript_path']);
  const hook = ({ hook: name, input: i }) => ({ hook: name, event: i.hook_event_name, ...(i.tool_name ? { tool_name: i.tool_name } : {}), ...(i.tool_input !== undefined ? { tool_input: deep(i.tool_input) } : {}),
    ...(i.tool_use_id ? { tool_use_id: i.tool_use_id } : {}), ...(i.permission_mode ? { permission_mode: i.permission_mode } : {}), ...(i.tool_response !== undefined ? { tool_response: marks(i.tool_response) } : {}),
    keys: Object.keys(i).sort(), rest: Object.fromEntries(Object.entries(i).filter(([k]) => !DROP.has(k)).map(([k, v]) => [k, typeof v === 'string' && v.length > 60 && !scripted.has(v) ? { marks: marks(v) } : deep(v)])) });

  // What the model was told in each main request after its own last message. With comparePrefix also how the request
  // continues the one before: `extends` is true when that one is its exact beginning, `added` lists the blocks that follow.
  const api = (log) => {
    const plain = (ms) => ms.map((m) => JSON.stringify({ role: m.role, content: typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content }, (k, v) => (k === 'cache_control' ? undefined : v)));
    let before;
    return log.filter((e) => e.main !== undefined).map((e) => {
      const ms = e.messages || []; let k = ms.length - 1; while (k >= 0 && ms[k].role !== 'assistant') k--;
      const blocks = ms.slice(k + 1).flatMap((m) => (typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content));
      const now = plain(ms), was = before; before = now;
      return { tool_results: blocks.filter((b) => b.type === 'tool_result').map((b) => { const { info, ...r } = toolResult(b); return r; }), marks: marks(blocks.filter((b) => b.type === 'text').map((b) => b.text).join('\n')),
        ...(sc.comparePrefix && was ? { extends: was.every((m, i) => m === now[i]), added: now.slice(was.length).flatMap((m) => { const { role, content } = JSON.parse(m); return content.map((b) => `${role}:${b.type}`); }) } : {}) };
    });
  };
  return { run, hook, api, deep, str, message };
}
