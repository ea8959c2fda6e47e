/**
 * How two tables are joined that no key joins directly: the shortest way over foreign keys, at most
 * four of them. Asks for descriptions of the tables between.
 */

import type { CallContext, Database, TableDescription } from '../engines/engine.ts';

interface TableName {
  readonly schema: string | null;
  readonly name: string;
}

/** One foreign key: `columns` of `child` refer to `parentColumns` of `parent`. */
export interface Join {
  readonly child: TableName;
  readonly columns: readonly string[];
  readonly parent: TableName;
  readonly parentColumns: readonly string[];
}

type Graph = Map<string, Join[]>;

/** A description costs a server some milliseconds, and a hub has hundreds of neighbours. */
const mostBetween = 40;
/** How many paths of one length are compared. */
const mostCompared = 50;

/** @returns the joins in their order; null if a key joins them directly, or if none do. */
export async function joinPath(
  database: Database,
  context: CallContext,
  from: TableDescription,
  to: TableDescription,
): Promise<readonly Join[] | null> {
  if (keyOf(from) === keyOf(to)) return null;
  const graph: Graph = new Map();
  for (const table of [from, to]) addKeys(graph, table);
  const near = shortest(graph, keyOf(from), keyOf(to));
  if (near !== null) return near.length > 1 ? near : null;
  for (const table of await neighbours(database, context, graph)) addKeys(graph, table);
  return shortest(graph, keyOf(from), keyOf(to));
}

async function neighbours(
  database: Database,
  context: CallContext,
  graph: Graph,
): Promise<readonly TableDescription[]> {
  const known = [...graph.values()].flat().flatMap(({ child, parent }) => [child, parent]);
  const unique = [...new Map(known.map(table => [keyOf(table), table])).values()].slice(0, mostBetween);
  const found: TableDescription[] = [];
  for (const [schema, tables] of Map.groupBy(unique, table => table.schema)) {
    const names = tables.map(({ name }) => name);
    const described = await database.describeTables({ ...context, schema: schema ?? context.schema }, names, false);
    if (described.kind === 'done') found.push(...described.value.filter(table => table !== null));
  }
  return found;
}

function addKeys(graph: Graph, table: TableDescription): void {
  const { schema, name } = table;
  const own = { schema, name };
  const outgoing = table.foreignKeys.map(key => ({
    child: own,
    columns: key.columns,
    parent: { schema: key.referencedSchema, name: key.referencedTable },
    parentColumns: key.referencedColumns,
  }));
  const incoming = (table.referencedBy ?? []).map(key => ({
    child: { schema: key.schema, name: key.table },
    columns: key.columns,
    parent: own,
    parentColumns: key.referencedColumns,
  }));
  for (const join of [...outgoing, ...incoming]) {
    for (const end of [join.child, join.parent]) graph.set(keyOf(end), [...(graph.get(keyOf(end)) ?? []), join]);
  }
}

/** Level by level. Of several shortest paths the one that goes least over a common parent. */
function shortest(graph: Graph, from: string, to: string): readonly Join[] | null {
  const seen = new Set([from]);
  let paths: readonly { readonly at: string; readonly joins: readonly Join[] }[] = [{ at: from, joins: [] }];
  while (paths.length > 0) {
    const further = paths.flatMap(({ at, joins }) =>
      (graph.get(at) ?? [])
        .map(join => ({ at: otherEnd(join, at), joins: [...joins, join] }))
        .filter(path => !seen.has(path.at)),
    );
    const ended = further.filter(({ at }) => at === to).map(({ joins }) => joins);
    if (ended.length > 0) return ended.toSorted((a, b) => overParents(a) - overParents(b))[0] ?? null;
    for (const { at } of further) seen.add(at);
    paths = further.slice(0, mostCompared);
  }
  return null;
}

function otherEnd({ child, parent }: Join, at: string): string {
  return keyOf(child) === at ? keyOf(parent) : keyOf(child);
}

/** Rows of one country or user belong together by chance; a table of pairs joins on purpose. */
function overParents(joins: readonly Join[]): number {
  return joins.filter((join, at) => {
    const next = joins[at + 1];
    return next !== undefined && keyOf(join.parent) === keyOf(next.parent) && keyOf(join.child) !== keyOf(next.child);
  }).length;
}

/** MySQL may tell one name in two cases. */
function keyOf({ schema, name }: TableName): string {
  return JSON.stringify([schema, name]).toLowerCase();
}
