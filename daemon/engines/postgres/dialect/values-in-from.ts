/**
 * PostgreSQL reads a bare `user` in FROM as the function of that name, which gives one row:
 * `SELECT count(*) FROM user` is 1, whatever a table of that name holds. If there is such a table,
 * the answer gets a warning.
 */

import type { CallContext, Database } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';
import { qualifiedName } from '../../object-name.ts';

/** It is found in a text or a comment, too; then the warning is true and harmless. */
const bareValue =
  /\b(?:from|join)\s+(user|current_(?:user|role|catalog|schema|date|time|timestamp)|session_user|localtime(?:stamp)?)\b(?!\s*[.(])/i;

const visibleTable = `SELECT n.nspname, c.relname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_catalog.pg_table_is_visible(c.oid)`;

export async function valueInFromWarning(
  database: Database,
  context: CallContext,
  sql: string,
): Promise<string | null> {
  const word = bareValue.exec(sql)?.[1]?.toLowerCase();
  if (word === undefined) return null;
  const found = await lookUp(database, context, visibleTable, [word]);
  const [schema, table] = found.kind === 'done' ? (found.value[0] ?? []) : [];
  if (typeof schema !== 'string' || typeof table !== 'string') return null;
  return `A bare ${word} in FROM is PostgreSQL's function, not the table, which is written ${qualifiedName(database.dialect, schema, table)}.`;
}
