/**
 * What a model needs after a name that the database doesn't know: the nearest that this connection may see, as a statement would
 * write it; and after a value that it doesn't take, those that it does. Asked for once the statement has failed, so that whoever spells right pays nothing.
 */

import { distanceFrom } from '../../shared/edit-distance.ts';
import { listingTools } from '../guard/advice.ts';
import type { QualifiedName } from '../guard/types.ts';
import { allowedValues } from './allowed-values.ts';
import type { CallContext, Database, DatabaseFailure, Table } from './engine.ts';
import { adviceOnFailure } from './failure-advice.ts';
import { qualifiedName, writtenName, writtenNames } from './object-name.ts';

type QueryFailed = Extract<DatabaseFailure, { kind: 'query_failed' }>;

const lookUpSeconds = 5;
const mostTables = 4;
const mostColumns = 40;
const mostSuggested = 3;
const mostListed = 20;

/** PostgreSQL's codes and MySQL's; SQLite has one for all errors, and says which in its words. */
const kindOfCode: Readonly<Record<string, UnknownName['kind']>> = {
  '42P01': 'table',
  '1146': 'table',
  '42703': 'column',
  '1054': 'column',
  '3F000': 'schema',
  '1049': 'database',
  '3D000': 'database',
};

/** MySQL: a name alone, on a connection that has no database of its own. */
const noDatabase = '1046';

/** @returns the failure, its message ending with what to write, or with what was meant perhaps where something near is there. */
export async function withNearestNames(
  database: Database,
  context: CallContext,
  { sql, tables }: { readonly sql: string; readonly tables: readonly QualifiedName[] },
  failure: QueryFailed,
): Promise<QueryFailed> {
  const certain = adviceOnFailure(database.engine, failure, sql);
  if (certain !== null) return { ...failure, message: `${failure.message}\n${certain}` };
  const asking = { ...context, timeoutSeconds: Math.min(context.timeoutSeconds, lookUpSeconds) };
  const unknown = failure.code === noDatabase ? bareName(tables) : unknownName(failure);
  if (unknown === null) {
    const values = await allowedValues(database, asking, failure, tables);
    return values === null ? failure : { ...failure, message: `${failure.message}\n${values}` };
  }
  const found = [quotesAdvice(database, unknown, sql), await adviceOn(unknown, database, asking, tables)];
  const advice = found.filter(part => part !== null).join(' ');
  return advice === '' ? failure : { ...failure, message: `${failure.message}\n${advice}` };
}

/** Elsewhere such quotes may hold a text, and PostgreSQL's own hint is the name of some column. SQLite says it itself. */
function quotesAdvice({ engine }: Database, { kind, name }: UnknownName, sql: string): string | null {
  const isQuoted = engine === 'postgres' && kind === 'column' && sql.includes(`"${name}"`);
  return isQuoted ? 'Double quotes hold a name; text stands in single quotes.' : null;
}

