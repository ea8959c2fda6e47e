/**
 * What of PostgreSQL's own can't tell of a table that a connection hides (spec §6), so that it may
 * be used where some are out of sight. A list of what is allowed: what isn't known is refused.
 */

import { builtInNames } from './built-in-names.ts';
import { volatileReads } from './volatile-reads.ts';

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** They hold no row, name, size or statement of a table. */
const silentCatalogs = names(`
  pg_catalog.pg_settings pg_catalog.pg_timezone_names pg_catalog.pg_timezone_abbrevs pg_catalog.pg_enum
  pg_catalog.pg_database pg_catalog.pg_tablespace pg_catalog.pg_am pg_catalog.pg_language pg_catalog.pg_extension
  pg_catalog.pg_available_extensions pg_catalog.pg_available_extension_versions pg_catalog.pg_collation
  pg_catalog.pg_roles pg_catalog.pg_auth_members pg_catalog.pg_ts_config pg_catalog.pg_ts_dict pg_catalog.pg_ts_parser
  pg_catalog.pg_ts_template pg_catalog.pg_range pg_catalog.pg_cast pg_catalog.pg_stat_database
  pg_catalog.pg_stat_bgwriter pg_catalog.pg_stat_wal pg_catalog.pg_stat_archiver
  information_schema.information_schema_catalog_name information_schema.character_sets information_schema.collations
  information_schema.sql_features information_schema.sql_implementation_info information_schema.sql_sizing
  information_schema.enabled_roles information_schema.applicable_roles`);

export function isSilentCatalog(schema: string, name: string): boolean {
  return silentCatalogs.has(`${schema}.${name}`);
}

/** Functions that begin like those of the catalog and tell of no table. */
const silentOfServer = names(`
  pg_typeof pg_size_pretty pg_size_bytes pg_backend_pid pg_column_size pg_column_compression pg_encoding_to_char
  pg_char_to_encoding pg_client_encoding pg_collation_for pg_postmaster_start_time pg_conf_load_time pg_is_in_recovery
  pg_trigger_depth pg_sleep pg_sleep_for pg_sleep_until pg_timezone_names pg_timezone_abbrevs pg_available_extensions
  pg_get_keywords pg_current_snapshot pg_current_xact_id pg_current_xact_id_if_assigned pg_wal_lsn_diff
  pg_current_wal_lsn pg_last_xact_replay_timestamp pg_last_wal_replay_lsn pg_last_wal_receive_lsn pg_database_size
  pg_show_all_settings pg_has_role pg_jit_available pg_advisory_xact_lock pg_try_advisory_xact_lock
  has_database_privilege has_language_privilege has_tablespace_privilege`);

/**
 * Functions that look something up in the catalog, read a table that a text names, print a name for
 * a number, or restore statistics.
 */
const telling =
  /^(?:pg_|has_|to_reg|reg(?:class|type|proc|oper|role|namespace|config|dictionary|collation)|lo_|loread$|lowrite$|currtid|ri_fkey|fmgr_|binary_upgrade|plpgsql_|stats_|dsnowball|(?:.*_)?to_xml|ts_(?:stat|rewrite)$|(?:col|obj|shobj)_description$|format_type$|oidvectortypes$|row_security_active$|satisfies_hash_partition$|currval$|nextval$|setval$|enum_(?:in|recv)$|record_(?:in|recv)$|.*(?:handler|validator)$|unique_key_recheck$|scalararraysel$|amvalidate$|bernoulli$|brin_|gin_)/;

export function isTelling(name: string): boolean {
  return telling.test(name);
}

/** True for a built-in that computes from its arguments, or tells of nothing in a database. */
export function isSilentFunction(name: string): boolean {
  if (silentOfServer.has(name)) return true;
  return (builtInNames.has(name) || volatileReads.has(name) || syntax.has(name)) && !telling.test(name);
}

/** Functions that the grammar calls for SQL's own syntax. */
const syntax = names('is_normalized normalize overlay position like_escape xmlexists ltrim rtrim btrim');

/** Their texts name relations, which can then be looked at as if the statement named them. */
const ofNamedTables = names(`
  pg_relation_size pg_table_size pg_total_relation_size pg_indexes_size to_regclass regclass nextval currval setval
  has_table_privilege has_any_column_privilege has_column_privilege has_sequence_privilege pg_get_serial_sequence
  obj_description col_description row_security_active pg_sequence_last_value`);

export function takesTableNames(name: string): boolean {
  return ofNamedTables.has(name);
}

/** Extensions' functions that aren't declared immutable, and compute or take chance. */
const silentOfExtensions = names(`
  unaccent uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4 gen_random_bytes gen_random_uuid gen_salt
  pgp_pub_encrypt pgp_pub_encrypt_bytea pgp_sym_encrypt pgp_sym_encrypt_bytea normal_rand word_similarity
  strict_word_similarity similarity show_trgm`);

export function isSilentOfExtension(name: string): boolean {
  return silentOfExtensions.has(name);
}
