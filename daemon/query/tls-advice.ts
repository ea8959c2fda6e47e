/** What to do about a server whose certificate was refused. */

/** By OpenSSL's words (X509_verify_cert_error_string) and Node's own of names. */
const advice: readonly (readonly [words: RegExp, sentence: string])[] = [
  [
    /self-signed|unable to (?:verify|get)/,
    'no authority that this machine knows vouches for its certificate: name the file of the one that does with --ca, or take --tls require, which encrypts and believes whoever answers',
  ],
  [
    /altnames/,
    'its certificate is for another name: connect by that name, or take --tls verify-ca, which asks for the authority alone',
  ],
  [
    /alert (?:unknown ca|bad certificate|certificate (?:required|unknown))|certificate required/,
    'the server refuses the client certificate of this connection, or asks for one: name its files with --client-cert and --client-key',
  ],
  [/key values mismatch/, 'the client key is not that of the client certificate'],
  [/expired/, 'its certificate must be renewed; --tls require would believe whoever answers'],
];

/** What OpenSSL says of a session that ended, without the places in its sources; null for anything else. */
export function tlsAlert(error: object): string | null {
  const { code, reason } = error as { readonly code?: unknown; readonly reason?: unknown };
  return typeof code === 'string' && code.startsWith('ERR_SSL_') && typeof reason === 'string' ? reason : null;
}

/** @param message of the failed handshake. @returns with its full stop's place left free, '' where there is nothing to add. */
export function tlsAdvice(message: string): string {
  const found = advice.find(([words]) => words.test(message))?.[1];
  return found === undefined ? '' : `; ${found}`;
}
