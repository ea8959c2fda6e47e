/**
 * What a person can do about an unreachable database. Clients read the failure but not this advice:
 * it might make them have the connection weakened.
 */

import { shellWord } from '../../shared/client-configs.ts';
import type { DialProblem } from '../../shared/dial-problems.ts';
import type { PasswordSource } from '../access/connection.ts';

const rightPassword = 'Give the right one with `sallyport connections set NAME --password-stdin`.';
const unchecked = '--tls require encrypts, and believes whoever answers.';
const namedKey =
  'Name the key with `sallyport connections set NAME --ssh HOST --ssh-key FILE`, or add it to your SSH agent; then test the connection again.';

/** Null if the failure says it all. */
const advices: Readonly<Record<DialProblem, string | null>> = {
  no_tls:
    'Switch TLS on at the server; or use --tls prefer or --tls disable, which send everything in clear text, where others may read and change it.',
  tls_wanted: `If the server accepts only encrypted connections, use \`sallyport connections set NAME --tls verify-full\`, with --ca if this computer does not know its authority; ${unchecked}`,
  tls_failed: 'If the server is on this computer, `sallyport connections set NAME --tls disable` connects without TLS.',
  unknown_authority: `Name the file of the authority that vouches for it with \`sallyport connections set NAME --ca FILE\`; ${unchecked}`,
  certificate_of_another_name: 'Connect by that name, or take --tls verify-ca, which asks for the authority alone.',
  certificate_expired: `Have it renewed; until then ${unchecked}`,
  client_certificate_refused: 'Name its files with --client-cert and --client-key.',
  authority_file: null,
  authority_file_changed:
    'If you renewed it, or know who did, `sallyport connections trust NAME` takes it as it is now.',
  client_key_open_to_others: 'Run `chmod 600` on it, then try again.',
  client_key_passphrase: 'Give its passphrase with `sallyport connections set NAME --key-passphrase-stdin`.',
  password_missing: rightPassword,
  password_refused: rightPassword,
  password_or_tls_refused: `${rightPassword} If the password is right, the account accepts only encrypted sessions: \`sallyport connections set NAME --tls verify-full\`; ${unchecked}`,
  sign_in_method:
    'Change how the server lets this user in, or give the connection another URL with `sallyport connections set NAME --url URL`.',
  server_untested: '`sallyport connections test NAME` tests it.',
  server_unproved:
    'Use TLS with --tls verify-full, or its socket; for a server to throw away, `sallyport connections set NAME --identity any`.',
  server_changed:
    'If you changed the server, `sallyport connections trust NAME` takes the one that answers now for the right one.',
  ssh_host_key_unknown:
    "`sallyport connections test NAME`, at a terminal, shows the key, and trusts it if you agree. Compare it with what the server's administrator says.",
  ssh_host_key_changed:
    "Ask the server's administrator whether its key was changed. If it was, remove the old one with `ssh-keygen -R`, then test the connection again.",
  ssh_agent_refused: 'Unlock the agent, or agree if it asks; then test the connection again.',
  ssh_key_passphrase:
    'Give it with `sallyport connections set NAME --ssh-passphrase-stdin`, or add the key to your SSH agent.',
  ssh_password: 'Give it with `sallyport connections set NAME --ssh-password-stdin`.',
  ssh_sign_in_refused: namedKey,
  ssh_too_many_keys: namedKey,
  ssh_configuration: 'Name the jumps with `sallyport connections set NAME --ssh HOST --ssh-jump HOST`.',
  ssh_configuration_changed:
    'If you changed it, `sallyport connections trust NAME` shows what it says now, and takes that.',
  tunnel_command: null,
};

const ofItsCommand =
  'See what its password command prints, or name another with `sallyport connections set NAME --password-command CMD`.';

/**
 * @param name of the connection, for a command to type.
 * @param source of its password.
 * @returns what to do, in sentences; null if there is nothing to add.
 */
export function dialAdvice(
  problem: DialProblem | undefined,
  name: string,
  source: PasswordSource['kind'] = 'stored',
): string | null {
  const written = problem === undefined ? null : advices[problem];
  const advice = source === 'command' ? written?.replace(rightPassword, () => ofItsCommand) : written;
  return advice?.replaceAll('NAME', () => shellWord(name)) ?? null;
}
