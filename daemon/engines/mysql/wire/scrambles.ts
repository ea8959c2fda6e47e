/**
 * What is sent in place of a password, by method. Each answers the server's 20 random bytes.
 * Sources: MySQL's `sha2_password_common`, MariaDB's "mysql_native_password" and its proof of a
 * certificate (since 11.4).
 */

import { constants, createHash, type KeyObject, publicEncrypt, timingSafeEqual } from 'node:crypto';

/** SHA1(password) XOR SHA1(scramble, SHA1(SHA1(password))); guessed offline by who hears both. */
export function nativeAnswer(password: string, scramble: Buffer): Buffer {
  const once = hashOf('sha1', Buffer.from(password));
  return xor(once, hashOf('sha1', scramble, hashOf('sha1', once)));
}

/** SHA256(password) XOR SHA256(SHA256(SHA256(password)), scramble); guessed as the former. */
export function sha2Answer(password: string, scramble: Buffer): Buffer {
  const once = hashOf('sha256', Buffer.from(password));
  return xor(once, hashOf('sha256', hashOf('sha256', once), scramble));
}

/** The password itself, for the owner of the key. */
export function encryptedPassword(password: string, scramble: Buffer, key: KeyObject): Buffer {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return publicEncrypt({ key, padding, oaepHash: 'sha1' }, xor(Buffer.from(`${password}\0`), scramble));
}

/** True if the text at the end of a sign-in is MariaDB's proof, right or wrong. */
export function isProof(text: Buffer): boolean {
  return text.length === 65 && text[0] === 1;
}

/**
 * MariaDB's proof, at the end of a sign-in over TLS, that it knows the hash of the password and has
 * sent this certificate: 1, and SHA256(SHA1(SHA1(password)), scramble, SHA256(certificate)) in hex.
 * @param scramble the greeting's. @param certificate DER.
 */
export function provesCertificate(proof: Buffer, password: string, scramble: Buffer, certificate: Buffer): boolean {
  const stored = hashOf('sha1', hashOf('sha1', Buffer.from(password)));
  const digest = hashOf('sha256', stored, scramble, hashOf('sha256', certificate)).toString('hex');
  const expected = Buffer.from(`\u0001${digest}`);
  const given = Buffer.from(proof.toString('latin1').toLowerCase(), 'latin1');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function hashOf(algorithm: 'sha1' | 'sha256', ...parts: readonly Buffer[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The shorter one is repeated. */
function xor(bytes: Buffer, mask: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, at) => byte ^ (mask[at % mask.length] ?? 0)));
}
