/** A short sentence for errors that models meet often and whose words leave them stuck: only where it is certain what to write. */

import type { Engine } from '../access/connection.ts';
import type { DatabaseFailure } from './database.ts';

type QueryFailed = Extract<DatabaseFailure, { kind: 'query_failed' }>;

/** PostgreSQL: a parameter whose type nothing in the statement tells. */
const indeterminate = '42P18';
const syntax = '1064';

export function adviceOnFailure(engine: Engine, { code, message }: QueryFailed, sql: string): string | null {
  if (engine === 'postgres' && code === indeterminate && /\$\d/.test(message))
    return 'Write its type behind it, such as $1::text.';
  if (engine === 'mysql' && code === syntax && message.includes('MariaDB') && /^\s*explain\s+analyze\b/i.test(sql))
    return 'On MariaDB write ANALYZE in the place of EXPLAIN ANALYZE.';
  return null;
}
