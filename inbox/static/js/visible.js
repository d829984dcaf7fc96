// Text of others as it may be shown to somebody who decides by it: what could hide, reorder
// or cover other text stands as a chip with its number.

import { el } from './dom.js';
import { mixture } from './scripts.js';

// Controls, formats, separators, what is private or not assigned, halves of pairs, what fonts
// leave out, blanks that are no blank, and what counts as a picture and shows nothing.
const hidden = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u{2800}\u{FFFC}\u{16FE4}\u{1D159}]|(?! )\p{Zs}`;
// Marks that are piled up cover the lines above and below; two on a letter are enough for
// every language that is written.
const piled = String.raw`(?<=[\p{Mn}\p{Me}]{2})[\p{Mn}\p{Me}]`;
const unseen = new RegExp(`${hidden}|${piled}`, 'gu');

const names = new Map(Object.entries({
  0: 'NULL', 7: 'BELL', 8: 'BACKSPACE', 9: 'TAB', 0xa: 'LINE BREAK', 0xd: 'CARRIAGE RETURN', 0x1b: 'ESCAPE: begins a terminal sequence', 0x7f: 'DELETE',
  0x9b: 'CSI: begins a terminal sequence', 0xa0: 'NO-BREAK SPACE', 0xad: 'SOFT HYPHEN', 0x61c: 'ARABIC LETTER MARK', 0x200b: 'ZERO WIDTH SPACE',
  0x200c: 'ZERO WIDTH NON-JOINER', 0x200d: 'ZERO WIDTH JOINER', 0x200e: 'LEFT-TO-RIGHT MARK', 0x200f: 'RIGHT-TO-LEFT MARK', 0x2028: 'LINE SEPARATOR',
  0x2029: 'PARAGRAPH SEPARATOR', 0x202a: 'LEFT-TO-RIGHT EMBEDDING', 0x202b: 'RIGHT-TO-LEFT EMBEDDING', 0x202c: 'POP DIRECTIONAL FORMATTING',
  0x202d: 'LEFT-TO-RIGHT OVERRIDE', 0x202e: 'RIGHT-TO-LEFT OVERRIDE: shows what follows backwards', 0x2060: 'WORD JOINER', 0x2066: 'LEFT-TO-RIGHT ISOLATE',
  0x2067: 'RIGHT-TO-LEFT ISOLATE', 0x2068: 'FIRST STRONG ISOLATE', 0x2069: 'POP DIRECTIONAL ISOLATE', 0xfeff: 'ZERO WIDTH NO-BREAK SPACE', 0xfffc: 'OBJECT REPLACEMENT',
}).map(([code, name]) => [Number(code), name]));

function nameOf(code) {
  if (code > 0xe0020 && code < 0xe007f) return `an invisible tag for "${String.fromCodePoint(code - 0xe0000)}"`;
  return names.get(code) ?? 'a character that cannot be seen';
}

/** @param {string} character @param {number} times */
function chip(character, times) {
  const code = /** @type {number} */ (character.codePointAt(0));
  const number = code.toString(16).toUpperCase().padStart(4, '0');
  return el('span', { class: 'chip', title: nameOf(code) }, `⟨U+${number}${times > 1 ? ` ×${times}` : ''}⟩`);
}

/**
 * @typedef {{line?: boolean}} Manner line: it stands in one line, so breaks are chips too
 * @param {string} character
 * @param {Manner} manner
 */
function mayStay(character, manner) {
  return !manner.line && (character === '\n' || character === '\t');
}

/**
 * The text with chips.
 * @param {unknown} text
 * @param {Manner} [manner]
 * @returns {DocumentFragment}
 */
export function visible(text, manner = {}) {
  const shown = document.createDocumentFragment();
  const source = String(text ?? '');
  let from = 0;
  /** @type {{character: string, times: number}|null} */
  let run = null;
  const flush = () => {
    if (run) shown.append(chip(run.character, run.times));
    run = null;
  };
  for (const match of source.matchAll(unseen)) {
    const character = match[0];
    if (mayStay(character, manner)) continue;
    if (match.index > from) {
      flush();
      plain(shown, source.slice(from, match.index));
    }
    if (run && run.character === character) run.times++;
    else {
      flush();
      run = { character, times: 1 };
    }
    from = match.index + character.length;
  }
  flush();
  plain(shown, source.slice(from));
  return shown;
}

/** Text in which nothing hides; words that mix alphabets get a warning behind them. */
function plain(shown, text) {
  if (text === '') return;
  let from = 0;
  for (const { end, scripts } of mixture(text)) {
    unbroken(shown, text.slice(from, end));
    shown.append(el('span', { class: 'chip', title: 'Letters of several alphabets in one word can look like another word.' }, `⟨mixes ${scripts.join(', ')}⟩`));
    from = end;
  }
  unbroken(shown, text.slice(from));
}

// The beginning of an option. What follows may be longer than a line.
const option = /(?<=^|\s)--?[^\s-][^\s]{0,15}/g;

/** Browsers break lines after dashes, and a line that ends with them reads like an argument of its own. */
function unbroken(shown, text) {
  let from = 0;
  for (const { 0: word, index } of text.matchAll(option)) {
    shown.append(text.slice(from, index), el('span', { class: 'option' }, word));
    from = index + word.length;
  }
  shown.append(text.slice(from));
}

/** How many characters of a text cannot be seen. */
export function countHidden(text) {
  let n = 0;
  for (const match of String(text ?? '').matchAll(unseen)) {
    if (!mayStay(match[0], {})) n++;
  }
  return n;
}

/** The text with escapes, for places that hold nothing but text, such as titles. */
export function escaped(text) {
  return String(text ?? '').replace(unseen, (c) => `⟨U+${/** @type {number} */ (c.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** JSON text in which everything that hides is an escape; its meaning stays the same. */
export function escapedJSON(text) {
  return text.replace(unseen, (c) => (c === '\n' ? c : [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')));
}
