/**
 * Helps a model after a name that the database doesn't know: the nearest names that this connection
 * sees, as a statement would write them. After a refused value it names the accepted ones. Asked
 * only after the failure, so correct statements pay nothing.
 */

import { distanceFrom } from '../../shared/edit-distance.ts';
import { listingTools } from '../guard/advice.ts';
import type { QualifiedName } from '../guard/types.ts';
import { allowedValues } from './allowed-values.ts';
import type { Dialect, ErrorMeaning, QueryFailed } from './dialect.ts';
import type { CallContext, Database, DatabaseFailure, Table } from './engine.ts';
import { qualifiedName, writtenName, writtenNames } from './object-name.ts';

const lookUpSeconds = 5;
const mostTables = 4;
const mostColumns = 40;
const mostSuggested = 3;
const mostListed = 20;

const kinds: Readonly<Partial<Record<ErrorMeaning, UnknownName['kind']>>> = {
  'unknown table': 'table',
  'unknown column': 'column',
  'unknown schema': 'schema',
  'unknown database': 'database',
};

/**
 * @returns the failure; its message ends with what to write, or with what was perhaps meant if
 *   something is near.
 */
export async function withNearestNames(
  database: Database,
  context: CallContext,
  { sql, tables }: { readonly sql: string; readonly tables: readonly QualifiedName[] },
  failure: QueryFailed,
): Promise<QueryFailed> {
  const certain = database.dialect.failureAdvice?.(failure, sql) ?? null;
  if (certain !== null) return { ...failure, message: `${failure.message}\n${certain}` };
  const asking = { ...context, timeoutSeconds: Math.min(context.timeoutSeconds, lookUpSeconds) };
  const { dialect } = database;
  const unknown = dialect.meaning(failure) === 'no database' ? bareName(tables) : unknownName(dialect, failure);
  if (unknown === null) {
    const values = await allowedValues(database, asking, failure, tables);
    return values === null ? failure : { ...failure, message: `${failure.message}\n${values}` };
  }
  const found = [quotesAdvice(database, unknown, sql), await adviceOn(unknown, database, asking, tables)];
  const advice = found.filter(part => part !== null).join(' ');
  return advice === '' ? failure : { ...failure, message: `${failure.message}\n${advice}` };
}

/**
 * In other engines such quotes may hold a text. PostgreSQL's hint names a column, and SQLite says
 * it itself.
 */
function quotesAdvice({ dialect }: Database, { kind, name }: UnknownName, sql: string): string | null {
  return kind === 'column' && sql.includes(`"${name}"`) ? (dialect.doubleQuotesAdvice ?? null) : null;
}

/** True if a schema or database is missing. */
export function isUnknownPlace({ meaning }: Dialect, failure: DatabaseFailure): boolean {
  const what = failure.kind === 'query_failed' ? meaning(failure) : null;
  return what === 'unknown schema' || what === 'unknown database';
}

interface UnknownName {
  readonly kind: 'table' | 'column' | 'schema' | 'database';
  readonly name: string;
}

function adviceOn(
  { kind, name }: UnknownName,
  database: Database,
  context: CallContext,
  tables: readonly QualifiedName[],
): Promise<string | null> {
  switch (kind) {
    case 'table':
      return isCatalog(name) ? Promise.resolve(listingTools) : nearestTables(database, context, name);
    case 'column':
      return columnsOf(database, context, tables, name);
    case 'schema':
    case 'database':
      return nearestPlaces(kind, database, context, name);
  }
}

/** Another engine's catalog, or this engine's under a wrong name. */
const isCatalog = (name: string): boolean =>
  /^(information_schema|pg_catalog)\.|(^|\.)(sqlite_(master|schema)|pg_(tables|class|catalog)|(user|all)_tables)$/i.test(
    name,
  );

/** MySQL doesn't say which table. */
function bareName(tables: readonly QualifiedName[]): UnknownName | null {
  const bare = tables.find(({ schema }) => schema === null);
  return bare === undefined ? null : { kind: 'table', name: bare.name };
}

function unknownName({ meaning, nameIn = quotedName }: Dialect, failure: QueryFailed): UnknownName | null {
  const what = meaning(failure);
  const kind = what === null ? undefined : kinds[what];
  const [first = ''] = failure.message.split('\n');
  const name = nameIn(first);
  return name === null || kind === undefined ? null : { kind, name };
}

/**
 * The first name in quotes, which differ by the server's language; PostgreSQL writes a qualified
 * column without quotes.
 */
