/**
 * What of an SQLite file is out of sight (spec §6), from the definitions that it keeps, and whether
 * a statement reaches it: by its text, and by what SQLite tells of it. The text is needed as well:
 * SQLite tells nothing of a table that only NATURAL JOIN or USING compares.
 */

import { isHidden, isShown, type Sight } from '../sight.ts';
import { isWordAt } from './definitions.ts';
import { isCommonTable, isNaming, namesIn } from './names.ts';
import type { Head } from './statement.ts';
import { folded, isWord, tokenize } from './tokenizer.ts';

/** A row of `sqlite_schema`. */
export interface FileObject {
  readonly type: string;
  readonly name: string;
  readonly isVirtual: boolean;
  readonly sql: string;
}

/** Names are folded. */
export interface SeenFile {
  /** Tables and views that are there and out of sight, with the views that read them. */
  readonly hidden: ReadonlySet<string>;
  /** Triggers that reach one of these, and that no person shows. */
  readonly hiddenTriggers: ReadonlySet<string>;
  /** What views and triggers reach that a person shows. */
  readonly behindShown: ReadonlySet<string>;
  /** Views and triggers whose plan would name what is hidden, however deep it is. */
  readonly covering: ReadonlySet<string>;
  /** True if modules ask for ANALYZE's counts by themselves. */
  readonly hasRtree: boolean;
}

export type OutOfSight =
  /** To the client there is no such thing. */
  | { readonly kind: 'missing'; readonly what: 'table' | 'view' | 'index' | 'trigger'; readonly name: string }
  /** SQLite's own tables and PRAGMAs, which name every table. */
  | { readonly kind: 'catalog' }
  /** Code or a cascade behind the statement. */
  | { readonly kind: 'behind' }
  /** A new virtual table may read any other. */
  | { readonly kind: 'virtual' };

/** Tables in which a module keeps what is in its virtual table. */
const shadows: ReadonlyMap<string, readonly string[]> = new Map([
  ['fts3', ['content', 'segments', 'segdir', 'docsize', 'stat']],
  ['fts4', ['content', 'segments', 'segdir', 'docsize', 'stat']],
  ['fts5', ['data', 'idx', 'content', 'docsize', 'config']],
  ['rtree', ['node', 'rowid', 'parent']],
  ['rtree_i32', ['node', 'rowid', 'parent']],
  ['geopoly', ['node', 'rowid', 'parent']],
]);

/** @param objects tables, views and triggers of the file. */
export function seenFile(sight: Sight, objects: readonly FileObject[]): SeenFile {
  const parts = objects.map(object => ({ ...object, key: folded(object.name), uses: usedBy(object) }));
  const relations = parts.filter(({ type }) => type !== 'trigger');
  const virtual = relations.filter(({ isVirtual }) => isVirtual);
  const hidden = new Set(relations.filter(({ name }) => isHidden(sight, 'main', name)).map(({ key }) => key));
  /** Shadow tables follow their parent; others of its name are judged by both. */
  const followParents = (): void => {
    for (const parent of virtual)
      for (const { key } of relations) {
        if (!key.startsWith(`${parent.key}_`)) continue;
        const isShadow = isShadowOf(parent, key);
        if (hidden.has(parent.key)) hidden.add(key);
        else if (isShadow) hidden.delete(key);
      }
  };
  followParents();
  const reaches = ({ uses }: { readonly uses: readonly string[] }): boolean =>
    uses.some(name => hidden.has(name) || isCatalog(name));
  for (let before = -1; before !== hidden.size; ) {
    before = hidden.size;
    for (const part of relations)
      if (part.uses.length > 0 && !isShown(sight, 'main', part.name) && reaches(part)) hidden.add(part.key);
    followParents();
  }
  const triggers = parts.filter(({ type }) => type === 'trigger');
  const behindShown = new Set<string>();
  const follow = (names: readonly string[]): void => {
    for (const name of names) {
      if (behindShown.has(name)) continue;
      behindShown.add(name);
      follow(relations.find(({ key }) => key === name)?.uses ?? []);
    }
  };
  for (const part of parts) if (isShown(sight, 'main', part.name)) follow(part.uses);
  const covering = new Set<string>();
  for (let before = -1; before !== covering.size; ) {
    before = covering.size;
    for (const { key, uses } of parts) if (uses.some(name => hidden.has(name) || covering.has(name))) covering.add(key);
  }
  return {
    hidden,
    hiddenTriggers: new Set(
      triggers.filter(part => !isShown(sight, 'main', part.name) && reaches(part)).map(({ key }) => key),
    ),
    behindShown,
    covering,
    hasRtree: virtual.some(({ sql }) => /^(rtree|geopoly)/.test(moduleOf(sql))),
  };
}

