/**
 * Reads from the tree of a PostgreSQL statement what a trial of it would leave behind, and what it
 * would set off in later statements. Asks no catalog.
 */

import { outlives } from './functions.ts';
import { hookedFunctions } from './hooked-functions.ts';
import type { Parse } from './parser.ts';
import { taggedNode } from './tree.ts';
import { Walk } from './walk.ts';

export interface PostgresLasting {
  /** True if a rollback leaves something of it: the numbers of a sequence, above all. */
  readonly outlivesRollback: boolean;
  /** True if it puts code behind operators, casts or the like, which no call names. */
  readonly hooksCode: boolean;
  /** True if from then on every definition runs code. */
  readonly hooksDefinitions: boolean;
}

const eventTriggers: ReadonlySet<string> = new Set(['CreateEventTrigStmt', 'AlterEventTrigStmt']);

/** Takes what can't be read for the worst. */
export function readLasting(parse: Parse, sql: string): PostgresLasting {
  const parsed = parse(sql);
  if (parsed.kind !== 'statements') return { outlivesRollback: true, hooksCode: true, hooksDefinitions: true };
  const nodes = parsed.statements.flatMap(statement => taggedNode(statement) ?? []);
  const called = parsed.statements.flatMap(statement => [...new Walk(statement).notes.called]);
  return {
    outlivesRollback: called.some(name => name === 'nextval' || outlives(name)),
    // A trigger hangs on a table, where a data change is followed through it.
    hooksCode: nodes.some(({ tag, fields }) => tag !== 'CreateTrigStmt' && hookedFunctions(tag, fields).length > 0),
    hooksDefinitions: nodes.some(({ tag }) => eventTriggers.has(tag)),
  };
}
