/** A short sentence for errors that models meet often and whose words leave them stuck: only where it is certain what to write. */

import type { Engine } from '../../shared/engine.ts';
import type { DatabaseFailure } from './engine.ts';

type QueryFailed = Extract<DatabaseFailure, { kind: 'query_failed' }>;

/** PostgreSQL: a parameter whose type nothing in the statement tells. */
const indeterminate = '42P18';
/** PostgreSQL: lastval or currval of a sequence that gave its session no value yet. */
const notYetDefined = '55000';
const syntax = '1064';

export function adviceOnFailure(engine: Engine, { code, message }: QueryFailed, sql: string): string | null {
  if (engine === 'postgres' && code === indeterminate && /\$\d/.test(message))
    return 'Write its type behind it, such as $1::text.';
  if (engine === 'postgres' && code === notYetDefined && /\b(?:currval|lastval)"?\s*\(/i.test(sql))
    return 'Each call has a session of its own: INSERT … RETURNING gives the id of a new row.';
  if (engine === 'postgres' && /\bpg_temp\b/i.test(message))
    return 'Each call has a session of its own, so there are no temporary tables of earlier calls.';
  if (engine === 'mysql' && code === syntax && message.includes('MariaDB') && /^\s*explain\s+analyze\b/i.test(sql))
    return 'On MariaDB write ANALYZE in the place of EXPLAIN ANALYZE.';
  return null;
}
