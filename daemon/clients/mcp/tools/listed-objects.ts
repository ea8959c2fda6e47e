/** The lines of `list_tables`, written so a model can copy a name into a statement. */

import type { Answer, CallContext, CatalogText, Database, SchemaList } from '../../../engines/engine.ts';
import { qualifiedName, writtenName } from '../../../engines/object-name.ts';
import { beginning } from '../../../engines/shorten.ts';
import { searchCatalog } from '../../../statement/search-catalog.ts';

export interface AskedObjects {
  readonly database: Database;
  readonly context: CallContext;
  readonly kind?: CatalogText['kind'] | undefined;
  readonly withRows?: boolean;
}

interface Entry {
  readonly schema: string;
  /** In a list the bare name, in a search the qualified one. */
  readonly name: string;
  /** What follows the name: kind, rows, where the words occur. */
  readonly facts: string;
  readonly comment: string | null;
  /** True if only its schema's name matched. */
  readonly bySchemaAlone?: boolean;
}

interface Listed {
  readonly entries: readonly Entry[];
  /** A sentence for the model; null if the entries say everything. */
  readonly note: string | null;
}

/** On a longer page the comments would cost a model more than the names. */
const mostWithComments = 50;
const commentLength = 100;
/** Longer than two quoted names on any other engine; SQLite allows a name as long as a book. */
const longestName = 300;
const mostLargest = 5;

export async function listObjects(asked: AskedObjects, { schemas }: SchemaList): Promise<Answer<Listed>> {
  const { database, kind, withRows } = asked;
  const found = await (kind === 'function' || kind === 'procedure' ? routinesOf(asked) : tablesOf(asked));
  if (found.kind !== 'done') return found;
  const rank = new Map(schemas.map((schema, at) => [schema, at]));
  const entries = found.value
    .filter(object => kind === undefined || object.kind === kind)
    .map(object => ({
      schema: object.schema ?? '',
      name: beginning(writtenName(database.dialect, object.name), longestName),
      facts: [
        ...kindShown(object.kind),
        ...partsShown(object.partitions, 'partition', 'partitions'),
        ...partsShown(object.children, 'child', 'children'),
        ...(withRows === true ? rowsShown(object.rows) : []),
      ].join(' '),
      comment: object.comment,
    }))
    .sort((a, b) => (rank.get(a.schema) ?? 0) - (rank.get(b.schema) ?? 0));
  const isUncounted = withRows === true && found.value.some(object => object.kind === 'table' && object.rows === null);
  const note = isUncounted ? 'A table without a count was never analyzed; count(*) counts it.' : null;
  return { kind: 'done', value: { entries, note } };
}

export async function searchObjects(asked: AskedObjects, search: string): Promise<Answer<Listed>> {
  const { database, context, kind } = asked;
  const found = await searchCatalog(database, context, search);
  if (found.kind !== 'done') return found;
  const { matches, insteadOf } = found.value;
  const entries = matches
    .filter(match => kind === undefined || match.kind === kind)
    .map(match => ({
      schema: match.schema ?? '',
      name: beginning(qualifiedName(database.dialect, match.schema, match.name), longestName),
      facts: [...kindShown(match.kind), match.where].join(' '),
      comment: match.comment,
      bySchemaAlone: match.bySchemaAlone,
    }));
  const note = matches.length === 0 ? await foundNothing(asked) : noteOn(entries.length, insteadOf);
  return { kind: 'done', value: { entries, note } };
}

/** What a database is about shows best in its largest tables. */
async function foundNothing({ database, context }: AskedObjects): Promise<string> {
  const nothing = 'No name, column or comment has these words, nor any like them; without search all are listed.';
  const tables = await database.listTables(context, true);
  if (tables.kind !== 'done') return nothing;
  const largest = tables.value
    .filter(({ approximateRowCount: rows }) => rows !== null && rows > 0)
    .toSorted((a, b) => (b.approximateRowCount ?? 0) - (a.approximateRowCount ?? 0))
    .slice(0, mostLargest)
    .map(({ schema, name }) => beginning(qualifiedName(database.dialect, schema, name), longestName));
  return largest.length === 0 ? nothing : `${nothing} The tables with most rows: ${largest.join(', ')}.`;
}