/** Whether a schema or database of that name is missing. */
export function isUnknownPlace(failure: DatabaseFailure): boolean {
  const kind = failure.kind === 'query_failed' ? kindOfCode[failure.code ?? ''] : undefined;
  return kind === 'schema' || kind === 'database';
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

/** What another engine keeps about its tables, or this one under a name that is wrong. */
const isCatalog = (name: string): boolean =>
  /^(information_schema|pg_catalog)\.|(^|\.)(sqlite_(master|schema)|pg_(tables|class|catalog)|(user|all)_tables)$/i.test(
    name,
  );

/** MySQL doesn't say which. */
function bareName(tables: readonly QualifiedName[]): UnknownName | null {
  const bare = tables.find(({ schema }) => schema === null);
  return bare === undefined ? null : { kind: 'table', name: bare.name };
}

function unknownName({ code, message }: QueryFailed): UnknownName | null {
  const [first = ''] = message.split('\n');
  const ofSqlite = /^no such (table|column): (.+)$/.exec(first);
  if (ofSqlite !== null) return { kind: ofSqlite[1] === 'table' ? 'table' : 'column', name: String(ofSqlite[2]) };
  // In quotes of the server's language; PostgreSQL writes a qualified column without.
  const name = /["'«„“]([^"'«»„“”]+)["'»“”]/.exec(first)?.[1] ?? /\b(\w+\.\w+)\b/.exec(first)?.[1];
  const kind = kindOfCode[code ?? ''];
  return name === undefined || kind === undefined ? null : { kind, name };
}

/** What can't be reached is asked about where the connection leads by itself. */
async function nearestPlaces(
  kind: 'schema' | 'database',
  database: Database,
  context: CallContext,
  asked: string,
): Promise<string | null> {
  const from = { ...context, schema: null, ...(kind === 'database' && { database: null }) };
  const places = await database.places(from);
  if (places.kind !== 'done') return null;
  const { schemas, databases } = places.value;
  // A schema of MySQL is a database, and the only one of a connection that reaches no others.
  return nearestOrAll(kind === 'schema' || databases.length === 0 ? schemas : databases, asked);
}

export async function nearestTables(database: Database, context: CallContext, asked: string): Promise<string | null> {
  return didYouMean(nearestWritten(database, await tablesInReach(database, context), asked));
}

/** As a statement writes them; compared without the quotes that some need. */
export function nearestWritten({ engine }: Database, tables: readonly Table[], asked: string): readonly string[] {
  const written = new Map(
    tables.map(({ schema, name }) => [
      schema === null ? name : `${schema}.${name}`,
      qualifiedName(engine, schema, name),
    ]),
  );
  return nearest([...written.keys()], asked).map(name => written.get(name) ?? name);
}

/** Those that a statement may name; none where they can't be listed. */
export async function tablesInReach(database: Database, context: CallContext): Promise<readonly Table[]> {
  // A database of MySQL is but a schema there, and where the one that was named isn't there, nothing could be asked.
  const from = database.engine === 'mysql' ? { ...context, database: null } : context;
  const listed = await database.listTables({ ...from, schema: null }, false, 'everywhere');
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
    // SQLite can't tell those of a view that is broken.
    if (!table || table.columns.length === 0) continue;
    const columns = table.columns.map(column => column.name);
    const rest = columns.length - mostColumns;
    names.push(...columns);
    const listed = writtenNames(database.engine, columns.slice(0, mostColumns));
    sentences.push(`${writtenName(database.engine, name)} has ${listed}${rest > 0 ? ` and ${rest} more` : ''}.`);
  }
  const meant = didYouMean(nearest(names, asked).map(column => writtenName(database.engine, column)));
  return sentences.length === 0 ? null : [meant, ...sentences].filter(part => part !== null).join(' ');
}

/** Nearest first: the same name elsewhere, then what has few letters other. */
export function nearest(names: readonly string[], asked: string): readonly string[] {
  const whole = asked.toLowerCase();
  const bare = lastPart(whole);
  const [fromWhole, fromBare] = [distanceFrom(whole.slice(0, 128)), distanceFrom(bare.slice(0, 128))];
  const far = Math.max(2, Math.floor(bare.length / 3));
  return [...new Set(names)]
    .map(name => {
      const lower = name.toLowerCase();
      const distance = Math.min(fromBare(lastPart(lower)), whole.includes('.') ? fromWhole(lower) : Infinity);
      return { name, distance };
    })
    .filter(({ distance }) => distance <= far)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, mostSuggested)
    .map(({ name }) => name);
}

/** Of schemas and databases there are few enough to be named. */
export function nearestOrAll(names: readonly string[], asked: string): string | null {
  const near = didYouMean(nearest(names, asked));
  if (near !== null || names.length === 0) return near;
  return `There are: ${names.slice(0, mostListed).join(', ')}${names.length > mostListed ? ', …' : ''}.`;
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

function didYouMean(names: readonly string[]): string | null {
  return names.length === 0 ? null : `Did you mean ${names.join(' or ')}?`;
}
