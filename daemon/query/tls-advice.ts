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
  [/expired/, 'its certificate must be renewed; --tls require would believe whoever answers'],
];

/** @param message of the failed handshake. @returns with its full stop's place left free, '' where there is nothing to add. */
export function tlsAdvice(message: string): string {
  const found = advice.find(([words]) => words.test(message))?.[1];
  return found === undefined ? '' : `; ${found}`;
}
