/**
 * The PRAGMAs that may run: those that only tell, and in a writing session those that write nothing
 * but the file. All others are refused, unknown ones included. A list of its own, beside the
 * classifier's: one mistake must not open both walls.
 */

const tellAboutTheirArgument = new Set([
  'foreign_key_check',
  'foreign_key_list',
  'index_info',
  'index_list',
  'index_xinfo',
  'integrity_check',
  'quick_check',
  'table_info',
  'table_list',
  'table_xinfo',
]);

const tellWithoutArgument = new Set([
  'analysis_limit',
  'application_id',
  'auto_vacuum',
  'automatic_index',
  'busy_timeout',
  'cache_size',
  'cache_spill',
  'cell_size_check',
  'checkpoint_fullfsync',
  'collation_list',
  'compile_options',
  'data_version',
  'database_list',
  'defer_foreign_keys',
  'encoding',
  'foreign_keys',
  'freelist_count',
  'fullfsync',
  'function_list',
  'hard_heap_limit',
  'ignore_check_constraints',
  'journal_mode',
  'journal_size_limit',
  'legacy_alter_table',
  'locking_mode',
  'max_page_count',
  'mmap_size',
  'module_list',
  'page_count',
  'page_size',
  'pragma_list',
  'query_only',
  'read_uncommitted',
  'recursive_triggers',
  'reverse_unordered_selects',
  'schema_version',
  'secure_delete',
  'soft_heap_limit',
  'synchronous',
  'temp_store',
  'threads',
  'trusted_schema',
  'user_version',
  'wal_autocheckpoint',
  'writable_schema',
]);

const writeTheFile = new Set(['incremental_vacuum', 'optimize', 'wal_checkpoint']);
const writeTheirArgument = new Set(['application_id', 'user_version']);

/** @param name as the statement writes it. @param given its argument; null if there is none. */
export function onlyTells(name: string | null, given: string | null): boolean {
  const pragma = (name ?? '').toLowerCase();
  return tellAboutTheirArgument.has(pragma) || (given === null && tellWithoutArgument.has(pragma));
}

/** As {@link onlyTells}. */
export function writesOnlyTheFile(name: string | null, given: string | null): boolean {
  const pragma = (name ?? '').toLowerCase();
  return writeTheFile.has(pragma) || (given !== null && writeTheirArgument.has(pragma));
}