function quotedName(message: string): string | null {
  return (
    (/["'\u00ab\u201e\u201c]([^"'\u00ab\u00bb\u201e\u201c\u201d]+)["'\u00bb\u201c\u201d]/.exec(message) ??
      /\b(\w+\.\w+)\b/.exec(message))?.[1] ?? null
  );
}

/** An unreachable place is asked about in the connection's own place. */
async function nearestPlaces(
  kind: 'schema' | 'database',
  database: Database,
  context: CallContext,
  asked: string,
): Promise<string | null> {
  const from = { ...context, schema: null, ...(kind === 'database' && { database: null }) };
  const places = await database.listSchemas(from);
  if (places.kind !== 'done') return null;
  const { schemas, databases } = places.value;
  // MySQL's schemas are databases; a connection to one database reaches no others.
  return nearestOrAll(kind === 'schema' || databases.length === 0 ? schemas : databases, asked);
}

export async function nearestTables(database: Database, context: CallContext, asked: string): Promise<string | null> {
  return didYouMean(nearestWritten(database, await tablesInReach(database, context), asked));
}

/** The names nearest to `asked`, as a statement writes them; they are compared without quotes. */
export function nearestWritten({ dialect }: Database, tables: readonly Table[], asked: string): readonly string[] {
  const written = new Map(
    tables.map(({ schema, name }) => [
      schema === null ? name : `${schema}.${name}`,
      qualifiedName(dialect, schema, name),
    ]),
  );
  return nearest([...written.keys()], asked).map(name => written.get(name) ?? name);
}

/** The tables that a statement may name; empty if they can't be listed. */
export async function tablesInReach(database: Database, context: CallContext): Promise<readonly Table[]> {
  const listed = await database.listTables({ ...context, schema: null }, false, 'everywhere');
  return listed.kind === 'done' ? listed.value : [];
}

async function columnsOf(
  database: Database,
  context: CallContext,
  tables: readonly QualifiedName[],
  asked: string,
): Promise<string | null> {
  const sentences: string[] = [];
  const names: string[] = [];
  for (const { schema, name } of tables.slice(0, mostTables)) {
    const described = await database.describeTables({ ...context, schema: schema ?? context.schema }, [name], false);
    const table = described.kind === 'done' ? described.value[0] : null;
    // SQLite can't tell the columns of a broken view.
    if (!table || table.columns.length === 0) continue;
    const columns = table.columns.map(column => column.name);
    const rest = columns.length - mostColumns;
    names.push(...columns);
    const listed = writtenNames(database.dialect, columns.slice(0, mostColumns));
    sentences.push(`${writtenName(database.dialect, name)} has ${listed}${rest > 0 ? ` and ${rest} more` : ''}.`);
  }
  const meant = didYouMean(nearest(names, asked).map(column => writtenName(database.dialect, column)));
  return sentences.length === 0 ? null : [meant, ...sentences].filter(part => part !== null).join(' ');
}

/**
 * Nearest first: in the schema that was named, then the same name elsewhere, then names with few
 * different letters.
 */
export function nearest(names: readonly string[], asked: string): readonly string[] {
  const whole = asked.toLowerCase();
  const bare = lastPart(whole);
  const [fromWhole, fromBare] = [distanceFrom(whole.slice(0, 128)), distanceFrom(bare.slice(0, 128))];
  const far = Math.max(2, Math.floor(bare.length / 3));
  const place = placeOf(whole);
  return [...new Set(names)]
    .map(name => {
      const lower = name.toLowerCase();
      const distance = Math.min(fromBare(lastPart(lower)), whole.includes('.') ? fromWhole(lower) : Infinity);
      return { name, distance, isElsewhere: place !== '' && placeOf(lower) !== place };
    })
    .filter(({ distance }) => distance <= far)
    .sort((a, b) => Number(a.isElsewhere) - Number(b.isElsewhere) || a.distance - b.distance)
    .slice(0, mostSuggested)
    .map(({ name }) => name);
}

/** Schemas and databases are few enough to name them all. */
export function nearestOrAll(names: readonly string[], asked: string): string | null {
  const near = didYouMean(nearest(names, asked));
  if (near !== null || names.length === 0) return near;
  return `There are: ${names.slice(0, mostListed).join(', ')}${names.length > mostListed ? ', …' : ''}.`;
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** What is before the last dot; '' without one. */
const placeOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));

function didYouMean(names: readonly string[]): string | null {
  return names.length === 0 ? null : `Did you mean ${names.join(' or ')}?`;
}
