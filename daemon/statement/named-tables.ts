/**
 * Finds what a client names: tables and views, else routines and types. All names together, to save
 * round trips.
 */

import type {
  Answer,
  CallContext,
  Database,
  DatabaseFailure,
  ObjectDescription,
  TableDescription,
} from '../engines/engine.ts';
import { isUnknownPlace, nearestWritten, tablesInReach } from '../engines/nearest-names.ts';
import { readName } from '../engines/object-name.ts';
import { type Named, withoutAddress } from './failure-refusals.ts';

export interface FoundByName {
  readonly named: string;
  readonly table: TableDescription | null;
  /** Set if it is no table; several if a name is overloaded. */
  readonly objects: readonly ObjectDescription[];
  /** Where it was searched. */
  readonly database: string | null;
  /** A sentence on why nothing could be searched there; null if it could. */
  readonly problem: string | null;
}

/** One way to read a name. */
interface Reading {
  readonly named: string;
  readonly context: CallContext;
  readonly name: string;
}

/**
 * First each name as spelled; then with the part before a dot as schema, and the part before two as
 * database.
 */
export async function findNamed(
  database: Database,
  context: CallContext,
  names: readonly string[],
  withDdl: boolean,
): Promise<Answer<readonly FoundByName[]>> {
  const tables = new Map<string, TableDescription>();
  const failures = new Map<string, NamesFailure>();
  const read = names.map(named => ({ named, parts: inParts(context, named) }));
  const spelled = await describeInto(tables, database, withDdl, asSpelled(context, names));
  const bare = read.filter(({ parts }) => parts === null);
  // A dotted name is hardly ever a plain one, so its failure means nothing yet.
  if (spelled !== null && bare.length > 0) {
    if (bare.length === read.length || !isOfNames(spelled)) return spelled;
    for (const { named } of bare) failures.set(named, spelled);
  }
  // A table may be called `a.b`: the one that SQL reads there, b in the schema a, comes first.
  const isWhole = (named: string): boolean => tables.get(named)?.name === named;
  const left = read.flatMap(({ named, parts }) =>
    parts === null || (tables.has(named) && !isWhole(named)) ? [] : [parts],
  );
  for (const readings of Map.groupBy(left, reading =>
    JSON.stringify([reading.context.database, reading.context.schema]),
  ).values()) {
    const failure = await describeInto(tables, database, withDdl, readings);
    if (failure === null) continue;
    if (!isOfNames(failure)) return failure;
    for (const { named } of readings) if (!tables.has(named)) failures.set(named, failure);
  }
  const [outage] = [...failures.values()].filter(({ kind }) => kind === 'not_connected');
  if (outage !== undefined && names.every(named => failures.has(named))) return outage;
  const found: FoundByName[] = [];
  for (const { named, parts } of read) {
    const table = tables.get(named) ?? null;
    const failure = failures.get(named) ?? null;
    const last = parts === null || isWhole(named) ? { context, name: named } : parts;
    const isSought = table === null && failure === null;
    const objects = isSought ? await objectsNamed(database, [last, { context, name: named }]) : null;
    if (objects !== null && objects.kind !== 'done') return objects;
    const problem = failure === null || isUnknownPlace(database.dialect, failure) ? null : failure.message;
    found.push({ named, table, objects: objects?.value ?? [], database: last.context.database, problem });
  }
  return { kind: 'done', value: found };
}

/** Routines and types by the first reading that finds any: a type's name may contain a dot. */
async function objectsNamed(
  database: Database,
  readings: readonly Pick<Reading, 'context' | 'name'>[],
): Promise<Answer<readonly ObjectDescription[]>> {
  for (const [place, { context, name }] of readings.entries()) {
    const isSame = place > 0 && readings[0]?.name === name;
    const found = isSame ? null : await database.describeObjects(context, withoutArguments(name));
    if (found !== null && (found.kind !== 'done' || found.value.length > 0)) return found;
  }
  return { kind: 'done', value: [] };
}

/** A sentence for each name that was not found, with the nearest ones. */
export async function missingSentences(
  database: Database,
  context: CallContext,
  connection: Named,
  missing: readonly FoundByName[],
): Promise<string[]> {
  const tables = missing.length === 0 ? [] : await tablesInReach(database, context);
  return missing.map(({ named, problem }) => {
    const near = nearestWritten(database, tables, unquoted(named)).join(' or ');
    if (problem !== null) {
      const told = withoutAddress(problem, connection).replace(/[^.!?]$/, '$&.');
      return [`"${named}": ${told}`, ...(near === '' ? [] : [`Did you mean ${near}?`])].join(' ');
    }
    const meant = near === '' ? 'list_tables names them.' : `did you mean ${near}?`;
    const place = readName(named)?.schema == null ? (context.schema ?? context.database) : null;
    const where = place === null ? '' : ` in "${place}"`;
    return `"${connection.name}" has no table or view "${named}"${where}; ${meant}`;
  });
}

type NamesFailure = Extract<DatabaseFailure, { kind: 'query_failed' | 'unsupported' | 'not_connected' }>;

/**
 * True if the failure may be about the schema or database of these names: it says nothing about
 * others.
 */
function isOfNames(failure: DatabaseFailure): failure is NamesFailure {
  return failure.kind === 'query_failed' || failure.kind === 'unsupported' || failure.kind === 'not_connected';
}

function asSpelled(context: CallContext, names: readonly string[]): Reading[] {
  return names.map(name => ({ named: name, context, name }));
}

function inParts(context: CallContext, named: string): Reading | null {
  const read = readName(named);
  if (read === null || (read.name === named && read.schema === null)) return null;
  const { schema, database, name } = read;
  return {
    named,
    name,
    context: { ...context, schema: schema ?? context.schema, database: database ?? context.database },
  };
}

/** @param readings of one context. @returns why nothing was found out, or null. */
async function describeInto(
  tables: Map<string, TableDescription>,
  database: Database,
  withDdl: boolean,
  readings: readonly Reading[],
): Promise<DatabaseFailure | null> {
  const [first] = readings;
  if (first === undefined) return null;
  const names = readings.map(({ name }) => name);
  const answer = await database.describeTables(first.context, names, withDdl);
  if (answer.kind !== 'done') return answer;
  for (const [index, { named }] of readings.entries()) {
    const table = answer.value[index];
    if (table) tables.set(named, table);
  }
  return null;
}

/**
 * The name without quotes. It keeps its schema, for names in that are nearer than any elsewhere.
 */
function unquoted(named: string): string {
  const { schema = null, name = named } = readName(named) ?? {};
  return schema === null ? name : `${schema}.${name}`;
}

/** PostgreSQL writes a routine as `total(integer)`. */
function withoutArguments(name: string): string {
  return name.endsWith(')') ? (name.split('(', 1)[0] ?? '') : name;
}
