/**
 * What a model needs after a name that the database doesn't know: the nearest that this connection may see. Asked for once the
 * statement has failed, so that whoever spells right pays nothing.
 */

import { distanceFrom } from '../access/edit-distance.ts';
import type { QualifiedName } from './classification/classification.ts';
import type { CallContext, Database, DatabaseFailure } from './database.ts';

type QueryFailed = Extract<DatabaseFailure, { kind: 'query_failed' }>;

const lookUpSeconds = 5;
const mostTables = 4;
const mostColumns = 40;
const mostSuggested = 3;

/** PostgreSQL's codes and MySQL's; SQLite has one for all errors, and says which in its words. */
const unknownTable = new Set(['42P01', '3F000', '1146', '1049']);
const unknownColumn = new Set(['42703', '1054']);

/** @returns the failure, its message ending with what was meant perhaps, where something near is there. */
export async function withNearestNames(
  database: Database,
  context: CallContext,
  tables: readonly QualifiedName[],
  failure: QueryFailed,
): Promise<QueryFailed> {
  const unknown = unknownName(failure);
  if (unknown === null) return failure;
  const asking = { ...context, timeoutSeconds: Math.min(context.timeoutSeconds, lookUpSeconds) };
  const advice =
    unknown.kind === 'table'
      ? await nearestTables(database, asking, unknown.name)
      : await columnsOf(database, asking, tables, unknown.name);
  return advice === null ? failure : { ...failure, message: `${failure.message}\n${advice}` };
}

function unknownName({
  code,
  message,
}: QueryFailed): { readonly kind: 'table' | 'column'; readonly name: string } | null {
  const [first = ''] = message.split('\n');
  const ofSqlite = /^no such (table|column): (.+)$/.exec(first);
  if (ofSqlite !== null) return { kind: ofSqlite[1] === 'table' ? 'table' : 'column', name: String(ofSqlite[2]) };
  // In quotes of the server's language; PostgreSQL writes a qualified column without.
  const name = /["'«„“]([^"'«»„“”]+)["'»“”]/.exec(first)?.[1] ?? /\b(\w+\.\w+)\b/.exec(first)?.[1];
  if (name === undefined || code === null) return null;
  if (unknownTable.has(code)) return { kind: 'table', name };
  return unknownColumn.has(code) ? { kind: 'column', name } : null;
}

async function nearestTables(database: Database, context: CallContext, asked: string): Promise<string | null> {
  const listed = await database.listTables({ ...context, schema: null }, false);
  if (listed.kind !== 'done') return null;
  const names = listed.value.map(({ schema, name }) => (schema === null ? name : `${schema}.${name}`));
  return didYouMean(nearest(names, asked));
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
    if (!table) continue;
    const columns = table.columns.map(column => column.name);
    const rest = columns.length - mostColumns;
    names.push(...columns);
    sentences.push(`${name} has ${columns.slice(0, mostColumns).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`);
  }
  const meant = didYouMean(nearest(names, asked));
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

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

function didYouMean(names: readonly string[]): string | null {
  return names.length === 0 ? null : `Did you mean ${names.join(' or ')}?`;
}
