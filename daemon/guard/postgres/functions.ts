/**
 * Built-in and well-known extension functions that do more than compute: which class each call has,
 * and why. A name counts with every schema prefix and spelling. PostgreSQL 12 to 18 and their
 * contrib modules; functions that were removed stay listed.
 */

import { destructive, forbidden, say, sessionBound, type Verdict, write } from './verdict.ts';

interface Group {
  readonly verdict: (name: string) => Verdict;
  /** True if no rollback takes back what it does. Such a call asks, save for the next number. */
  readonly outlives?: true;
  readonly names: string;
}

const actsOnSessions =
  'acts on other sessions, which no tool here does; ask the user to do it in a client of their own.';

const groups: readonly Group[] = [
  {
    verdict: name => forbidden(`${name} reaches files of the database server, which no client may do here.`),
    names: `
      pg_read_file pg_read_file_old pg_read_binary_file pg_stat_file pg_hba_file_rules pg_ident_file_mappings
      pg_ls_dir pg_ls_logdir pg_ls_waldir pg_ls_tmpdir pg_ls_archive_statusdir pg_ls_logicalsnapdir pg_ls_logicalmapdir
      pg_ls_replslotdir pg_ls_summariesdir pg_logdir_ls pg_file_write pg_file_rename pg_file_unlink pg_file_sync
      pg_file_read pg_file_length lo_import lo_export pg_get_logical_snapshot_meta pg_get_logical_snapshot_info
      autoprewarm_dump_now get_raw_page pg_get_wal_block_info file_fdw_handler
      query_export_to_s3 table_import_from_s3 query_export_to_azure`,
  },
  {
    verdict: name =>
      forbidden(`${name} runs SQL from a string or by name, which can't be checked; write the query itself.`),
    names: `
      query_to_xml query_to_xmlschema query_to_xml_and_xmlschema cursor_to_xml cursor_to_xmlschema
      table_to_xml table_to_xmlschema table_to_xml_and_xmlschema schema_to_xml schema_to_xmlschema
      schema_to_xml_and_xmlschema database_to_xml database_to_xmlschema database_to_xml_and_xmlschema
      ts_stat crosstab crosstab2 crosstab3 crosstab4 crosstab_hash crosstabn connectby xpath_table
      pg_background_launch pg_background_result plpgsql_inline_handler`,
  },
  {
    verdict: name => forbidden(`${name} shows raw pages of tables and indexes, those of password catalogs too.`),
    names: `
      bt_page_items heap_page_items heap_page_item_attrs tuple_data_split brin_page_items gin_leafpage_items
      gist_page_items gist_page_items_bytea hash_page_items`,
  },
  {
    verdict: name => forbidden(`${name} makes a value of a type that is given by number or text; write a cast.`),
    names: `
      domain_in domain_recv record_in record_recv array_in array_recv range_in range_recv multirange_in multirange_recv
      pg_input_is_valid pg_input_error_info`,
  },
  {
    verdict: name => forbidden(`${name} shows what the server's own files hold, passwords among it; use pg_settings.`),
    names: 'pg_show_all_file_settings',
  },
  {
    verdict: name => forbidden(`${name} reaches over the network to another server, which no client may do here.`),
    names: `
      http http_get http_post http_put http_patch http_delete http_head http_set_curlopt http_collect
      pg_sync_replication_slots`,
  },
  {
    verdict: name => forbidden(`${name} ${actsOnSessions}`),
    names: 'pg_terminate_backend pg_cancel_backend pg_log_backend_memory_contexts pg_get_process_memory_contexts',
  },
  {
    verdict: name =>
      forbidden(`${name} controls the server, its backups or its replication, which no client may do here.`),
    names: `
      pg_reload_conf pg_rotate_logfile pg_rotate_logfile_old pg_promote pg_switch_wal pg_switch_xlog
      pg_create_restore_point pg_backup_start pg_backup_stop pg_start_backup pg_stop_backup pg_log_standby_snapshot
      pg_wal_replay_pause pg_wal_replay_resume pg_xlog_replay_pause pg_xlog_replay_resume
      pg_stop_making_pinned_objects pg_extension_config_dump autoprewarm_start_worker pg_buffercache_evict
      pg_buffercache_evict_relation pg_buffercache_evict_all injection_points_attach injection_points_detach
      injection_points_run injection_points_load injection_points_wakeup injection_points_set_local`,
  },
  {
    verdict: name =>
      sessionBound(
        say(
          '%@ changes the session, which later statements would share; do without it, or ask the user to do it.',
          name,
        ),
      ),
    names: `
      set_config set_limit pg_replication_origin_session_setup pg_replication_origin_session_reset
      pg_replication_origin_xact_setup pg_replication_origin_xact_reset`,
  },
  {
    outlives: true,
    verdict: name => destructive(say("%@ drops or destroys what can't be brought back.", name)),
    names: 'pg_drop_replication_slot pg_replication_origin_drop heap_force_kill heap_force_freeze',
  },
  {
    verdict: name => destructive(say("%@ drops or destroys what can't be brought back.", name)),
    names: `
      lo_unlink lo_truncate lo_truncate64`,
  },
  {
    // Nobody counts large objects, and one statement may call it for each.
    verdict: name =>
      destructive(say('%@ overwrites a large object, and the count before COMMIT sees none of them.', name)),
    names: 'lo_put lowrite lo_write',
  },
  {
    outlives: true,
    verdict: name => write(say('%@ advances a sequence, even where the transaction is rolled back.', name)),
    names: 'nextval',
  },
  {
    outlives: true,
    verdict: name =>
      destructive(say('%@ sets which numbers others get next, even where the transaction is rolled back.', name)),
    names: 'setval',
  },
  {
    verdict: name => write(say('%@ takes or releases a lock that other sessions wait for.', name)),
    names: `
      pg_advisory_lock pg_advisory_lock_shared pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_try_advisory_lock
      pg_try_advisory_lock_shared pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared pg_advisory_unlock
      pg_advisory_unlock_shared pg_advisory_unlock_all bt_index_parent_check`,
  },
  {
    verdict: name => write(say('%@ makes, opens or closes a large object.', name)),
    names: `
      lo_creat lo_create lo_from_bytea lo_open lo_manage lo_close lo_lseek lo_lseek64`,
  },
  { verdict: name => write(say('%@ sends a notification to other sessions.', name)), names: 'pg_notify' },
  {
    outlives: true,
    verdict: name => destructive(say('%@ makes, copies or moves a replication slot or origin.', name)),
    names: `
      pg_create_physical_replication_slot pg_create_logical_replication_slot pg_copy_physical_replication_slot
      pg_copy_logical_replication_slot pg_replication_slot_advance pg_logical_slot_get_changes
      pg_logical_slot_get_binary_changes pg_replication_origin_create pg_replication_origin_advance`,
  },
  {
    outlives: true,
    verdict: name => destructive(say("%@ writes to the server's log of changes (WAL).", name)),
    names: 'pg_logical_emit_message pg_nextoid',
  },
  {
    outlives: true,
    verdict: name => destructive(say("%@ changes or resets the server's statistics.", name)),
    names: `
      pg_stat_reset pg_stat_reset_shared pg_stat_reset_single_table_counters pg_stat_reset_single_function_counters
      pg_stat_reset_slru pg_stat_reset_replication_slot pg_stat_reset_subscription_stats pg_stat_reset_backend_stats
      pg_stat_statements_reset pg_restore_relation_stats pg_restore_attribute_stats
      pg_clear_relation_stats pg_clear_attribute_stats pg_set_relation_stats pg_set_attribute_stats
      pg_restore_extended_stats pg_clear_extended_stats pg_stat_monitor_reset pg_qualstats_reset`,
  },
  {
    outlives: true,
    verdict: name => destructive(say('%@ changes an index, a catalog or a file of a table.', name)),
    names: `
      brin_summarize_new_values brin_summarize_range brin_desummarize_range gin_clean_pending_list
      pg_truncate_visibility_map`,
  },
  {
    verdict: name => write(say('%@ changes an index, a catalog or a file of a table.', name)),
    names: 'pg_import_system_collations pg_stat_force_next_flush',
  },
  { verdict: name => write(say('%@ exports the snapshot to other sessions.', name)), names: 'pg_export_snapshot' },
  {
    verdict: name => write(say('%@ closes connections that the server holds to others.', name)),
    names: 'postgres_fdw_disconnect postgres_fdw_disconnect_all',
  },
];

