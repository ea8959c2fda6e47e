/**
 * Remembers which tables definitions of ours made, by the CREATE_TIME that the server tells right
 * after each of them. Another's ALTER, OPTIMIZE or TRUNCATE gives the table another.
 */

import type { QualifiedName, RowEffects } from '../../../guard/types.ts';
import type { Made } from '../../made.ts';
import type { AddedRows } from '../../request.ts';
import { type Cell, cellsOf } from '../../row-text.ts';
import { place } from '../dialect/literal.ts';
import type { Session } from '../session.ts';

interface Mark {
  readonly table: string;
  /** Null for what isn't a table, and if the engine keeps none. */
  readonly time: string | null;
}

/** True for a table that has the mark that a definition of ours left. */
export type IsOurs = (mark: Mark) => boolean;

export function knownTables(made: Made): IsOurs {
  return ({ table, time }) => time !== null && made.has(table, time);
}

export const mark = 'JSON_ARRAY(TABLE_SCHEMA, TABLE_NAME, UNIX_TIMESTAMP(CREATE_TIME))';

export function markOf(cell: Cell | undefined): Mark {
  const [schema, name, time] = JSON.parse(String(cell));
  return { table: JSON.stringify([schema, name]), time: time === null ? null : String(time) };
}

/**
 * Call it in the statement's session before it runs.
 * @returns a function to call there once it has succeeded.
 */
export async function watchMade(
  session: Session,
  names: readonly QualifiedName[],
  made: Made,
): Promise<() => Promise<void>> {
  const isOurs = knownTables(made);
  const before = await marks(session, names);
  return async () => {
    for (const { table, time } of (before === null ? null : await marks(session, names)) ?? []) {
      const was = before?.find(each => each.table === table);
      if (time === null) continue;
      if (was === undefined) made.add(table, time);
      else if (isOurs(was)) made.marked(table, time);
    }
  };
}

/** An INSERT of fewer rows isn't worth the question whether its table is new. */
const fewRows = 100;

/** @param affected the server's count of the statement. */
export async function addedRows(
  session: Session,
  effects: RowEffects | undefined,
  affected: number,
  made: Made,
): Promise<readonly AddedRows[]> {
  const target = effects?.insertedInto[0] ?? effects?.tables[0];
  if (effects?.ownEffect !== 'adds' || target === undefined || affected === 0) return [];
  const found = affected < fewRows ? null : await marks(session, [target]);
  return found?.some(knownTables(made)) === true ? [] : [{ table: `${target.schema}.${target.name}`, rows: affected }];
}

/** @returns null if the server doesn't say. */
async function marks(session: Session, names: readonly QualifiedName[]): Promise<readonly Mark[] | null> {
  const questions = names.map(
    ({ schema, name }) => `SELECT ${mark} FROM information_schema.TABLES WHERE ${place(schema ?? '', name)}`,
  );
  if (questions.length === 0) return [];
  const found: Mark[] = [];
  const { answer } = await session.query(questions.join(' UNION ALL '), {
    columns() {},
    row: row => found.push(markOf(cellsOf(row)[0])) > 0,
  });
  return answer.kind === 'ok' ? found : null;
}
