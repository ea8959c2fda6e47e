/** What a MySQL or MariaDB server says of the routines a statement calls, for `withCatalog`. */

import type { QualifiedName } from './classification/classification.ts';
import type { RoutineFact } from './classification/mysql/catalog.ts';
import type { Answer, CallContext, Cell, Database } from './database.ts';
import { lookUp } from './look-up.ts';

const storedRoutines = (count: number): string => `
  SELECT ROUTINE_SCHEMA, ROUTINE_NAME, SQL_DATA_ACCESS, ROUTINE_DEFINITION
  FROM information_schema.ROUTINES WHERE ROUTINE_NAME IN (${Array(count).fill('?').join(', ')})`;

/** @param schema where unqualified names are looked up. */
export async function routineFacts(
  database: Database,
  context: CallContext,
  schema: string | null,
  calls: readonly QualifiedName[],
): Promise<Answer<readonly RoutineFact[]>> {
  const names = [...new Set(calls.map(call => call.name))];
  const stored = await lookUp(database, context, storedRoutines(names.length), names);
  if (stored.kind !== 'done') return stored;
  const facts = stored.value.map(factOf).filter(fact => isReachable(fact, schema, calls));
  const unexplained = calls.filter(call => call.schema === null && !facts.some(fact => sameName(fact.name, call.name)));
  return { kind: 'done', value: [...facts, ...unexplained.map(loadable)] };
}

/**
 * Not built in, and no stored routine this account may see: it doesn't exist, or it is code from a library, which
 * `mysql.func` lists only for those who may read that. Nobody but its author knows what it does.
 */
function loadable(call: QualifiedName): RoutineFact {
  return { schema: null, name: call.name, dataAccess: '', definition: null, isLoadable: true };
}

function factOf([schema, name, dataAccess, definition]: readonly Cell[]): RoutineFact {
  return {
    schema: String(schema),
    name: String(name),
    dataAccess: String(dataAccess),
    definition: typeof definition === 'string' ? definition : null,
    isLoadable: false,
  };
}

function isReachable(fact: RoutineFact, schema: string | null, calls: readonly QualifiedName[]): boolean {
  return calls.some(
    call =>
      sameName(fact.name, call.name) && (call.schema !== null || schema === null || sameName(fact.schema, schema)),
  );
}

function sameName(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