/** What a definition names: of a table nothing, of a virtual one every word of its arguments. */
export function usedBy({ type, isVirtual, sql }: FileObject): readonly string[] {
  if (type === 'table' && !isVirtual) return [];
  const tokens = tokenize(sql);
  if (isVirtual) {
    const using = tokens.findIndex(token => isWord(token, 'using'));
    return tokens.slice(using + 2).flatMap(token => (isNaming(token) ? [folded(token.text)] : []));
  }
  const names = namesIn(tokens);
  return names.tables.filter(each => each.role !== 'definition' && !isCommonTable(names, each)).map(({ name }) => name);
}

/** @param key folded. */
export function isShadowOf(parent: FileObject & { readonly key: string }, key: string): boolean {
  if (!key.startsWith(`${parent.key}_`)) return false;
  return shadows.get(moduleOf(parent.sql))?.includes(key.slice(parent.key.length + 1)) === true;
}

function moduleOf(sql: string): string {
  const tokens = tokenize(sql);
  return folded(tokens[tokens.findIndex(token => isWord(token, 'using')) + 1]?.text ?? '');
}

/** PRAGMAs that tell about tables. Those of the second list tell of theirs alone. */
const tableNaming = new Set(
  'foreign_key_check foreign_key_list index_info index_list index_xinfo integrity_check optimize quick_check stats table_info table_list table_xinfo'.split(
    ' ',
  ),
);
const ofOneTable = new Set(['table_info', 'table_xinfo', 'index_list']);

/** SQLite's own tables that name others or hold their values. */
function isCatalog(name: string): boolean {
  if (!name.startsWith('pragma_')) return name.startsWith('sqlite_') || name === 'dbstat';
  const pragma = name.slice('pragma_'.length);
  return tableNaming.has(pragma) && !ofOneTable.has(pragma);
}

/** Maintenance of the whole file: it shows nothing. */
export function isMaintenance({ explain, verb, body }: Head): boolean {
  return explain === 'no' && ['vacuum', 'analyze', 'reindex'].includes(verb) && body.length === 0;
}

/** @returns what the text names that is out of sight; null if nothing. */
export function namedOutOfSight(head: Head, { hidden, covering }: SeenFile): OutOfSight | null {
  const { names, verb, body } = head;
  const missing = (name: string): OutOfSight => ({ kind: 'missing', what: droppedKind(head), name });
  if (verb === 'create' && isWordAt(body, 0, 'virtual')) return { kind: 'virtual' };
  // That a name is taken may be learnt.
  const isNew =
    verb === 'create' && !['index', 'trigger'].some(kind => body.slice(0, 2).some(token => isWord(token, kind)));
  const made = isNew ? names.tables.find(({ role }) => role === 'definition') : undefined;
  for (const each of names.tables) {
    // RETURNING and ON CONFLICT of a data change don't see its common table expressions.
    if (each === made || (isCommonTable(names, each) && !head.isDml)) continue;
    // What a kept PRAGMA tells about is decided when it runs.
    const isKept = verb === 'create' && each.name.startsWith('pragma_');
    if (isKept || isCatalog(each.name)) return { kind: 'catalog' };
    if (hidden.has(each.name)) return missing(each.schema === null ? each.name : `${each.schema}.${each.name}`);
    if (head.explain !== 'no' && covering.has(each.name)) return { kind: 'behind' };
  }
  if (verb !== 'analyze' && verb !== 'reindex') return null;
  const named = body.find(token => isNaming(token) && hidden.has(folded(token.text)));
  return named === undefined ? null : missing(folded(named.text));
}

