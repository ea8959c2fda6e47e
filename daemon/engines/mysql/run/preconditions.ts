/** Conditions of ours that must hold where a statement runs, in its own transaction. */

import type { Precondition } from '../../engine.ts';
import { cellsOf } from '../../row-text.ts';
import type { Link } from '../link.ts';
import type { ServerAnswer } from '../wire/answer.ts';
import { type PreparedRun, text } from './parameters.ts';

interface ProvidedStatement {
  /** To be sent in place of the user's. */
  readonly sql: string;
  /** True where the server found that the condition doesn't hold, and ran nothing. */
  wasSkipped(answer: ServerAnswer): boolean;
}

const notPreparable = 1295;

/**
 * MariaDB gets the condition in one write with the statement, as a text that it executes only where
 * the condition holds.
 * @returns null where a condition was asked before and doesn't hold
 */
export async function providing(
  link: Link,
  conditions: readonly Precondition[],
  statement: string,
  bound: PreparedRun | null,
): Promise<ProvidedStatement | null> {
  const [only] = conditions;
  if (link.takesSeveral && bound === null && only !== undefined && conditions.length === 1) {
    link.sendAhead(`${only.sql} INTO @sallyport_holds`, false);
    return {
      sql: `EXECUTE IMMEDIATE IF(@sallyport_holds = 1, ${text(statement)}, 'DO 0')`,
      // A read gives columns, so it has no count of rows. What can't be executed this way is asked
      // step by step.
      wasSkipped: answer =>
        answer.kind === 'ok'
          ? answer.affectedRows !== null
          : answer.kind === 'error' && answer.number === notPreparable,
    };
  }
  for (const { sql } of conditions) if (!(await holds(link, sql))) return null;
  return { sql: bound?.execute ?? statement, wasSkipped: () => false };
}

async function holds(link: Link, sql: string): Promise<boolean> {
  let value: unknown;
  const { answer } = await link.query(sql, {
    columns: () => {},
    row: row => {
      [value] = cellsOf(row);
      return true;
    },
  });
  return answer.kind === 'ok' && String(value) === '1';
}
