/** What a MySQL or MariaDB server says of the table that a statement changes. */

import type { Ask } from './mysql-transactional.ts';

const columnQuestion = `
SELECT c.COLUMN_NAME, s.SEQ_IN_INDEX, s.SUB_PART, c.EXTRA, c.COLUMN_DEFAULT
FROM information_schema.COLUMNS AS c LEFT JOIN information_schema.STATISTICS AS s
ON s.TABLE_SCHEMA = c.TABLE_SCHEMA AND s.TABLE_NAME = c.TABLE_NAME AND s.COLUMN_NAME = c.COLUMN_NAME AND s.INDEX_NAME = 'PRIMARY'
WHERE c.TABLE_SCHEMA = ? AND c.TABLE_NAME = ? ORDER BY s.SEQ_IN_INDEX`;
const cascadeQuestion = `
SELECT DISTINCT TABLE_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS
WHERE UNIQUE_CONSTRAINT_SCHEMA = ? AND REFERENCED_TABLE_NAME = ? AND DELETE_RULE IN ('CASCADE', 'SET NULL', 'SET DEFAULT')`;

export interface TargetFacts {
  /** Columns of the primary key, in order; empty where there is none that tells rows apart. */
  readonly key: readonly string[];
  /** Whether a new row takes a value from a counter. */
  readonly counts: boolean;
  /** Tables whose foreign keys follow a row that is removed. */
  readonly cascades: readonly string[];
}

/** @param target null where the statement changes several. */
export async function targetFacts(
  ask: Ask,
  target: { readonly schema: string; readonly name: string } | null,
): Promise<TargetFacts> {
  if (target === null) return { key: [], counts: true, cascades: [] };
  const columns = await ask(columnQuestion, [target.schema, target.name]);
  const followers = await ask(cascadeQuestion, [target.schema, target.name]);
  const keyed = columns.filter(([, place]) => place !== null);
  // A key over the beginnings of columns is unique by those alone.
  const isPrefix = keyed.some(([, , part]) => part !== null);
  return {
    key: isPrefix ? [] : keyed.map(([name]) => String(name)),
    counts: columns.some(
      ([, , , extra, preset]) => /auto_increment/i.test(String(extra)) || /\bnextval\b/i.test(String(preset)),
    ),
    cascades: followers.map(([table]) => String(table)),
  };
}
