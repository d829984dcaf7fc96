// What there is to know while nothing waits: what goes on, what was answered lately, how to
// let a call wait here, and the keys.

import * as api from './api.js';
import { Failure } from './api.js';
import { command, quoted } from './copy.js';
import { el, plural } from './dom.js';
import { sentence, stateBadge } from './sentence.js';
import { set, state } from './state.js';
import { time } from './time.js';
import { told, untrusted } from './untrusted.js';
import { escaped, visible } from './visible.js';

let busy = false;
let again = false;

/** Nothing waits, and nothing is looked at. */
export function idle() {
  return state.list === 'ready' && state.items.length === 0 && state.view === 'waiting' && state.selected === '';
}

/** Reads it, if it is shown. */
export async function loadOverview() {
  if (!idle()) return;
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  try {
    set({ overview: await api.overview() });
  } catch (error) {
    if (!(error instanceof Failure)) throw error; // the rest of the page says when the server is gone
  }
  busy = false;
  if (!again) return;
  again = false;
  loadOverview();
}

/** @param {(id: string) => void} open */
export function overview(open) {
  const known = state.overview;
  return el('div', { class: 'overview' },
    el('p', {}, 'A call that waits for a person appears here by itself.'),
    known?.today ? el('p', { class: 'number' }, today(known.today)) : null,
    known ? running(known.running) : null,
    known ? lately(known.answered, open) : null,
    parking(),
    el('p', { class: 'muted' }, el('kbd', {}, '/'), ' searches the history. ', el('kbd', {}, '?'), ' shows all keys.'));
}

function today({ allowed, rules, denied, parked }) {
  const by = rules > 0 ? ` by ${plural(rules, 'rule')}` : '';
  return `Today ${plural(allowed, 'call')} ${allowed === 1 ? 'was' : 'were'} allowed${by}, ${denied} denied, ${parked} put to a person.`;
}

function running(sessions) {
  return el('section', {}, el('h3', {}, 'Running now'),
    ...(sessions.length === 0 ? [el('p', { class: 'muted' }, 'No session is running here.')] : sessions.map((one) => untrusted(`Task of session ${one.session.slice(0, 8)} in ${escaped(one.cwd)}`, told(one.prompt)))));
}

function lately(items, open) {
  const row = (item) => el('li', {}, stateBadge(item),
    el('span', {}, el('button', { type: 'button', class: 'link', on: { click: () => open(item.id) } }, sentence(item.edited_sentence ?? item.sentence)), el('span', { class: 'muted' }, 'by ', visible(item.answer?.by, { line: true }), ', ', item.answer ? time(item.answer.at, 'at') : '')));
  return el('section', {}, el('h3', {}, 'Answered lately'), items.length === 0 ? el('p', { class: 'muted' }, 'Nobody has answered anything yet.') : el('ul', { class: 'past' }, ...items.map(row)));
}

/** The questions of an agent come here with this. */
function parking() {
  const server = { mcpServers: { assent: { command: 'assent', args: ['mcp', ...(state.place ? ['--state', state.place] : [])] } } };
  const config = JSON.stringify(server, null, 1).replace(/\s+/g, ' ');
  return el('section', {}, el('h3', {}, 'Let the questions of an agent wait here'),
    command(`assent -p 'say what to do' \\\n  --permission-prompt-tool mcp__assent__approve \\\n  --mcp-config ${quoted(config)}`),
    el('p', { class: 'muted' }, 'The same flags work for ', el('code', {}, 'claude -p'), '. A hook that says ', el('code', {}, 'defer'), ' parks a call, and the process may end meanwhile.'));
}
