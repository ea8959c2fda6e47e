/**
 * Built-in and well-known loadable functions that do more than compute, and the class that each
 * gives its statement.
 */

import { type ReasonPart, say } from '../reason.ts';
export interface Danger {
  readonly class: 'write' | 'destructive' | 'forbidden';
  /** Completes "NAME() …". */
  readonly does: readonly ReasonPart[];
}

const lists: readonly (readonly [Danger, string])[] = [
  [
    { class: 'write', does: say('takes or releases a lock of the whole server.') },
    'get_lock release_lock release_all_locks service_get_read_locks service_get_write_locks service_release_locks version_tokens_lock_shared version_tokens_lock_exclusive version_tokens_unlock',
  ],
  [{ class: 'write', does: say('moves a sequence.') }, 'nextval'],
  [
    { class: 'destructive', does: say('sets which values writes get, which may be taken already or run out.') },
    'setval',
  ],
  [
    { class: 'forbidden', does: say('reads a file of the server.') },
    'load_file gen_dictionary_load masking_dictionaries_flush',
  ],
  [
    { class: 'forbidden', does: say('runs a program of the server.') },
    'sys_exec sys_eval sys_get sys_set sys_bineval lib_mysqludf_sys_info do_system mysqludf_exec shell exec_cmd',
  ],
  [
    { class: 'forbidden', does: say('runs SQL from a string, elsewhere too.') },
    'spider_direct_sql spider_bg_direct_sql spider_copy_tables spider_flush_table_mon_cache mroonga_command',
  ],
  [{ class: 'forbidden', does: say('shows the statements of another session.') }, 'ps_thread_trx_info ps_thread_stack'],
  [
    { class: 'forbidden', does: say('reaches the network.') },
    'http_get http_post http_request mysql_http_get mysql_http_post asynchronous_connection_failover_add_source asynchronous_connection_failover_delete_source asynchronous_connection_failover_add_managed asynchronous_connection_failover_delete_managed asynchronous_connection_failover_reset',
  ],
  [
    { class: 'forbidden', does: say('handles keys of the server.') },
    'keyring_key_fetch keyring_key_generate keyring_key_remove keyring_key_store keyring_key_length_fetch keyring_key_type_fetch keyring_aws_rotate_cmk keyring_aws_rotate_keys keyring_hashicorp_update_config',
  ],
  [
    { class: 'forbidden', does: say('controls the server.') },
    'audit_log_encryption_password_get audit_log_encryption_password_set audit_log_filter_flush audit_log_filter_remove_filter audit_log_filter_remove_user audit_log_filter_set_filter audit_log_filter_set_user audit_log_rotate audit_log_session_filter_id audit_api_message_emit_udf flush_rewrite_rules load_rewrite_rules group_replication_set_as_primary group_replication_switch_to_multi_primary_mode group_replication_switch_to_single_primary_mode group_replication_set_communication_protocol group_replication_set_write_concurrency group_replication_disable_member_action group_replication_enable_member_action group_replication_reset_member_actions mysql_firewall_flush_status read_firewall_users read_firewall_whitelist read_firewall_groups read_firewall_group_allowlist set_firewall_mode set_firewall_group_mode firewall_group_delist firewall_group_enlist masking_dictionary_remove masking_dictionary_term_add masking_dictionary_term_remove gen_dictionary_drop version_tokens_delete version_tokens_edit version_tokens_set mysql_reload_plugin telemetry_traces_flush option_tracker_usage_set',
  ],
];

const dangerousFunctions: ReadonlyMap<string, Danger> = new Map(
  lists.flatMap(([danger, names]) => names.split(' ').map(name => [name, danger] as const)),
);

const namesByLength = new Map<number, readonly string[]>();
for (const name of dangerousFunctions.keys())
  namesByLength.set(name.length, [...(namesByLength.get(name.length) ?? []), name]);

/**
 * @returns what a function with this name may do; null for functions that only compute or read, and
 *   for user-defined ones.
 */
export function dangerOf(name: string): Danger | null {
  const folded = name.trimEnd().toLowerCase();
  const exact = dangerousFunctions.get(folded);
  if (exact !== undefined) return exact;
  if (!/[^\0-\x7f]/.test(folded)) return null;
  // Some collations take LOÁD_FILE for LOAD_FILE. A server might look up its functions by one of
  // them.
  const letters = [...folded];
  const alike = namesByLength.get(letters.length) ?? [];
  const found = alike.find(each => letters.every((letter, at) => letter === each[at] || !/[a-z0-9_]/.test(letter)));
  return found === undefined ? null : (dangerousFunctions.get(found) ?? null);
}

/** `NAME() reads a file of the server.` */
export function whatCallDoes(name: string, { does }: Danger): readonly ReasonPart[] {
  return [...say('%@()', name.toUpperCase()), ...does];
}
