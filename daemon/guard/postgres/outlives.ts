/** PostgreSQL's built-in functions whose effect a rollback doesn't take back. */

const names = new Set(
  `setval pg_create_physical_replication_slot pg_create_logical_replication_slot pg_copy_physical_replication_slot
  pg_copy_logical_replication_slot pg_replication_slot_advance pg_drop_replication_slot pg_logical_slot_get_changes
  pg_logical_slot_get_binary_changes pg_replication_origin_advance pg_logical_emit_message pg_nextoid
  pg_truncate_visibility_map heap_force_kill heap_force_freeze brin_summarize_new_values brin_summarize_range
  brin_desummarize_range gin_clean_pending_list`.split(/\s+/),
);

export function outlives(name: string): boolean {
  return names.has(name) || (/^pg_(stat|restore|clear|set)_/.test(name) && !/^pg_stat_(get_|have_stats$)/.test(name));
}
