/**
 * The settings of a session that change a result, a look-up or our own text, with the values that
 * Sallyport counts on. A server's global value or `init_connect` may be anything else. Limits of
 * time are apart (session-setup.ts). A user's own sql_mode, time zone and the like stay.
 */

import { isSince } from '../describe/catalog-parts.ts';
import type { Session } from '../session.ts';

const most = '18446744073709551615';

const assignments: readonly string[] = [
  // It cut results, exports, lists, descriptions and what the guard asks the catalog, silently.
  `SESSION sql_select_limit = ${most}`,
  // It refused look-ups in catalogs (1104); the first also changes the second.
  `SESSION max_join_size = ${most}`,
  'SESSION sql_big_selects = 1',
  // Without it our look-ups would open a transaction that stays.
  'SESSION autocommit = 1',
  // CHAIN begins another transaction behind our COMMIT or ROLLBACK; RELEASE ends the session.
  'SESSION completion_type = 0',
  // `WHERE id IS NULL` would find the row inserted last.
  'SESSION sql_auto_is_null = 0',
  // A definition with names that need quotes could not be run again.
  'SESSION sql_quote_show_create = 1',
];

/** The assignments of one SET, which the server carries out whole or not at all. */
export const sessionContract: string = assignments.join(', ');

/** What only says that it is such a release of MySQL or MariaDB may lack one. */
export function ruleContract({ server, serverVersion: version }: Session): readonly string[] {
  const asked = { isMariadb: server === 'mariadb', version };
  return [
    // Rules that a description tells would not be in force.
    'SESSION foreign_key_checks = 1',
    'SESSION unique_checks = 1',
    ...(isSince(asked, null, [10, 2, 1]) ? ['SESSION check_constraint_checks = 1'] : []),
    // With 0 nobody hears that max_recursive_iterations cut a result. MySQL asks a right for it, so
    // an answer there says that warnings were kept back.
    ...(asked.isMariadb ? ['SESSION max_error_count = 64'] : []),
    // Off, the catalog hides keys that the server made, and their tables seem to have none.
    ...(isSince(asked, [8, 0, 30], null) ? ['SESSION show_gipk_in_create_table_and_information_schema = 1'] : []),
  ];
}

/**
 * Stands before a question whose answer is SQL: MariaDB words it in the session's sql_mode, which
 * may leave out `AUTO_INCREMENT` or `ENGINE=`. MySQL reads a comment: see {@link leavesOut}.
 */
export const inPlainMode = "/*M!100102 SET STATEMENT sql_mode = '' FOR */ ";

/** True for a sql_mode in which MySQL leaves out of definitions what others don't know. */
export function leavesOut(sqlMode: string): boolean {
  return /\b(?:ANSI|NO_(?:FIELD|KEY|TABLE)_OPTIONS)\b/.test(sqlMode);
}

export const toPlainMode = "SET @sallyport_mode = @@SESSION.sql_mode, SESSION sql_mode = ''";
export const toModeBefore = 'SET SESSION sql_mode = @sallyport_mode';
