/** Which relations are PostgreSQL's own, and which of them hold passwords or other secrets. */

import type { QualifiedName } from '../types.ts';

/** Hashes of roles' passwords, and the passwords that foreign servers are given. */
const passwordCatalogs: ReadonlySet<string> = new Set(
  `pg_catalog.pg_authid pg_catalog.pg_shadow information_schema.user_mapping_options
   information_schema._pg_user_mappings`.split(/\s+/),
);

/** Samples of every table's values, also of password catalogs. */
const sampleCatalogs: ReadonlySet<string> = new Set(
  'pg_catalog.pg_statistic pg_catalog.pg_statistic_ext_data'.split(/\s+/),
);

/**
 * Catalogs and views that show the server's own files (`pg_hba.conf` holds passwords of LDAP and
 * RADIUS).
 */
const fileViews: ReadonlySet<string> = new Set(
  'pg_catalog.pg_hba_file_rules pg_catalog.pg_ident_file_mappings pg_catalog.pg_file_settings'.split(/\s+/),
);

/** Relations with a secret in some columns: what it is, and the columns. */
const secretColumns: ReadonlyMap<string, readonly [what: string, columns: ReadonlySet<string>]> = new Map([
  ['pg_catalog.pg_subscription', ['pg_subscription.subconninfo holds passwords', new Set(['subconninfo'])]],
  ['pg_catalog.pg_user_mapping', ['pg_user_mapping.umoptions holds passwords', new Set(['umoptions'])]],
  ['pg_catalog.pg_user_mappings', ['pg_user_mappings.umoptions holds passwords', new Set(['umoptions'])]],
  [
    'pg_catalog.pg_stats',
    [
      "pg_stats shows values of every table, those of password catalogs too, unless it is held to a schema (WHERE schemaname = '…') or to tables",
      new Set('most_common_vals histogram_bounds most_common_elems range_bounds_histogram'.split(' ')),
    ],
  ],
]);

const catalogNames: ReadonlySet<string> = new Set(
  `pg_aggregate pg_am pg_amop pg_amproc pg_attrdef pg_attribute pg_auth_members pg_authid pg_cast pg_class pg_collation
   pg_constraint pg_conversion pg_database pg_db_role_setting pg_default_acl pg_depend pg_description pg_enum
   pg_event_trigger pg_extension pg_foreign_data_wrapper pg_foreign_server pg_foreign_table pg_index pg_inherits
   pg_init_privs pg_language pg_largeobject pg_largeobject_metadata pg_namespace pg_opclass pg_operator pg_opfamily
   pg_parameter_acl pg_partitioned_table pg_policy pg_proc pg_publication pg_publication_namespace pg_publication_rel
   pg_range pg_replication_origin pg_rewrite pg_roles pg_rules pg_seclabel pg_seclabels pg_sequence pg_settings pg_shadow
   pg_shdepend pg_shdescription pg_shseclabel pg_statistic pg_statistic_ext pg_statistic_ext_data pg_subscription
   pg_subscription_rel pg_tables pg_tablespace pg_transform pg_trigger pg_ts_config pg_ts_config_map pg_ts_dict
   pg_ts_parser pg_ts_template pg_type pg_user pg_group pg_user_mapping pg_user_mappings pg_views pg_indexes pg_matviews
   pg_policies pg_hba_file_rules pg_ident_file_mappings pg_file_settings pg_stats pg_stat_activity pg_stat_user_tables
   pg_stat_user_indexes pg_stat_database pg_statio_user_tables pg_locks`.split(/\s+/),
);

/** Without a schema, PostgreSQL looks in `pg_catalog` first. */
function qualified({ schema, name }: QualifiedName): string {
  return `${schema ?? 'pg_catalog'}.${name}`.replace(/\u0130/g, 'i');
}

export function holdsPasswords(relation: QualifiedName): boolean {
  return passwordCatalogs.has(qualified(relation));
}

/**
 * TOAST tables hold pieces of any table's values. Only the server itself has a reason to read them.
 */
export function holdsSamples(relation: QualifiedName): boolean {
  return sampleCatalogs.has(qualified(relation)) || relation.schema === 'pg_toast';
}

export function showsServerFiles(relation: QualifiedName): boolean {
  return fileViews.has(qualified(relation));
}

/** Null for a relation without secret columns. */
export function secretColumnsOf(relation: QualifiedName): ReadonlySet<string> | null {
  return secretColumns.get(qualified(relation))?.[1] ?? null;
}

/** What a client must not see of the relation, as the beginning of a sentence. */
export function secretsOf(relation: QualifiedName): string {
  return secretColumns.get(qualified(relation))?.[0] ?? '';
}

/** Goes by the bare name, in any schema. */
export function isKnownSecret(name: string): boolean {
  const inCatalog = { schema: 'pg_catalog', name };
  return (
    holdsPasswords(inCatalog) ||
    holdsSamples(inCatalog) ||
    secretColumnsOf(inCatalog) !== null ||
    /^pg_toast/.test(name)
  );
}

/**
 * True if its name settles it, so a look-up could tell no more. A bare name doesn't: by the search
 * path, it may be another object's.
 */
export function isKnownCatalog({ schema }: QualifiedName): boolean {
  return schema === 'pg_catalog' || schema === 'information_schema';
}

export function isSystemCatalog({ schema, name }: QualifiedName): boolean {
  if (schema === null) return catalogNames.has(name);
  return schema === 'pg_catalog' || schema === 'information_schema' || schema === 'pg_toast';
}