/** Schemas of extensions whose every function reaches the network, a file or a scheduler. */
const actingSchemas: ReadonlySet<string> = new Set([
  'aws_s3',
  'aws_lambda',
  'aws_commons',
  'azure_storage',
  'cron',
  'http',
  'net',
  'pgagent',
  'utl_file',
  'utl_http',
  'dbms_job',
]);

const verdicts: ReadonlyMap<string, (name: string) => Verdict> = new Map(
  groups.flatMap(group =>
    group.names
      .trim()
      .split(/\s+/)
      .map(name => [name, group.verdict] as const),
  ),
);

const lasting: ReadonlySet<string> = new Set(
  groups.flatMap(({ outlives: isLasting, names }) => (isLasting === true ? names.trim().split(/\s+/) : [])),
);

/** True if its effect stays after a rollback; also for one of statistics that is newer. */
export function outlives(name: string): boolean {
  const ofStatistics = /^pg_(stat|restore|clear|set)_/.test(name) && !/^pg_stat_(get_|have_stats$)/.test(name);
  return name !== 'nextval' && (lasting.has(name) || ofStatistics);
}

/**
 * The name as the server folds it: on a server with a single-byte Turkish locale, an unquoted
 * `PG_READ_FİLE` folds to the ASCII name. The parser here can't know that.
 */
function folded(name: string): string {
  return name.replace(/\u0130/g, 'i');
}

/** @returns null for a function that isn't in this table. */
export function actingFunction(schema: string | null, name: string, argumentCount: number | null): Verdict | null {
  const known = folded(name);
  // With two arguments, the second is a query's text. With three, it only computes.
  if (known === 'ts_rewrite' && argumentCount !== 3) {
    return forbidden(
      "ts_rewrite with a query as text runs SQL from a string, which can't be checked; write the query itself.",
    );
  }
  if (known.startsWith('dblink')) {
    return forbidden(`${known} reaches over the network to another server, which no client may do here.`);
  }
  if (known.startsWith('binary_upgrade_')) {
    return forbidden(`${known} controls the server, which no client may do here.`);
  }
  if (schema !== null && actingSchemas.has(folded(schema))) {
    return forbidden(`${schema}.${known} reaches files, the network or a scheduler, which no client may do here.`);
  }
  return verdicts.get(known)?.(known) ?? null;
}
