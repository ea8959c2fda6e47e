/** Finds what a client names: tables and views, else routines and types. All names together, so that a slow link is travelled seldom. */

import type { Answer, CallContext, Database, ObjectDescription, TableDescription } from './database.ts';
import { grouped } from './grouped.ts';
import { readName } from './object-name.ts';

export interface Named {
  readonly named: string;
  readonly table: TableDescription | null;
  /** Where it is no table; several where a name is overloaded. */
  readonly objects: readonly ObjectDescription[];
}

/** How a name may be meant. */
interface Reading {
  readonly named: string;
  readonly context: CallContext;
  readonly name: string;
}

/** Each name as it is spelled; then with what stands before a dot as its schema, and before two as its database. */
export async function findNamed(
  database: Database,
  context: CallContext,
  names: readonly string[],
  withDdl: boolean,
): Promise<Answer<readonly Named[]>> {
  const tables = new Map<string, TableDescription>();
  const read = names.map(named => ({ named, parts: inParts(context, named) }));
  const spelled = await describeInto(tables, database, withDdl, asSpelled(context, names));
  // What has parts is hardly ever spelled so: that it fails says nothing yet.
  if (spelled !== null && read.some(({ parts }) => parts === null)) return spelled;

  const left = read.flatMap(({ named, parts }) => (parts === null || tables.has(named) ? [] : [parts]));
  for (const readings of grouped(left, reading => JSON.stringify([reading.context.database, reading.context.schema]))) {
    const failure = await describeInto(tables, database, withDdl, readings);
    if (failure !== null) return failure;
  }
  const found: Named[] = [];
  for (const { named, parts } of read) {
    const table = tables.get(named) ?? null;
    const last = parts ?? { context, name: named };
    const objects = table === null ? await database.describeObjects(last.context, withoutArguments(last.name)) : null;
    if (objects !== null && objects.kind !== 'done') return objects;
    found.push({ named, table, objects: objects?.value ?? [] });
  }
  return { kind: 'done', value: found };
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
): Promise<Exclude<Answer<never>, { kind: 'done' }> | null> {
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

/** `total(integer)` is a routine as PostgreSQL names it. */
function withoutArguments(name: string): string {
  return name.endsWith(')') ? (name.split('(', 1)[0] ?? '') : name;
}
