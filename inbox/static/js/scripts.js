// Words that mix alphabets: "аpple.com" with a Cyrillic letter reads like another host.

const alphabets = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Georgian', 'Hebrew', 'Arabic']
  .map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }));

// What a host or a path consists of.
const word = /[\p{L}\p{M}\p{N}._~:/@%+-]+/gu;

/**
 * @param {string} text
 * @returns {{end: number, scripts: string[]}[]} where such words end, and what they mix
 */
export function mixture(text) {
  if (/^[\x00-\x7f]*$/.test(text)) return [];
  const found = [];
  for (const match of text.matchAll(word)) {
    const scripts = alphabets.filter(({ letter }) => letter.test(match[0])).map(({ name }) => name);
    if (scripts.length > 1) found.push({ end: match.index + match[0].length, scripts });
  }
  return found;
}
