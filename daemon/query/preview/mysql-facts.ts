/** What a MySQL or MariaDB server says of itself and of the table that a statement changes. */

import type { Answer, Cell } from '../database.ts';
import type { Ask } from './mysql-transactional.ts';

const serverQuestion = 'SELECT VERSION(), @@sql_mode, DATABASE()';
const columnQuestion = `
SELECT c.COLUMN_NAME, s.SEQ_IN_INDEX, s.SUB_PART, c.EXTRA, c.COLUMN_DEFAULT
FROM information_schema.COLUMNS AS c LEFT JOIN information_schema.STATISTICS AS s
ON s.TABLE_SCHEMA = c.TABLE_SCHEMA AND s.TABLE_NAME = c.TABLE_NAME AND s.COLUMN_NAME = c.COLUMN_NAME AND s.INDEX_NAME = 'PRIMARY'
WHERE c.TABLE_SCHEMA = ? AND c.TABLE_NAME = ? ORDER BY s.SEQ_IN_INDEX`;

const cascadeQuestion = `
SELECT DISTINCT TABLE_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS
WHERE UNIQUE_CONSTRAINT_SCHEMA = ? AND REFERENCED_TABLE_NAME = ? AND DELETE_RULE IN ('CASCADE', 'SET NULL', 'SET DEFAULT')`;

interface ServerFacts {
  readonly version: string;
  readonly sqlMode: string;
  /** Null where the session has none. */
  readonly current: string | null;
}

export interface TargetFacts {
  /** Columns of the primary key, in order; empty where there is none that tells rows apart. */
  readonly key: readonly string[];
  /** Whether a new row takes a value from a counter. */
  readonly counts: boolean;
  /** Tables whose foreign keys follow a row that is removed. */
  readonly cascades: readonly string[];
}

export async function serverFacts(ask: Ask): Promise<Answer<ServerFacts>> {
  const answer = await ask(serverQuestion, []);
  if (answer.kind !== 'done') return answer;
  const [version, sqlMode, current] = answer.value[0] ?? [];
  const facts = {
    version: String(version),
    sqlMode: String(sqlMode),
    current: current == null ? null : String(current),
  };
  return { kind: 'done', value: facts };
}

/** @param target null where the statement changes several. @param removes whether it removes rows. */
export async function targetFacts(
  ask: Ask,
  target: { readonly schema: string; readonly name: string } | null,
  removes: boolean,
): Promise<Answer<TargetFacts>> {
  if (target === null) return { kind: 'done', value: { key: [], counts: true, cascades: [] } };
  const columns = await ask(columnQuestion, [target.schema, target.name]);
  if (columns.kind !== 'done') return columns;
  const followers = removes ? await ask(cascadeQuestion, [target.schema, target.name]) : null;
  if (followers !== null && followers.kind !== 'done') return followers;
  const cascades = (followers?.value ?? []).map(([table]) => String(table));
  return { kind: 'done', value: { ...columnFacts(columns.value), cascades } };
}

function columnFacts(rows: readonly (readonly Cell[])[]): Omit<TargetFacts, 'cascades'> {
  const keyed = rows.filter(([, place]) => place !== null);
  // A key over the beginnings of columns is unique by those alone.
  const isPrefix = keyed.some(([, , part]) => part !== null);
  return {
    key: isPrefix ? [] : keyed.map(([name]) => String(name)),
    counts: rows.some(
      ([, , , extra, value]) => /auto_increment/i.test(String(extra)) || /\bnextval\b/i.test(String(value)),
    ),
  };
}

/** Since when INSERT and REPLACE have RETURNING; no MySQL has it. */
export function isMariadbSince105(version: string): boolean {
  const [, major = '0', minor = '0'] = /^(?:5\.5\.5-)?(\d+)\.(\d+)/.exec(version) ?? [];
  return /mariadb/i.test(version) && (Number(major) > 10 || (Number(major) === 10 && Number(minor) >= 5));
}
