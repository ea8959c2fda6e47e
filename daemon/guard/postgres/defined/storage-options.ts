/** Which options of a relation only say how it is stored and looked after. */

const storage =
  /^(fillfactor|parallel_workers|toast_tuple_target|autovacuum_[a-z_]+|vacuum_[a-z_]+|log_autovacuum_min_duration|deduplicate_items|buffering|fastupdate|gin_pending_list_limit|pages_per_range|autosummarize)=/;

/** @param options `pg_class.reloptions`: null, or `name=value` each. */
export function isStorageOption(options: unknown): boolean {
  return options === null || (Array.isArray(options) && options.every(option => storage.test(String(option))));
}
