/**
 * Words why a certificate, the server's or ours, was refused. Everybody gets the reason; only the
 * person gets the advice.
 */

interface Refused {
  /** OpenSSL's words (X509_verify_cert_error_string), and Node's own about names. */
  readonly words: RegExp;
  /** A clause. */
  readonly why: string;
  /** A sentence for the person. A client that read it might have the connection weakened. */
  readonly advice: string | null;
}

const refusals: readonly Refused[] = [
  {
    words: /self-signed|unable to (?:verify|get)/,
    why: 'no authority that this machine knows vouches for its certificate',
    advice:
      'Name the file of the authority that vouches for it with --ca, or take --tls require, which encrypts and believes whoever answers.',
  },
  {
    words: /altnames/,
    why: 'its certificate is for another name',
    advice: 'Connect by that name, or take --tls verify-ca, which asks for the authority alone.',
  },
  {
    words: /alert (?:unknown ca|bad certificate|certificate (?:required|unknown))|certificate required/,
    why: 'the server refuses the client certificate of this connection, or asks for one',
    advice: 'Name its files with --client-cert and --client-key.',
  },
  { words: /key values mismatch/, why: 'the client key is not that of the client certificate', advice: null },
  {
    words: /expired/,
    why: 'its certificate must be renewed',
    advice: '--tls require would believe whoever answers.',
  },
];

/**
 * OpenSSL's words about an ended session, without places in its sources; null for anything else.
 */
export function tlsAlert(error: object): string | null {
  const { code, reason } = error as { readonly code?: unknown; readonly reason?: unknown };
  return typeof code === 'string' && code.startsWith('ERR_SSL_') && typeof reason === 'string' ? reason : null;
}

/**
 * @param message of the failed handshake.
 * @returns a text without its full stop; '' if there is nothing to add.
 */
export function tlsReason(message: string): string {
  const found = refusals.find(({ words }) => words.test(message));
  return found === undefined ? '' : `; ${found.why}`;
}

/** @param message of a failure that contains {@link tlsReason}. */
export function tlsAdvice(message: string): string | null {
  return refusals.find(({ why }) => message.includes(why))?.advice ?? null;
}
