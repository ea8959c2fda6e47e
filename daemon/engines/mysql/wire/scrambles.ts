/**
 * What is sent in place of a password, by method. Each answers the server's 20 random bytes.
 * Sources: MySQL's `sha2_password_common`, MariaDB's "mysql_native_password", its "parsec" (since
 * 11.6) and its proof of a certificate (since 11.4).
 */

import {
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  pbkdf2Sync,
  publicEncrypt,
  randomBytes,
  sign,
  timingSafeEqual,
} from 'node:crypto';

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

/** A salt of `parsec`: its kind, then how often 1,024 rounds are doubled, then the salt itself. */
const parsecSaltBytes = 20;
/** 8,192 rounds take 5 ms, and nothing else runs meanwhile. */
const mostDoublings = 3;
/** PKCS #8 (RFC 8410) in front of an Ed25519 seed. */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * MariaDB's `parsec`: PBKDF2 by SHA-512 makes an Ed25519 key of the password, which signs the
 * server's scramble and ours.
 * @param salt as the server sends it.
 * @returns null if it is no such salt; else the answer, and what the server has stored.
 */
export function parsecAnswer(
  password: string,
  scramble: Buffer,
  salt: Buffer,
): { readonly answer: Buffer; readonly stored: Buffer } | null {
  const doublings = salt[1] ?? 0;
  if (salt.length !== parsecSaltBytes || salt[0] !== 0x50 || doublings > mostDoublings) return null;
  const seed = pbkdf2Sync(password, salt.subarray(2), 1_024 << doublings, 32, 'sha512');
  const key = createPrivateKey({ key: Buffer.concat([ed25519Prefix, seed]), format: 'der', type: 'pkcs8' });
  const own = randomBytes(32);
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    answer: Buffer.concat([own, sign(null, Buffer.concat([scramble, own]), key)]),
    stored: Buffer.concat([salt, publicKey]),
  };
}

/** What MariaDB has stored for `mysql_native_password`. */
export function nativeStored(password: string): Buffer {
  return hashOf('sha1', hashOf('sha1', Buffer.from(password)));
}

/** True if the text at the end of a sign-in is MariaDB's proof, right or wrong. */
export function isProof(text: Buffer): boolean {
  return text.length === 65 && text[0] === 1;
}

/**
 * MariaDB's proof, at the end of a sign-in over TLS, that it knows the hash of the password and has
 * sent this certificate: 1, and SHA256(stored, scramble, SHA256(certificate)) in hex.
 * @param stored what the server has stored of the password. @param scramble the greeting's.
 * @param certificate DER.
 */
export function provesCertificate(proof: Buffer, stored: Buffer, scramble: Buffer, certificate: Buffer): boolean {
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
