// One dialog at a time. It belongs to the call that was looked at when it opened. When
// somebody else answers that call the dialog stays, with what was typed in it, and sends
// nothing any more: whoever types is never left typing into something else.

import { byId, el, newId } from './dom.js';
import { visible } from './visible.js';

/**
 * @typedef {{id: string, state: string, digest: string, places?: string[], risk?: string, confirm?: {word: string}|null, votes?: any[]}} About the call as it was
 * @type {{node: HTMLDialogElement, about: About|null, fail: (message: string) => void, end: (message: string) => void}|null}
 */
let open = null;

/** A dialog stands before the page. The browser tells that it was closed only a moment later. */
export function dialogOpen() {
  return open !== null && open.node.open;
}

export function closeDialog() {
  open?.node.close();
}

/**
 * A call has changed. A dialog about what it was before is over.
 * @param {{id: string, state: string, digest?: string, places?: string[], risk?: string, confirm?: {word: string}|null, votes?: any[]}} call
 * @param {string} message what is said when it does not wait any more
 */
export function overtake(call, message) {
  const about = open?.about;
  if (!about || about.id !== call.id) return;
  if (about.state !== call.state) open?.end(message);
  else if (call.digest !== undefined) compare(about, call);
}

/** What is not the call that the dialog shows is not answered from it. @param {About} about */
function compare(about, { digest, places, risk, confirm, votes }) {
  const close = 'Nothing was sent. Close this, and look at the call again; what you typed stays here until then.';
  if (about.digest !== digest) open?.end(`It is not the call any more that this shows. ${close}`);
  else if ('places' in about && String(about.places) !== String(places)) open?.end(`It leads to another file now${places?.length ? `: ${places.join(', ')}` : ''}. ${close}`);
  else if ('risk' in about && (about.risk !== risk || about.confirm?.word !== confirm?.word)) open?.end(`Its risk is another one now: ${risk}. ${close}`);
  else if ('risk' in about) more(about.votes ?? [], votes ?? []);
}

/** Who believes that others look at it after them is told when that is not so any more. */
function more(before, now) {
  const fresh = now.find((vote) => vote.same && !before.some(({ by }) => by === vote.by));
  if (fresh) open?.fail(`${fresh.by} has approved it meanwhile, so your yes may be the last one that is needed.`);
}

/**
 * @param {object} options
 * @param {string} options.title
 * @param {any[]} options.inside
 * @param {boolean} [options.broad]
 * @param {() => void} [options.submit]
 * @param {About} [options.about] none for a dialog that is about no call, or about several
 */
export function showDialog({ title, inside, broad = false, submit, about }) {
  closeDialog();
  const name = newId();
  const problem = el('p', { class: 'notice bad', role: 'alert', hidden: true });
  let over = false;
  const send = () => over || /** @type {HTMLButtonElement|null} */ (form.querySelector('.sends button'))?.disabled || submit?.();
  const form = el('form', {
    novalidate: true,
    on: {
      submit: (event) => { event.preventDefault(); send(); },
      keydown: (event) => {
        if (event.key !== 'Enter') return;
        if (event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault(); // a key that is held down sends nothing
        else if ((event.ctrlKey || event.metaKey) && !event.repeat) send();
      },
      click: (event) => event.detail > 1 && event.target.closest('.sends') && event.preventDefault(), // nor does the second click of a double one
    },
  }, el('h2', { id: name }, title), ...inside.slice(0, -1), problem, inside.at(-1));
  const dialog = el('dialog', { 'aria-labelledby': name, class: broad ? 'broad' : '' }, form);
  const before = document.activeElement;
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (open?.node === dialog) open = null;
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    if (document.activeElement !== before) byId('call').focus({ preventScroll: true }); // a button that is off cannot have it
  });
  document.body.append(dialog);
  /** Says what went wrong, and leaves the dialog as it is. */
  const fail = (message) => {
    if (over) return;
    problem.replaceChildren(visible(message));
    problem.hidden = false;
    problem.scrollIntoView({ block: 'nearest' });
  };
  const end = (message) => {
    fail(message);
    over = true;
    const cancel = form.querySelector('.cancel');
    const sends = form.querySelector('.sends');
    if (cancel) cancel.textContent = 'Close';
    if (sends?.contains(document.activeElement)) cancel?.focus();
    if (sends) sends.disabled = true;
  };
  open = { node: dialog, about: about ?? null, fail, end };
  dialog.showModal();
  return { form, close: () => dialog.close(), fail, end };
}

/** The buttons below a dialog: the way out first, then what it is for. */
export function actions(...buttons) {
  return el('div', { class: 'actions' }, el('button', { type: 'button', class: 'cancel', on: { click: closeDialog } }, 'Cancel'), el('fieldset', { class: 'sends' }, ...buttons));
}
