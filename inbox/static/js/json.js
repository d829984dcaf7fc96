// JSON as it was written. The browser reads numbers as floating point: 9007199254740993
// becomes another number, and 10.50 other digits. So what people decide by is taken from the
// text, and never printed from what the browser has made of it.

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * @param {string} text an object
 * @returns {Map<string, string>} its members, in their order, each as the text of its value
 */
export function members(text) {
  const all = new Map();
  let depth = 0;
  let key = '';
  let from = -1; // where a value begins; before that a key is read
  for (const { 0: part, index } of text.matchAll(token)) {
    if (depth === 1 && from >= 0 && (part === ',' || part === '}')) {
      all.set(key, text.slice(from, index).trim());
      from = -1;
    }
    if (part === '{' || part === '[') depth++;
    else if (part === '}' || part === ']') depth--;
    else if (depth === 1 && from < 0 && part === ':') from = index + 1;
    else if (depth === 1 && from < 0 && part !== ',') key = JSON.parse(part);
  }
  return all;
}

/** The same text with a line for every member. */
export function indented(text) {
  let out = '';
  let depth = 0;
  let before = '';
  for (const [part] of text.matchAll(token)) {
    const closes = part === '}' || part === ']';
    if (closes) depth--;
    const opened = before === '{' || before === '[';
    if (opened ? !closes : closes || before === ',') out += `\n${'  '.repeat(depth)}`;
    out += part === ':' ? ': ' : part;
    if (part === '{' || part === '[') depth++;
    before = part;
  }
  return out;
}
