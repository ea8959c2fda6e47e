/**
 * Finds members in the text of a JSON object and adds to it, without parsing and printing it again.
 * So integers beyond 2^53 and the sender's spelling survive. Only for text that JSON.parse has
 * accepted.
 */

/** Position of a value: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * @param object the position of the object, braces included. If a name occurs twice, the last one
 *   counts, as for JSON.parse.
 */
export function memberSpan(text: string, object: Span, name: string): Span | null {
  let found: Span | null = null;
  for (const member of members(text, object)) if (member.name === name) found = member.value;
  return found;
}

/** The object's first member with one of these names; looks no further. */
export function firstMember(text: string, object: Span, names: readonly string[]): string | null {
  for (const { name } of members(text, object)) if (names.includes(name)) return name;
  return null;
}

export function wholeObject(text: string): Span {
  return { start: text.indexOf('{'), end: text.lastIndexOf('}') + 1 };
}

/** Where each element stands in an array that fills the whole text. */
export function* elementSpans(text: string): Generator<Span> {
  let at = skipSpace(text, text.indexOf('[') + 1);
  while (at < text.length && text[at] !== ']') {
    const end = valueEnd(text, at);
    yield { start: at, end };
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
}

/** @param member `"name":value`; goes last, so it wins over an earlier one of the same name. */
export function withMember(text: string, object: Span, member: string): string {
  const closing = object.end - 1;
  const empty = skipSpace(text, object.start + 1) === closing;
  return `${text.slice(0, closing)}${empty ? '' : ','}${member}${text.slice(closing)}`;
}

function* members(text: string, object: Span): Generator<{ name: string; value: Span }> {
  let at = skipSpace(text, object.start + 1);
  while (text[at] === '"') {
    const nameEnd = stringEnd(text, at);
    const name: string = JSON.parse(text.slice(at, nameEnd));
    const start = skipSpace(text, skipSpace(text, nameEnd) + 1);
    // Found only on demand: the value may be megabytes.
    let end = -1;
    const value = {
      start,
      get end(): number {
        if (end === -1) end = valueEnd(text, start);
        return end;
      },
    };
    yield { name, value };
    at = skipSpace(text, value.end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first === '{' || first === '[') return nestedEnd(text, start);
  let at = start;
  while (at < text.length && !',}] \t\r\n'.includes(text[at] as string)) at++;
  return at;
}

function nestedEnd(text: string, start: number): number {
  // The pattern skips megabytes of numbers; checking each character would take ten times as long.
  const telling = /["[\]{}]/g;
  telling.lastIndex = start;
  let depth = 0;
  while (telling.test(text)) {
    const at = telling.lastIndex - 1;
    const character = text[at];
    if (character === '"') telling.lastIndex = stringEnd(text, at);
    else if (character === '{' || character === '[') depth++;
    else if (--depth === 0) return at + 1;
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text[quote - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r' || text[at] === '\n') at++;
  return at;
}
