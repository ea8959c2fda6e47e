/** The words for what a proof found (daemon/shells/messages/proof.ts). */

import type { ConnectionProof } from '../../shared/control-commands.ts';

type Attack = ConnectionProof['attacks'][number];
export type ProvedRight = NonNullable<ConnectionProof['rights']>[number];

export const attackWords: Readonly<Record<Attack['kind'], string>> = {
  several_statements: 'hide a second statement',
  server_files: 'use files, programs of the server',
  passwords: 'read password hashes',
  sql_in_string: 'run SQL from a text',
  network: 'reach other servers',
  other_sessions: 'end or block other sessions',
  server_control: 'control the server and accounts',
  stored_code: 'run stored code that writes',
  session_settings: "lift the session's limits",
  all_rows: 'change or empty whole tables',
  other_writes: 'write anything else',
};

/** What it is about follows. */
export const rightWords: Readonly<Record<ProvedRight['code'], string>> = {
  everything: 'may do everything on the server, as',
  server_files: 'may use files of the server, by',
  server_programs: 'may run programs on the server, by',
  passwords: 'may read password hashes, by',
  other_sessions: 'may see or end other sessions, by',
  server_settings: 'may control the server, by',
  accounts: 'may make and change accounts, by',
  other_roles: 'may take on a role whose rights only that role shows:',
  replication: 'may replicate, by',
  network_functions: 'may reach other servers, by',
  file_functions: 'may use files of the server, by',
  definer_functions: "may run code with its maker's rights:",
  row_policies: 'reads rows that policies keep from others, by',
  change_rows: 'may change rows in',
  owns: 'owns, so it may change and drop,',
  creates: 'may make or change objects in',
};

/** How many walls hold it. */
export const wallWords = ['no wall', '1 wall', '2 walls', '3 walls'] as const;
