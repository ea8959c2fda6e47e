/** What a proof (daemon/shells/messages/proof.ts) tells of. */

export const attackKinds = [
  'several_statements',
  'server_files',
  'passwords',
  'sql_in_string',
  'network',
  'other_sessions',
  'server_control',
  'stored_code',
  'session_settings',
  'all_rows',
  'other_writes',
] as const;
export type AttackKind = (typeof attackKinds)[number];

export const rightCodes = [
  /** Everything: superuser, ALL PRIVILEGES on the whole server. */
  'everything',
  'server_files',
  'server_programs',
  'passwords',
  'other_sessions',
  'server_settings',
  'accounts',
  'other_roles',
  'replication',
  'network_functions',
  'file_functions',
  'definer_functions',
  'row_policies',
  'change_rows',
  'owns',
  'creates',
] as const;
export type RightCode = (typeof rightCodes)[number];
