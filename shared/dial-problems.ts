/**
 * Why a database can't be reached, where a person can do something about it (spec §6). The code
 * travels with the failure's sentence: daemon/shells/dial-advice.ts words what to do, and a shell
 * asks for what is missing.
 */

export const dialProblems = [
  /** The connection asks for TLS, the server has none. */
  'no_tls',
  /** The server takes only encrypted sessions. */
  'tls_wanted',
  /** The handshake failed, or was not understood. */
  'tls_failed',
  'unknown_authority',
  'certificate_of_another_name',
  'certificate_expired',
  /** The server refuses ours, or asks for one. */
  'client_certificate_refused',
  'authority_file',
  'authority_file_changed',
  'client_key_open_to_others',
  /** None is kept, or another one. */
  'client_key_passphrase',
  'password_missing',
  'password_refused',
  /** MySQL and MariaDB say the same of a session without TLS, if the account requires it. */
  'password_or_tls_refused',
  'sign_in_method',
  'server_untested',
  'server_unproved',
  /** It is not what it was, or its key is new. */
  'server_changed',
  'ssh_host_key_unknown',
  'ssh_host_key_changed',
  'ssh_agent_refused',
  'ssh_key_passphrase',
  'ssh_password',
  'ssh_sign_in_refused',
  'ssh_too_many_keys',
  /** ~/.ssh/config names a way that can't be followed. */
  'ssh_configuration',
  /** ~/.ssh/config says something else than when the connection was saved. */
  'ssh_configuration_changed',
  /** Its program ended, or wasn't up in time. */
  'tunnel_command',
] as const;

export type DialProblem = (typeof dialProblems)[number];
