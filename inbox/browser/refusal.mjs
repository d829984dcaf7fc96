// What a fake server says to requests that it does not take.

export class Refusal extends Error {
  constructor(status, code, message, details) {
    super(message);
    Object.assign(this, { status, code, details });
  }
}

export function nothing() {
  throw new Refusal(404, 'not_found', 'there is nothing of that name (the list shows what there is)');
}

/** A link of a notification is of no use. */
export function gone(message) {
  throw new Refusal(410, 'gone', message);
}

/** The body as an object with known keys and no others. */
export function strict(body, known) {
  const value = JSON.parse(body);
  const other = Object.keys(value).find((key) => !known.includes(key));
  if (other) throw new Refusal(400, 'invalid', `unknown key ${other}`);
  return value;
}
