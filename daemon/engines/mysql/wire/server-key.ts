/** A server's RSA or TLS key: reads one that it sends, and gives what tells it from another. */

import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { ProtocolViolation } from './packets.ts';

/** @param pem as a server sends it. @throws ProtocolViolation if it is no RSA key. */
export function rsaKeyIn(pem: Buffer): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Not a key at all: told as below.
  }
  throw new ProtocolViolation('it sent no RSA key');
}

/** @returns SHA-256 of the key as SubjectPublicKeyInfo (RFC 5280 §4.1), in base64. */
export function fingerprintOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}
