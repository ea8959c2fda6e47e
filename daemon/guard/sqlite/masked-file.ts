/**
 * Which columns of an SQLite file are masked (spec §6), from the definitions that it keeps: by
 * name, generated from such a column, or held by a virtual table.
 */

import { isMasked, type Masks, mayHaveMasked } from '../masks.ts';
import { type isHidden, isShown } from '../sight.ts';
import { isNaming, namesIn } from './names.ts';
import { type FileObject, isShadowOf, usedBy } from './sight.ts';
import { folded, isOperator, isWord, type Token, tokenize } from './tokenizer.ts';

/** A table or virtual table with its columns; null if SQLite can't tell them. */
export interface MaskableObject extends FileObject {
  readonly columns: readonly FileColumn[] | null;
}

export interface FileColumn {
  readonly name: string;
  readonly isGenerated: boolean;
  /** True for a column of the primary key. */
  readonly isKey: boolean;
}

/** Names are folded. */
export interface MaskedFile {
  readonly masks: Masks;
  /** The masked columns of each table that has one. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  /** Tables whose primary key has one: `REFERENCES` without columns means it. */
  readonly keyed: ReadonlySet<string>;
  /** What shows masked columns by other names: virtual tables, their shadows, comparing code. */
  readonly whole: ReadonlySet<string>;
  /** Tables with masked columns, and whatever reads one of these tables. */
  readonly reaching: ReadonlySet<string>;
}

export function maskedFile(masks: Masks, objects: readonly MaskableObject[]): MaskedFile {
  const parts = objects.map(object => ({ ...object, key: folded(object.name), tokens: tokenize(object.sql) }));
  const columns = new Map<string, ReadonlySet<string>>();
  const keyed = new Set<string>();
  const whole = new Set<string>();
  for (const part of parts) {
    if (part.type !== 'table') continue;
    const masked = maskedColumns(masks, part);
    if (masked.size === 0 && (part.columns !== null || !mayHaveMasked(masks.columns, 'main', part.name))) continue;
    if (part.isVirtual || part.columns === null) whole.add(part.key);
    else columns.set(part.key, masked);
    if (part.columns?.some(({ name, isKey }) => isKey && masked.has(folded(name))) !== false) keyed.add(part.key);
  }
  const uses = new Map(parts.map(part => [part.key, new Set(usedBy(part))]));
  const reaching = new Set([...columns.keys(), ...whole]);
  const isHere = (name: string): boolean => isShown(shownAlone(masks), 'main', name);
  const untold = new Map<string, boolean>();
  const readsUntold = (part: Keyed): boolean => {
    const known = untold.get(part.key);
    if (known !== undefined) return known;
    const { tokens } = part;
    const reads =
      compares(tokens) || copiedWhole(tokens, columns) !== null || declares(tokens, isHere) || changes(part, isHere);
    untold.set(part.key, reads && !isHere(part.name));
    return reads && !isHere(part.name);
  };
  const reaches = (key: string): boolean => [...(uses.get(key) ?? [])].some(name => reaching.has(name));
  for (let before = -1; before !== reaching.size + whole.size; ) {
    before = reaching.size + whole.size;
    for (const part of parts) {
      if (reaches(part.key)) reaching.add(part.key);
      const readsWhole = (): boolean => [...(uses.get(part.key) ?? [])].some(name => whole.has(name));
      if (reaching.has(part.key) && (part.isVirtual || (part.type !== 'table' && (readsUntold(part) || readsWhole()))))
        whole.add(part.key);
      if (!part.isVirtual || !whole.has(part.key)) continue;
      for (const { key } of parts) if (isShadowOf(part, key)) whole.add(key);
    }
    for (const key of whole) reaching.add(key);
  }
  return { masks, columns, keyed, whole, reaching };
}

/** NATURAL and USING compare columns of which SQLite's authorizer tells nothing. */
function compares(tokens: readonly Token[]): boolean {
  return tokens.some(
    (token, at) => isWord(token, 'natural') || (isWord(token, 'using') && isOperator(tokens[at + 1], '(')),
  );
}

/** `INSERT INTO t SELECT * FROM u` copies records whole, and SQLite tells of no column. */
export function copiedWhole(tokens: readonly Token[], columns: MaskedFile['columns']): string | null {
  const insert = tokens.findIndex(token => isWord(token, 'insert') || isWord(token, 'replace'));
  for (const [at, token] of tokens.entries()) {
    if (insert < 0 || at < insert || !isOperator(token, '*') || !isWord(tokens[at + 1], 'from')) continue;
    let from = at + 2;
    while (isOperator(tokens[from], '(')) from++;
    const name = folded(tokens[isOperator(tokens[from + 1], '.') ? from + 2 : from]?.text ?? '');
    if (columns.has(name)) return name;
  }
  return null;
}

/** SQLite tells what a common table expression reads as if a view of its name did. */
export function declares(tokens: readonly Token[], isShownName: (name: string) => boolean): boolean {
  return tokens.some((token, at) => {
    const [next, behind] = [tokens[at + 1], tokens[at + 2]];
    const isDeclared =
      isOperator(next, '(') || (isWord(next, 'as') && ['(', 'not', 'materialized'].includes(behind?.text ?? ''));
    return isDeclared && isNaming(token) && isShownName(folded(token.text));
  });
}

/** SQLite tells what an UPDATE or DELETE of a view reads as if the view did. */
function changes({ type, tokens }: Part, isShownName: (name: string) => boolean): boolean {
  return type === 'trigger' && namesIn(tokens).tables.some(({ name, role }) => role === 'target' && isShownName(name));
}

/** The sight without hidden tables: what a person shows is meant for masks as well. */
export function shownAlone({ show }: Masks): Parameters<typeof isHidden>[0] {
  return { hide: [], only: [], show };
}

type Part = MaskableObject & { readonly tokens: readonly Token[] };
type Keyed = Part & { readonly key: string };

function maskedColumns({ columns: patterns }: Masks, { name: table, columns, tokens }: Part): ReadonlySet<string> {
  const masked = new Set(
    columns?.flatMap(({ name }) => (isMasked(patterns, 'main', table, name) ? [folded(name)] : [])),
  );
  const generated = columns?.filter(({ isGenerated }) => isGenerated) ?? [];
  for (let before = -1; before !== masked.size; ) {
    before = masked.size;
    for (const { name } of generated)
      if (masked.size > 0 && definitionOf(tokens, folded(name)).some(token => masked.has(folded(token.text))))
        masked.add(folded(name));
  }
  return masked;
}

/** What follows a column's name, to the comma behind it; everything if it isn't found. */
function definitionOf(tokens: readonly Token[], column: string): readonly Token[] {
  let depth = 0;
  let from = -1;
  for (const [at, token] of tokens.entries()) {
    if (isOperator(token, '(')) depth++;
    if (isOperator(token, ')')) depth--;
    const before = tokens[at - 1];
    const opens = depth === 1 && (isOperator(before, '(') || isOperator(before, ','));
    if (from < 0 && opens && isNaming(token) && folded(token.text) === column) from = at + 1;
    else if (from >= 0 && (depth === 0 || (depth === 1 && isOperator(token, ',')))) return tokens.slice(from, at);
  }
  return from < 0 ? tokens.filter(isNaming) : tokens.slice(from);
}