function noteOn(listed: number, insteadOf: readonly string[] | null): string | null {
  if (listed === 0)
    return 'Only what is of another kind has these words, or words like them; without kind it is listed.';
  return insteadOf === null ? null : `Nothing is spelled so; these have ${insteadOf.join(', ')}.`;
}

/** More of them share no page with better matches: a schema may have hundreds of tables. */
export const mostSchemaHits = 5;

/** How many entries come before the first that matched only by its schema's name. */
export function betterThanSchemas(entries: readonly Entry[]): number {
  const first = entries.findIndex(({ bySchemaAlone }) => bySchemaAlone === true);
  return first === -1 ? entries.length : first;
}

export function ofSchemasAlone(count: number, note: string | null): string {
  const rest = `${count} more are found by the name of their schema alone.`;
  return note === null ? rest : `${note} ${rest}`;
}

/** The page as answered. */
export function shown(entries: readonly Entry[], isSearch: boolean): Record<string, unknown> {
  if (isSearch) {
    const matches = new Map<string, string>();
    for (const { name, facts, comment } of entries) {
      const before = matches.get(name);
      const found = line([facts], comment);
      // A table and a routine may share a name.
      matches.set(name, before === undefined ? found : `${before}; ${found}`);
    }
    return { matches: Object.fromEntries(matches) };
  }
  const withComments = entries.length <= mostWithComments;
  const schemas = new Map<string, string[]>();
  for (const { schema, name, facts, comment } of entries) {
    const lines = schemas.get(schema) ?? [];
    lines.push(line([name, facts], withComments ? comment : null));
    schemas.set(schema, lines);
  }
  const isLeftOut = !withComments && entries.some(({ comment }) => comment !== null);
  return {
    ...(isLeftOut && { note: 'Comments are left out: search looks in them, and shorter pages show them.' }),
    schemas: Object.fromEntries(schemas),
  };
}

/** The part of an entry that counts when a page is cut to an answer. */
export function sized({ schema, name, facts, comment }: Entry): unknown {
  return [schema, name, facts, comment?.slice(0, commentLength)];
}

function line(words: readonly string[], comment: string | null): string {
  const text = words.filter(word => word !== '').join(' ');
  if (comment === null) return text;
  const plain = comment.replace(/\s+/g, ' ').trim();
  return `${text} -- ${beginning(plain, commentLength)}`;
}

function kindShown(kind: CatalogText['kind']): readonly string[] {
  return kind === 'table' ? [] : [`(${kind.replace('_', ' ')})`];
}

function partsShown(count: number | undefined, one: string, several: string): readonly string[] {
  return count === undefined ? [] : [`(${count} ${count === 1 ? one : several})`];
}

function rowsShown(rows: number | null): readonly string[] {
  return rows === null ? [] : [`~${rows} rows`];
}

interface ListedObject {
  readonly schema: string | null;
  readonly name: string;
  readonly kind: CatalogText['kind'];
  readonly comment: string | null;
  readonly rows: number | null;
  readonly partitions?: number;
  readonly children?: number;
}

async function tablesOf({ database, context, withRows }: AskedObjects): Promise<Answer<readonly ListedObject[]>> {
  const tables = await database.listTables(context, withRows === true);
  if (tables.kind !== 'done') return tables;
  return { kind: 'done', value: tables.value.map(({ approximateRowCount: rows, ...table }) => ({ ...table, rows })) };
}

async function routinesOf({ database, context }: AskedObjects): Promise<Answer<readonly ListedObject[]>> {
  const texts = await database.catalogTexts(context, null);
  if (texts.kind !== 'done') return texts;
  const routines = texts.value.filter(
    ({ kind, isComment }) => (kind === 'function' || kind === 'procedure') && !isComment,
  );
  return {
    kind: 'done',
    value: routines.map(({ schema, object: name, kind, objectComment: comment }) => ({
      schema,
      name,
      kind,
      comment,
      rows: null,
    })),
  };
}
