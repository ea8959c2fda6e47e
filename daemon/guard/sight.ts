/**
 * Which tables of a connection its clients may meet (spec §6): a person's patterns, matched against
 * a name. Where a name leaves it open, it is hidden.
 */

import type { QualifiedName } from './types.ts';

/** Patterns `table` or `schema.table`; `*` stands for any run of characters. Case doesn't count. */
export interface Sight {
  readonly hide: readonly string[];
  /** Empty: all. */
  readonly only: readonly string[];
  /** Wins over both: what may be seen of what would be hidden. */
  readonly show: readonly string[];
}

export const mostPatterns = 100;
const longestPattern = 130;

/** @returns a clause on what is wrong with a pattern; null for a good one. */
export function patternProblem(pattern: string): string | null {
  if (pattern === '') return 'a pattern is a table or schema.table';
  if (pattern.length > longestPattern) return `a pattern has at most ${longestPattern} characters`;
  if (pattern !== pattern.trim() || /\p{C}/u.test(pattern)) return 'a pattern begins and ends with a visible character';
  // Else somebody writes another wildcard or a quoted name, and it hides nothing.
  if (/["'`[\]%?,;/\\]/.test(pattern)) return '* alone stands for other characters; names are written without quotes';
  const parts = pattern.split('.');
  return parts.length > 2 || parts.includes('') ? 'a pattern is a table or schema.table' : null;
}

/** True if nothing is hidden. */
export function isWholeSight({ hide, only }: Sight): boolean {
  return hide.length === 0 && only.length === 0;
}

/** @param schema null if it isn't known. */
export function isHidden(sight: Sight, schema: string | null, name: string): boolean {
  if (isShown(sight, schema, name)) return false;
  const names = (pattern: string): boolean => matchesSurely(pattern, schema, name);
  return (
    sight.hide.some(pattern => mayMatch(pattern, schema, name)) || !(sight.only.length === 0 || sight.only.some(names))
  );
}

/**
 * True if a table is hidden under its own name or one of its parents'. A part of a table is asked
 * about the same way.
 * @param names the table first.
 */
export function isHiddenAmong(sight: Sight, names: readonly QualifiedName[]): boolean {
  if (names.some(({ schema, name }) => isShown(sight, schema, name))) return false;
  const { only } = sight;
  const isHere = (pattern: string) => names.some(({ schema, name }) => matchesSurely(pattern, schema, name));
  if (only.length > 0 && !only.some(isHere)) return true;
  return names.some(({ schema, name }) => isHidden({ ...sight, only: [] }, schema, name));
}

/** True if a person shows it by name, whatever it reads. */
export function isShown({ show }: Sight, schema: string | null, name: string): boolean {
  return show.some(pattern => matchesSurely(pattern, schema, name));
}

/** True if no table of that schema can be met. */
export function isSchemaHidden({ hide, only, show }: Sight, schema: string): boolean {
  const maySee = (pattern: string): boolean => matches(partsOf(pattern).schema ?? '*', schema);
  if (show.some(maySee)) return false;
  const hidesAll = hide.map(partsOf).some(({ schema: of, name }) => name === '*' && matches(of ?? '*', schema));
  return hidesAll || (only.length > 0 && !only.some(maySee));
}

/** To hide this table with `hide`; of a name with a point or a star, others may be hidden too. */
export function patternOf({ schema, name }: QualifiedName): string {
  // A pattern with a second point would take another name apart.
  return schema === null || `${schema}${name}`.includes('.') ? name : `${schema}.${name}`;
}

/** What `next` lets clients meet and `former` didn't, as far as the patterns tell: each is one. */
export function widenings(former: Sight, next: Sight): readonly string[] {
  const lacks = (those: readonly string[], has: readonly string[]) =>
    those.filter(pattern => !has.some(other => folded(other) === folded(pattern)));
  const unhidden = lacks(former.hide, next.hide).map(pattern => `no longer hides ${pattern}`);
  const shown = lacks(next.show, former.show).map(pattern => `shows ${pattern}`);
  const all = former.only.length > 0 && next.only.length === 0 ? ['no longer shows only some'] : [];
  const more = former.only.length === 0 ? [] : lacks(next.only, former.only).map(pattern => `shows ${pattern} too`);
  return [...unhidden, ...shown, ...all, ...more];
}

/** Runs of a name's characters, wherever they are: within quotes and texts too. */
const word = /[\p{L}\p{N}_$]+/gu;
/** Names, also quoted ones to their end or the text's, and single signs. */
const piece = /"[^"]*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|[\p{L}_][\p{L}\p{N}_$]*|\S/gu;
const isName = /^["`[]|^[\p{L}_]/u;
/** Where tables are named: one, or the list of a FROM. */
const place =
  /\b(?:from|join|into|update|table|view|using|copy|truncate|only|describe|desc|analyze|vacuum|lock|references|like)\b[\s(]*([\p{L}\p{N}_$."`[\]\s,]+)/giu;

/**
 * True if a statement, of whose time and place nothing is known, could name a hidden table: also by
 * the name of its schema alone, by what it escapes, or at a table's place by what no list has.
 */
export function mayName(sight: Sight, statement: string): boolean {
  if (/\\|u&\s*["']/i.test(statement)) return true;
  const isOfHidden = (text: string): boolean =>
    sight.hide
      .map(partsOf)
      .some(({ schema, name: asked }) =>
        /[^*]/.test(asked) ? matches(asked, text) : schema === null || matches(schema, text),
      );
  const words = [...statement.matchAll(word)].map(([text]) => text);
  if (words.some(text => isOfHidden(text) && !isShown(sight, null, text))) return true;
  // No run of characters has the whole of such a name.
  const parts = sight.hide.flatMap(pattern => pattern.split(/[*.]/)).filter(part => /[^\p{L}\p{N}_$]/u.test(part));
  if (parts.some(part => folded(statement).includes(folded(part)))) return true;
  return sight.only.length > 0 && namesUnlisted(sight, statement);
}

/** What follows a quote that nothing closes isn't seen. */
const isOpenPiece = (text: string): boolean =>
  (text[0] === '"' || text[0] === '`' || text[0] === '[') && (text.length === 1 || text.at(-1) !== closing[text[0]]);
const closing: Readonly<Record<string, string>> = { '"': '"', '`': '`', '[': ']' };

function namesUnlisted({ only, show }: Sight, statement: string): boolean {
  const bare = (part: string): string => part.replaceAll(/["`[\]]/g, '');
  const isListed = (schema: string, table: string): boolean =>
    [...only, ...show]
      .map(partsOf)
      .some(({ schema: of, name: asked }) => matches(asked, table) && (of === null || matches(of, schema)));
  const tables = [...statement.matchAll(place)]
    .flatMap(([, list = '']) => list.split(','))
    .map(item =>
      item
        .replace(/^\s*only\s/i, '')
        .trim()
        .split(/\s+/),
    );
  const isUnlisted = ([first = '']: readonly string[]): boolean => {
    const [table = '', schema = ''] = first.split('.').reverse().map(bare);
    return table !== '' && !isListed(schema, table);
  };
  if (tables.some(isUnlisted)) return true;
  const known = new Set(
    tables.flatMap(([first = '', second = '', third = '']) => [
      ...first.split('.').slice(-1).map(bare),
      bare(/^as$/i.test(second) ? third : second),
    ]),
  );
  const pieces = [...statement.matchAll(piece)].map(([text]) => text);
  if (pieces.some(isOpenPiece)) return true;
  return pieces.some((point, at) => {
    const [of = '', table = ''] = [pieces[at - 1], pieces[at + 1]];
    if (point !== '.' || !isName.test(of) || !isName.test(table)) return false;
    return !known.has(bare(of)) && !isListed(bare(of), bare(table));
  });
}

/** For a person: `hides audit.*, *_secret; shows only shop.*`. */
export function sightWords({ hide, only, show }: Sight): string {
  const list = (what: string, patterns: readonly string[]) =>
    patterns.length === 0 ? [] : [`${what} ${patterns.join(', ')}`];
  const told = [...list('hides', hide), ...list('shows only', only), ...list('shows', show)];
  return told.length === 0 ? 'all' : told.join('; ');
}

export const wholeSight: Sight = { hide: [], only: [], show: [] };

function matchesSurely(pattern: string, schema: string | null, name: string): boolean {
  const asked = partsOf(pattern);
  if (!matches(asked.name, name)) return false;
  return asked.schema === null || asked.schema === '*' || (schema !== null && matches(asked.schema, schema));
}

/** True also for a table whose own name has the point, and for one whose schema isn't known. */
function mayMatch(pattern: string, schema: string | null, name: string): boolean {
  const asked = partsOf(pattern);
  if (matches(pattern, name)) return true;
  return matches(asked.name, name) && (asked.schema === null || schema === null || matches(asked.schema, schema));
}

function partsOf(pattern: string): { readonly schema: string | null; readonly name: string } {
  const [name = '', schema = null] = pattern.split('.').reverse();
  return { schema, name };
}

/**
 * Engines fold case differently, so nothing hides behind another case. MySQL makes an `i` of `İ`,
 * where Unicode keeps a dot behind it.
 */
export const folded = (text: string): string =>
  text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replaceAll('i\u0307', 'i');

/** `*` stands for any run of characters. In linear time for each star, whatever the pattern. */
export function matches(pattern: string, text: string): boolean {
  const [first = '', ...rest] = folded(pattern).split('*');
  const whole = folded(text);
  const last = rest.pop();
  if (last === undefined) return whole === first;
  if (!whole.startsWith(first) || !whole.endsWith(last) || whole.length < first.length + last.length) return false;
  const inner = whole.slice(first.length, whole.length - last.length);
  let at = 0;
  for (const part of rest) {
    const found = inner.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}
