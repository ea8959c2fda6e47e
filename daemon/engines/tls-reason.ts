/**
 * Reads OpenSSL's words about a failed handshake: why a certificate, the server's or ours, was
 * refused.
 */

import type { DialProblem } from '../../shared/dial-problems.ts';

interface Refused {
  /** OpenSSL's words (X509_verify_cert_error_string), and Node's own about names. */
  readonly words: RegExp;
  /** A clause; null if OpenSSL's words say it. */
  readonly why: string | null;
  readonly problem: DialProblem | null;
}

const refusals: readonly Refused[] = [
  {
    words: /self-signed|unable to (?:verify|get)/,
    why: 'no authority that this connection trusts vouches for its certificate',
    problem: 'unknown_authority',
  },
  { words: /altnames/, why: 'its certificate is for another name', problem: 'certificate_of_another_name' },
  {
    words: /alert (?:unknown ca|bad certificate|certificate (?:required|unknown))|certificate required/,
    why: 'the server refuses the client certificate of this connection, or asks for one',
    problem: 'client_certificate_refused',
  },
  { words: /key values mismatch/, why: 'the client key is not that of the client certificate', problem: null },
  { words: /expired/, why: 'its certificate must be renewed', problem: 'certificate_expired' },
  { words: /unsupported protocol|wrong version number|handshake failure/, why: null, problem: 'tls_failed' },
];

/**
 * OpenSSL's words about an ended session, without places in its sources; null for anything else.
 */
export function tlsAlert(error: object): string | null {
  const { code, reason } = error as { readonly code?: unknown; readonly reason?: unknown };
  return typeof code === 'string' && code.startsWith('ERR_SSL_') && typeof reason === 'string' ? reason : null;
}

/** Node's advice at the end is for who starts a Node. A client would read it too. */
const nodesAdvice = '; if the root CA is installed locally,';

/** What a failed handshake says, without a full stop. */
export function tlsWords(message: string): string {
  const [words = ''] = message.split(nodesAdvice, 1);
  return words.replace(/\.$/, '');
}

/**
 * @param message of the failed handshake.
 * @returns `why`: a text without its full stop; '' if there is nothing to add.
 */
export function tlsReason(message: string): { readonly why: string; readonly problem: DialProblem | null } {
  const found = refusals.find(({ words }) => words.test(message));
  const why = found?.why ?? null;
  return { why: why === null ? '' : `; ${why}`, problem: found?.problem ?? null };
}