function droppedKind({ verb, body }: Head): 'table' | 'view' {
  return verb === 'drop' && isWordAt(body, 0, 'view') ? 'view' : 'table';
}

/** What SQLite's authorizer tells, without the prefix of the action. */
export interface Told {
  readonly action: string;
  readonly first: string | null;
  readonly second: string | null;
  /** The trigger, view or common table expression that does it. */
  readonly within: string | null;
}

const definitions = new Set(['create', 'alter', 'drop', 'reindex', 'analyze', 'vacuum']);
const dataChanges = new Set(['insert', 'replace', 'update', 'delete', 'drop']);

/**
 * @param head of the statement, in which `namedOutOfSight` found nothing; null for more than one
 *   statement.
 */
export function toldOutOfSight(
  { action, first, second, within }: Told,
  head: Head | null,
  seen: SeenFile,
): OutOfSight | null {
  const verb = head?.verb ?? '';
  if (action === 'PRAGMA') return pragmaOutOfSight(folded(first ?? ''), folded(second ?? ''), seen);
  const inside = within === null ? null : folded(within);
  if (inside !== null && seen.hiddenTriggers.has(inside)) return { kind: 'behind' };
  if (inside !== null && seen.covering.has(inside) && head?.explain !== 'no') return { kind: 'behind' };
  if (/^DROP_(?:TEMP_)?TRIGGER$/.test(action) && seen.hiddenTriggers.has(folded(first ?? '')))
    return { kind: 'missing', what: 'trigger', name: first ?? '' };
  const name = folded(tableOf(action, first, second) ?? '');
  if (isCatalog(name)) {
    const isOwn = definitions.has(verb) || (name === 'sqlite_stat1' && seen.hasRtree);
    return isOwn ? null : { kind: 'catalog' };
  }
  if (!seen.hidden.has(name)) return null;
  if (action === 'DROP_INDEX') return { kind: 'missing', what: 'index', name: first ?? '' };
  if (action === 'DROP_TRIGGER') return { kind: 'missing', what: 'trigger', name: first ?? '' };
  // A plan would name it. A text with its name may read it by itself: a common table expression may
  // be called like a view that is shown.
  if (head === null || head.explain !== 'no' || isWritten(head, name)) return { kind: 'behind' };
  // SQLite doesn't tell within what it reads no column.
  if (seen.behindShown.has(name) && (inside !== null || (action === 'READ' && second === ''))) return null;
  // A foreign key looks for its row there.
  if (inside === null && action === 'READ' && dataChanges.has(verb)) return null;
  return { kind: 'behind' };
}

function isWritten({ tokens }: Head, name: string): boolean {
  return tokens.some(token => isNaming(token) && folded(token.text) === name);
}

function pragmaOutOfSight(pragma: string, argument: string, { hidden }: SeenFile): OutOfSight | null {
  if (!tableNaming.has(pragma)) return null;
  if (!ofOneTable.has(pragma) || argument === '') return { kind: 'catalog' };
  return hidden.has(argument) ? { kind: 'missing', what: 'table', name: argument } : null;
}

/** Null for an action that has no table. */
function tableOf(action: string, first: string | null, second: string | null): string | null {
  if (/^(READ|INSERT|UPDATE|DELETE|ANALYZE|DROP_(?:TEMP_)?(?:TABLE|VIEW)|DROP_VTABLE)$/.test(action)) return first;
  return /^(?:ALTER_TABLE|(?:CREATE|DROP)_(?:TEMP_)?(?:INDEX|TRIGGER))$/.test(action) ? second : null;
}

/** True if a message of SQLite's names what is out of sight and the statement doesn't. */
export function namesHidden(message: string, sql: string, { hidden, hiddenTriggers }: SeenFile): boolean {
  const [said, asked] = [folded(message), folded(sql)];
  return [...hidden, ...hiddenTriggers].some(name => holdsWord(said, name) && !holdsWord(asked, name));
}

function holdsWord(text: string, word: string): boolean {
  const isPart = (at: number): boolean => /[a-z0-9_\u0080-\uffff]/.test(text.charAt(at));
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isPart(at - 1) && !isPart(at + word.length)) return true;
  return false;
}
