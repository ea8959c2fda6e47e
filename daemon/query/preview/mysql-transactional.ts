/**
 * Whether everything that a MySQL or MariaDB statement may write to can be rolled back: its tables, those under its views,
 * and those that triggers and routines write. What can't be seen or read counts as not.
 */

import type { QualifiedName } from '../classification/classification.ts';
import type { Parameter } from '../database.ts';
import type { Cell } from '../row-text.ts';
import { type CodeReach, type Item, itemsOf } from './mysql-reach.ts';
import { refuse } from './plan.ts';

export type Ask = (sql: string, parameters: readonly Parameter[]) => Promise<readonly (readonly Cell[])[]>;

/** Engines that roll back what they hold themselves; FEDERATED, SPIDER and their like hold it elsewhere. */
const ownTransactions = new Set(['innodb', 'rocksdb', 'ndbcluster', 'ndb', 'tokudb']);

const tableQuestion = `
SELECT t.TABLE_TYPE, t.ENGINE, e.TRANSACTIONS, v.VIEW_DEFINITION
FROM information_schema.TABLES AS t LEFT JOIN information_schema.ENGINES AS e ON e.ENGINE = t.ENGINE
LEFT JOIN information_schema.VIEWS AS v ON v.TABLE_SCHEMA = t.TABLE_SCHEMA AND v.TABLE_NAME = t.TABLE_NAME
WHERE t.TABLE_SCHEMA = ? AND t.TABLE_NAME = ?`;
const triggerQuestion = `
SELECT ACTION_STATEMENT, SQL_MODE FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = ? AND EVENT_OBJECT_TABLE = ?`;
const routineQuestion = `
SELECT ROUTINE_DEFINITION, SQL_MODE FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ? AND ROUTINE_NAME = ?`;
/** Without the privilege TRIGGER a table's triggers are not listed: none to be seen is not none. */
const mayAlwaysSeeTriggers = `
SELECT COUNT(*) FROM (
SELECT GRANTEE FROM information_schema.USER_PRIVILEGES WHERE PRIVILEGE_TYPE = 'TRIGGER'
UNION ALL SELECT GRANTEE FROM information_schema.SCHEMA_PRIVILEGES WHERE PRIVILEGE_TYPE = 'TRIGGER' AND ? LIKE TABLE_SCHEMA
UNION ALL SELECT GRANTEE FROM information_schema.TABLE_PRIVILEGES
WHERE PRIVILEGE_TYPE = 'TRIGGER' AND TABLE_SCHEMA = ? AND TABLE_NAME = ?
) AS g WHERE g.GRANTEE = CONCAT('''', LEFT(CURRENT_USER(), CHAR_LENGTH(CURRENT_USER())
- CHAR_LENGTH(SUBSTRING_INDEX(CURRENT_USER(), '@', -1)) - 1), '''@''', SUBSTRING_INDEX(CURRENT_USER(), '@', -1), '''')`;

/** More than this behind one statement is not looked through. */
const mostItems = 60;

/** Reads stored code in a thread that judges. */
export type ReadCode = (text: string, sqlMode: string, schema: string, kind: 'table' | 'read') => Promise<CodeReach>;

/** The server, and what reads its code. */
interface Lookers {
  readonly ask: Ask;
  readonly read: ReadCode;
}

interface Reached {
  readonly writes: readonly QualifiedName[];
  readonly reads: readonly QualifiedName[];
  readonly calls: readonly QualifiedName[];
}

/** Within `answering`: `unsupported`, with the reason, where not all can be rolled back. */
export async function requireTransactional(
  lookers: Lookers,
  currentSchema: string | null,
  reached: Reached,
): Promise<void> {
  // What is added while it is walked is walked too.
  const seen = new Map<string, Item>();
  const add = (items: readonly Item[]): void => {
    for (const item of items) seen.set(JSON.stringify(item).toLowerCase(), item);
  };
  add([
    ...itemsOf('table', reached.writes, currentSchema),
    ...itemsOf('read', reached.reads, currentSchema),
    ...itemsOf('routine', reached.calls, currentSchema),
  ]);
  for (const item of seen.values()) {
    if (seen.size > mostItems)
      return unsure('It reaches more tables, triggers and routines than can be looked through.');
    add(await look[item.kind](lookers, item));
  }
}

const look = { table: lookAtTable, read: lookAtTable, routine: lookAtRoutine };

async function lookAtTable({ ask, read }: Lookers, { kind, schema, name }: Item): Promise<readonly Item[]> {
  const isWritten = kind !== 'read';
  const shown = `${schema}.${name}`;
  const answer = await ask(tableQuestion, [schema, name]);
  if (isWritten && answer.length === 0) return unsure(`${shown} is not a table that this account can see.`);
  const items: Item[] = [];
  for (const [type, engine, transactions, definition] of answer) {
    if (type === 'VIEW') {
      const found = await read(String(definition ?? ''), '', schema, isWritten ? 'table' : 'read');
      if (found.kind !== 'reaches') return unsure(`The view ${shown} can't be looked into.`);
      items.push(...found.items);
    } else if (isWritten && (!ownTransactions.has(String(engine).toLowerCase()) || transactions !== 'YES')) {
      return unsure(
        `${shown} is a table of the engine ${String(engine ?? 'unknown')}, whose changes are not rolled back.`,
      );
    }
  }
  if (!isWritten) return items;
  const privileged = await ask(mayAlwaysSeeTriggers, [schema, schema, name]);
  if (Number(privileged[0]?.[0] ?? 0) === 0) {
    return unsure(`This account lacks the privilege TRIGGER, so what triggers on ${shown} would write can't be known.`);
  }
  const triggers = await ask(triggerQuestion, [schema, name]);
  return withCode(read, items, triggers, schema, `a trigger on ${shown}`);
}

async function lookAtRoutine({ ask, read }: Lookers, { schema, name }: Item): Promise<readonly Item[]> {
  const answer = await ask(routineQuestion, [schema, name]);
  if (answer.length === 0) return unsure(`${name} is not built in, and what it writes can't be known.`);
  return withCode(read, [], answer, schema, `the routine ${schema}.${name}`);
}

async function withCode(
  read: ReadCode,
  reached: readonly Item[],
  code: readonly (readonly Cell[])[],
  schema: string,
  where: string,
): Promise<readonly Item[]> {
  const items = [...reached];
  for (const [body, mode] of code) {
    const found = await read(typeof body === 'string' ? body : '', String(mode), schema, 'table');
    if (found.kind === 'dynamic')
      return unsure(`The code of ${where} runs SQL from a string, so what it writes can't be known.`);
    if (found.kind !== 'reaches') return unsure(`The code of ${where} can't be looked into.`);
    items.push(...found.items);
  }
  return items;
}

function unsure(why: string): never {
  return refuse(`${why} A preview could not be undone for sure, so the statement was not run.`);
}
