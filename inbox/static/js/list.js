// A list of calls on the page. Rows are made once and then only filled again, so the list
// does not move under the cursor, and what has the focus keeps it.

import { el } from './dom.js';
import { fill, mark, row } from './row.js';

export class List {
  /** @type {Map<string, any>} */
  #rows = new Map();
  #ul = el('ul');

  /**
   * @param {string} label
   * @param {any} actions of the rows
   */
  constructor(label, actions) {
    this.actions = actions;
    this.#ul.setAttribute('aria-label', label);
  }

  get node() {
    return this.#ul;
  }

  /** @param {import('./state.js').Item[]} items */
  show(items) {
    const rows = new Map();
    for (const item of items) {
      const known = this.#rows.get(item.id);
      if (known && known.item !== item) fill(known.node, item);
      if (known) mark(known.node, item);
      rows.set(item.id, { item, node: known?.node ?? row(item, this.actions) });
    }
    const same = rows.size === this.#rows.size && [...rows.keys()].every((id, i) => id === this.#ul.children[i]?.getAttribute('data-id'));
    this.#rows = rows;
    if (same) return;
    const focused = this.#ul.contains(document.activeElement) ? document.activeElement : null;
    this.#ul.replaceChildren(...[...rows.values()].map(({ node }) => node));
    if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
  }

  /**
   * Puts the list into a place, with what stands before and after it. The list itself is
   * never taken out again: it would lose the focus and how far it is scrolled.
   */
  placeIn(container, before, after) {
    if (this.#ul.parentNode !== container) container.replaceChildren(this.#ul);
    while (this.#ul.previousSibling) this.#ul.previousSibling.remove();
    while (this.#ul.nextSibling) this.#ul.nextSibling.remove();
    this.#ul.before(...before);
    this.#ul.after(...after);
  }

  /** Brings a row to the eye, and the focus to it. */
  reveal(id, focus) {
    const open = this.#rows.get(id)?.node.querySelector('.open');
    open?.scrollIntoView({ block: 'nearest' });
    if (focus) open?.focus({ preventScroll: true });
  }
}
