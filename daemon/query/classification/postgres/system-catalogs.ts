/** Which relations are PostgreSQL's own, and which of them hold passwords. */

import type { QualifiedName } from '../classification.ts';

/** Hashes of roles' passwords, their TOAST table, and the passwords that foreign servers are given. */
const passwordCatalogs: ReadonlySet<string> = new Set(
  `pg_catalog.pg_authid pg_catalog.pg_shadow pg_toast.pg_toast_1260 pg_toast.pg_toast_1260_index
   pg_catalog.pg_user_mapping pg_catalog.pg_user_mappings pg_toast.pg_toast_1418
   information_schema.user_mapping_options information_schema._pg_user_mappings`.split(/\s+/),
);

/** Catalogs and views that show the server's own files (`pg_hba.conf` holds passwords of LDAP and RADIUS). */
const fileViews: ReadonlySet<string> = new Set(['pg_catalog.pg_hba_file_rules', 'pg_catalog.pg_ident_file_mappings']);

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
   pg_policies pg_hba_file_rules pg_ident_file_mappings pg_file_settings`.split(/\s+/),
);

/** Without a schema PostgreSQL looks in `pg_catalog` first. */
function qualified({ schema, name }: QualifiedName): string {
  return `${schema ?? 'pg_catalog'}.${name}`.replace(/İ/g, 'i');
}

export function holdsPasswords(relation: QualifiedName): boolean {
  return passwordCatalogs.has(qualified(relation));
}

export function showsServerFiles(relation: QualifiedName): boolean {
  return fileViews.has(qualified(relation));
}

/** `subconninfo` in it holds the publisher's password; its other columns are harmless. */
export function isSubscriptionCatalog(relation: QualifiedName): boolean {
  return qualified(relation) === 'pg_catalog.pg_subscription';
}

const subscriptionColumns: ReadonlySet<string> = new Set(
  `oid subdbid subskiplsn subname subowner subenabled subbinary substream subtwophasestate subdisableonerr
   subpasswordrequired subrunasowner subfailover subslotname subsynccommit subpublications suborigin`.split(/\s+/),
);

/** The harmless ones. */
export function isSubscriptionColumn(name: string): boolean {
  return subscriptionColumns.has(name);
}

export function isSystemCatalog({ schema, name }: QualifiedName): boolean {
  if (schema === null) return catalogNames.has(name);
  return schema === 'pg_catalog' || schema === 'information_schema' || schema === 'pg_toast';
}
