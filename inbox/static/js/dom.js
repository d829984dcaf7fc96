// Building elements. Text only ever enters as text: there is no way here to turn a string
// into markup, and addresses are never made of data.

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes] "on" holds listeners; true, false and null as in HTML
 * @param {...(Child|Child[])} children a list that may be long comes as one: calls with very many arguments fail
 * @typedef {Node|string|null|undefined|false} Child
 * @returns {any}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (value === true) {
      node.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, String(value));
    }
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false && child !== '') node.append(child);
  return node;
}

/** @param {string} id @returns {any} */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no #${id}`);
  return node;
}

/** Says something to people who listen to the page. */
export function announce(text) {
  byId('announce').textContent = text;
}

let names = 0;

/** A new id, for labels and what they describe. */
export function newId() {
  names++;
  return `n${names}`;
}

/** One or many, with the number. */
export function plural(n, one, many = `${one}s`) {
  return `${n} ${n === 1 ? one : many}`;
}
