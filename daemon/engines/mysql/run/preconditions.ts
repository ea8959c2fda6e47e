/** Our conditions for running a statement, checked in its own transaction. */

import type { Precondition } from '../../engine.ts';
import { cellsOf } from '../../row-text.ts';
import type { Session } from '../session.ts';
import type { ServerAnswer } from '../wire/answer-reader.ts';
import { type PreparedRun, text } from './parameters.ts';

interface ProvidedStatement {
  /** Sent instead of the user's statement. */
  readonly sql: string;
  /** True if the server found the condition false and ran nothing. */
  wasSkipped(answer: ServerAnswer): boolean;
}

const notPreparable = 1295;

/**
 * MariaDB gets condition and statement in one write; it executes the statement only if the
 * condition holds.
 * @returns null if the condition was asked separately and doesn't hold
 */
export async function providing(
  session: Session,
  conditions: readonly Precondition[],
  statement: string,
  bound: PreparedRun | null,
): Promise<ProvidedStatement | null> {
  const [only] = conditions;
  if (session.takesSeveral && bound === null && only !== undefined && conditions.length === 1) {
    session.sendAhead(`${only.sql} INTO @sallyport_holds`, false);
    return {
      sql: `EXECUTE IMMEDIATE IF(@sallyport_holds = 1, ${text(statement)}, 'DO 0')`,
      // A read has columns and no row count. A statement that can't be executed this way is asked
      // about step by step.
      wasSkipped: answer =>
        answer.kind === 'ok'
          ? answer.affectedRows !== null
          : answer.kind === 'error' && answer.number === notPreparable,
    };
  }
  for (const { sql } of conditions) if (!(await holds(session, sql))) return null;
  return { sql: bound?.execute ?? statement, wasSkipped: () => false };
}

async function holds(session: Session, sql: string): Promise<boolean> {
  let value: unknown;
  const { answer } = await session.query(sql, {
    columns: () => {},
    row: row => {
      [value] = cellsOf(row);
      return true;
    },
  });
  return answer.kind === 'ok' && String(value) === '1';
}
