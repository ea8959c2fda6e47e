/**
 * Asks the catalog about the tables that a statement may write to, in one query; `unsupported` if
 * something can't be rolled back.
 */

import { ownTransactions } from '../../../guard/mysql/storage-engines.ts';
import { valueOrThrow } from '../../answering.ts';
import type { CallContext, Database } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';
import { nearestTables } from '../../nearest-names.ts';
import { refuse } from '../../preview-plan.ts';
import { literal } from '../dialect/literal.ts';
import { hasPrivilege } from '../follow/grants.ts';

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

interface WrittenTable extends TableName {
  /** What happens to its rows, in the words of triggers; null if anything may. */
  readonly events: readonly string[] | null;
  /** The columns that get new values: all of them for an added row. */
  readonly given: 'all' | readonly string[];
}

interface MysqlFacts {
  readonly triggers: readonly string[];
  /**
   * True if an added row, or a trigger, takes a number from a counter; a rollback doesn't give it
   * back.
   */
  readonly counts: boolean;
}

/** A trigger with one of these in its text moves or sets a sequence. */
const moves = "'next[[:space:]]*val'";
const sets = "'setval'";

function questionOf({ schema, name, events, given }: WrittenTable, index: number): string {
  const [where, what] = [literal(schema), literal(name)];
  const fires = events === null ? '' : ` AND EVENT_MANIPULATION IN (${events.map(event => `'${event}'`).join(', ')})`;
  const columns = given === 'all' ? 'TRUE' : `LOWER(COLUMN_NAME) IN (${[...given, ''].map(literal).join(', ')})`;
  return [
    `SELECT ${index}, IF(e.TRANSACTIONS = 'YES', 'engine', 'without'), t.ENGINE FROM information_schema.TABLES AS t
LEFT JOIN information_schema.ENGINES AS e ON e.ENGINE = t.ENGINE WHERE t.TABLE_SCHEMA = ${where} AND t.TABLE_NAME = ${what}`,
    `SELECT ${index}, 'counter', '' FROM information_schema.COLUMNS WHERE ${columns} AND TABLE_SCHEMA = ${where} AND TABLE_NAME = ${what}
AND (EXTRA LIKE '%auto_increment%' OR COLUMN_DEFAULT LIKE '%nextval%')`,
    `SELECT ${index}, 'trigger', TRIGGER_NAME FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = ${where} AND EVENT_OBJECT_TABLE = ${what}${fires}`,
    `SELECT ${index}, IF(ACTION_STATEMENT REGEXP ${sets}, 'setter', 'counter'), TRIGGER_NAME FROM information_schema.TRIGGERS
WHERE EVENT_OBJECT_SCHEMA = ${where} AND EVENT_OBJECT_TABLE = ${what}${fires} AND (ACTION_STATEMENT REGEXP ${moves} OR ACTION_STATEMENT REGEXP ${sets})`,
  ].join('\nUNION ALL ');
}

/** Call it within `answering`. */
export async function mysqlFacts(
  database: Database,
  context: CallContext,
  tables: readonly WrittenTable[],
): Promise<MysqlFacts> {
  const questions = tables.map((table, index) => questionOf(table, index));
  const grants = valueOrThrow(await lookUp(database, context, 'SHOW GRANTS', [])).map(([line]) => String(line));
  const rows = valueOrThrow(await lookUp(database, context, questions.join('\nUNION ALL '), []));
  for (const [index, { schema, name }] of tables.entries()) {
    const found = rows.filter(([place]) => Number(place) === index);
    const shown = `${schema}.${name}`;
    const engine = found.find(([, kind]) => kind === 'engine' || kind === 'without');
    if (engine === undefined) {
      const nearest = await nearestTables(database, context, shown);
      const sentence = cannotTell(`${shown} is not a table that this account can see.`);
      refuse(nearest === null ? sentence : `${sentence}\n${nearest}`);
    }
    const isOurs = engine[1] === 'engine' && ownTransactions.has(String(engine[2]).toLowerCase());
    if (!isOurs)
      refuse(
        cannotTell(
          `${shown} is a table of the engine ${String(engine[2] ?? 'unknown')}, whose changes are not rolled back.`,
        ),
      );
    // Without TRIGGER, triggers are invisible; an empty list proves nothing.
    if (!hasPrivilege(grants, 'TRIGGER', { schema, name }))
      refuse(
        cannotTell(
          `This account lacks the privilege TRIGGER, so what triggers on ${shown} would write can't be known.`,
        ),
      );
  }
  const setter = rows.find(([, kind]) => kind === 'setter');
  if (setter !== undefined) refuse(setsForGood(`the trigger ${String(setter[2])}`));
  const triggers = rows.filter(([, kind]) => kind === 'trigger').map(([, , name]) => String(name));
  return { triggers: [...new Set(triggers)], counts: rows.some(([, kind]) => kind === 'counter') };
}

export function setsForGood(what: string): string {
  return `A sequence that ${what} sets stays so after a rollback, so the statement is not tried out.`;
}

export function cannotTell(why: string): string {
  return `${why} A preview could not be undone for sure, so the statement was not run.`;
}
