/**
 * Where the statements of a TOML text are, and to which keys they lead: headers, dotted keys,
 * members of inline tables. Works on text that the parser has accepted; changes nothing.
 */

import { parse } from 'smol-toml';
import { isObject } from '../../shared/json.ts';

export interface Place {
  readonly offset: number;
  readonly end: number;
}

export interface Statement extends Place {
  /** From the root of the file. */
  readonly path: readonly string[];
  /** The header `[path]`; otherwise `path = value`. */
  readonly isHeader: boolean;
  /** How many keys of the path its table has. */
  readonly tableDepth: number;
  /** Where the value begins; for a header its end. */
  readonly valueOffset: number;
}

const pieces =
  /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*'|#[^\n]*|[^\s"'#[\]{},]+|[\s\S]/g;
const key = /^(?:[^"'=]|"(?:[^"\\]|\\.)*"|'[^']*')*=[ \t]*/;

export function statementsOf(text: string): readonly Statement[] {
  let table: readonly string[] = [];
  return placesIn(text).map(({ offset, end }): Statement => {
    const statement = text.slice(offset, end);
    if (statement.startsWith('[')) {
      // A table of an array is at no path.
      table = statement.startsWith('[[') ? ['', ...pathIn(statement.slice(1, -1))] : pathIn(statement);
      return { offset, end, path: table, isHeader: true, tableDepth: table.length, valueOffset: end };
    }
    const [assigned = ''] = key.exec(statement) ?? [];
    const path = [...table, ...pathIn(`${assigned}0`)];
    return { offset, end, path, isHeader: false, tableDepth: table.length, valueOffset: offset + assigned.length };
  });
}

/** The members of an inline table, whose braces are at its ends; none if the value isn't one. */
export function membersInline(text: string, { path, valueOffset, end }: Statement): readonly Statement[] {
  if (text[valueOffset] !== '{') return [];
  const members: Statement[] = [];
  let begun: number | null = null;
  let last = 0;
  let open = 0;
  for (const { 0: piece, index } of text.slice(valueOffset, end).matchAll(pieces)) {
    const isOuter = open === 1 || (open === 0 && piece === '{');
    if (piece === '[' || piece === '{') open += 1;
    if (piece === ']' || piece === '}') open -= 1;
    if (begun !== null && isOuter && (piece === ',' || open === 0)) {
      members.push(member(begun, last));
      begun = null;
    } else if (
      piece.trim() !== '' &&
      !piece.startsWith('#') &&
      (!isOuter || (piece !== '{' && piece !== ',') || begun !== null)
    ) {
      begun ??= valueOffset + index;
      last = valueOffset + index + piece.length;
    }
  }
  return members;

  function member(offset: number, ends: number): Statement {
    const [assigned = ''] = key.exec(text.slice(offset, ends)) ?? [];
    const whole = [...path, ...pathIn(`${assigned}0`)];
    return {
      offset,
      end: ends,
      path: whole,
      isHeader: false,
      tableDepth: path.length,
      valueOffset: offset + assigned.length,
    };
  }
}

/** The path in a header, or in a key whose value is a number. */
function pathIn(statement: string): string[] {
  const path: string[] = [];
  let inner: unknown = parse(statement);
  while (isObject(inner)) {
    const [first] = Object.keys(inner);
    if (first === undefined) break;
    path.push(first);
    inner = inner[first];
  }
  return path;
}

/**
 * Each goes on to the end of its line, or further while a string or bracket is open; without a
 * trailing comment.
 */
function placesIn(text: string): readonly Place[] {
  const places: Place[] = [];
  let begun: number | null = null;
  let end = 0;
  let open = 0;
  for (const { 0: piece, index } of `${text}\n`.matchAll(pieces)) {
    if (piece === '[' || piece === '{') open += 1;
    if (piece === ']' || piece === '}') open -= 1;
    if (piece.trim() !== '' && !piece.startsWith('#')) {
      begun ??= index;
      end = index + piece.length;
    } else if (piece === '\n' && open === 0 && begun !== null) {
      places.push({ offset: begun, end });
      begun = null;
    }
  }
  return places;
}
