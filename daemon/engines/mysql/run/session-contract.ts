/**
 * The settings of a session that change a result, a look-up or our own text, with the values that
 * Sallyport counts on. A server's global value or `init_connect` may be anything else. Limits of
 * time are apart (session-setup.ts). A user's own sql_mode, time zone and the like stay.
 */

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

/** For a SET, which the server carries out whole or not at all. */
export const sessionContract: string = assignments.join(', ');
