/**
 * What each PRAGMA is (spec §7). Those that only tell are reads, and the few that only tidy the
 * file are writes. The numbers by which programs know a file ask. Every other setter is forbidden,
 * and so is every unknown PRAGMA.
 */

import type { StatementClass } from '../types.ts';

/** PRAGMAs whose argument says what to tell about. It changes nothing. */
const askingWithArgument = new Set([
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

/** Without an argument they tell a setting; with one they change it. */
const settings = new Set([
  'analysis_limit',
  'application_id',
  'auto_vacuum',
  'automatic_index',
  'busy_timeout',
  'cache_size',
  'cache_spill',
  'case_sensitive_like',
  'cell_size_check',
  'checkpoint_fullfsync',
  'collation_list',
  'compile_options',
  'count_changes',
  'data_version',
  'database_list',
  'default_cache_size',
  'defer_foreign_keys',
  'empty_result_callbacks',
  'encoding',
  'foreign_keys',
  'freelist_count',
  'full_column_names',
  'fullfsync',
  'function_list',
  'hard_heap_limit',
  'ignore_check_constraints',
  'journal_mode',
  'journal_size_limit',
  'legacy_alter_table',
  'legacy_file_format',
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
  'short_column_names',
  'soft_heap_limit',
  'stats',
  'synchronous',
  'temp_store',
  'threads',
  'trusted_schema',
  'user_version',
  'wal_autocheckpoint',
  'writable_schema',
]);

/**
 * PRAGMAs that, without an argument, act instead of telling: `case_sensitive_like` alone switches
 * it off.
 */
const actingWithoutArgument = new Set(['case_sensitive_like']);

/** Programs decide by them what a file is, and which migrations it still needs. */
const numbersOfFile = new Set(['user_version', 'application_id']);
const writing = new Set(['optimize', 'wal_checkpoint', 'incremental_vacuum']);

export function pragmaClass(name: string, hasArgument: boolean): StatementClass {
  if (askingWithArgument.has(name)) return 'read';
  if (writing.has(name)) return 'write';
  if (hasArgument) return numbersOfFile.has(name) ? 'destructive' : 'forbidden';
  return settings.has(name) && !actingWithoutArgument.has(name) ? 'read' : 'forbidden';
}
