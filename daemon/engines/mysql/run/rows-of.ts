/** Asks a server a question of ours with a short answer, outside of any call's session. */

import { type Cell, cellsOf, type RowText } from '../../row-text.ts';
import type { Session } from '../session.ts';

/** Empty if the query fails. */
export async function rowsOf(session: Session, sql: string): Promise<readonly (readonly Cell[])[]> {
  const rows: (readonly Cell[])[] = [];
  const row = (given: RowText): boolean => {
    rows.push(cellsOf(given));
    return true;
  };
  await session.query(sql, { columns: () => {}, row });
  return rows;
}
