// Inputs of calls in lines, and what an edit changes in them.

export function pretty(input) {
  return JSON.stringify(input, null, 2).split('\n');
}

export function lineDiff(before, after) {
  let head = 0;
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const marked = (mark, lines) => lines.map((line) => mark + line);
  return [...marked(' ', before.slice(0, head)), ...marked('-', before.slice(head, before.length - tail)), ...marked('+', after.slice(head, after.length - tail)), ...marked(' ', before.slice(before.length - tail))];
}
