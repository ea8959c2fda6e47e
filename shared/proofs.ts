/**
 * The proofs of the control socket (spec §2 Trust, §11): HMAC-SHA-256 over labelled, newline-joined
 * fields, base64url. Each label names one use, so a proof for one purpose can't serve another.
 * Nonces are 32 random bytes in base64url.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export type ShellSide = 'daemon' | 'shell';

export function newNonce(): string {
  return randomBytes(32).toString('base64url');
}

export function isNonce(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value);
}

/**
 * The daemon shows it to a holder of the bridge token: this socket, this run and this port belong
 * together.
 */
export function identifyProof(token: string, nonce: string, instance: string, port: number): string {
  return hmac(token, ['sallyport identify 1', nonce, instance, String(port)]);
}

/**
 * Each side's proof that it holds the shell secret. It includes the side, so nobody can answer a
 * side with its own proof.
 */
export function shellProof(secret: string, side: ShellSide, shellNonce: string, daemonNonce: string): string {
  return hmac(secret, [`sallyport shell 1 ${side}`, shellNonce, daemonNonce]);
}

export function shellSessionKey(secret: string, shellNonce: string, daemonNonce: string): string {
  return hmac(secret, ['sallyport session 1', shellNonce, daemonNonce]);
}

/** @param counter 1 for the first line a side sends after the proofs, then one more each. */
export function lineProof(sessionKey: string, sender: ShellSide, counter: number, message: string): string {
  return hmac(sessionKey, [`sallyport line 1 ${sender}`, String(counter), message]);
}

/** Takes the same time whatever the content; lengths of proofs and hashes are no secret. */
export function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

function hmac(key: string, fields: readonly string[]): string {
  return createHmac('sha256', key).update(fields.join('\n')).digest('base64url');
}
