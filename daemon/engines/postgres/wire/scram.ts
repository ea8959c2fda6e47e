/**
 * The client's side of SCRAM-SHA-256 (RFC 5802, RFC 7677) as PostgreSQL speaks it, with channel
 * binding `tls-server-end-point` (RFC 5929). Knows no socket and no connection; it decides whether
 * the server has proved that it knows the password.
 */

import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { DialRefused } from './tls.ts';

const derive = promisify(pbkdf2);

/** RFC 7677 §4. With fewer, who answers can try passwords fast against what we send. */
const leastRounds = 4_096;
/** Half a second of a processor; a server that asks for more only keeps us busy. */
const mostRounds = 1_000_000;
const keyBytes = 32;
const nonceBytes = 18;

/** `certificateHash` is as RFC 5929 §4.1 computes it. */
export type ChannelBinding =
  | { readonly kind: 'bound'; readonly certificateHash: Buffer }
  /** The line could be bound, and the server doesn't offer it: one that does then refuses (`y`). */
  | { readonly kind: 'not_offered' }
  | { readonly kind: 'no_tls' };

export class Scram {
  readonly clientFirst: string;
  readonly #nonce = randomBytes(nonceBytes).toString('base64');
  readonly #binding: ChannelBinding;
  #serverSignature: Buffer | null = null;

  constructor(binding: ChannelBinding) {
    this.#binding = binding;
    this.clientFirst = `${this.#header}${this.#clientFirstBare}`;
  }

  get #header(): string {
    return { bound: 'p=tls-server-end-point,,', not_offered: 'y,,', no_tls: 'n,,' }[this.#binding.kind];
  }

  /** The start-up message has named the user; PostgreSQL reads no name here. */
  get #clientFirstBare(): string {
    return `n=*,r=${this.#nonce}`;
  }

  /** @returns the client's final message. Rejects with DialRefused. */
  async clientFinal(serverFirst: string, password: string): Promise<string> {
    const { nonce, salt, rounds } = readServerFirst(serverFirst);
    if (!nonce.startsWith(this.#nonce) || nonce.length === this.#nonce.length) throw notScram();
    if (rounds < leastRounds) {
      throw new DialRefused(
        `the server asks for ${rounds} rounds of SCRAM, which would let it guess the password; 4,096 are the least (scram_iterations)`,
      );
    }
    if (rounds > mostRounds) throw new DialRefused(`the server asks for ${rounds} rounds of SCRAM, which is too many`);
    const hash = this.#binding.kind === 'bound' ? this.#binding.certificateHash : Buffer.alloc(0);
    const bound = Buffer.concat([Buffer.from(this.#header), hash]).toString('base64');
    const withoutProof = `c=${bound},r=${nonce}`;
    const signed = `${this.#clientFirstBare},${serverFirst},${withoutProof}`;
    const salted = await derive(prepared(password), salt, rounds, keyBytes, 'sha256');
    const clientKey = hmac(salted, 'Client Key');
    const clientSignature = hmac(createHash('sha256').update(clientKey).digest(), signed);
    this.#serverSignature = hmac(hmac(salted, 'Server Key'), signed);
    const proof = clientKey.map((byte, at) => byte ^ (clientSignature[at] ?? 0));
    return `${withoutProof},p=${Buffer.from(proof).toString('base64')}`;
  }

  /** Returns only if the server has proved that it knows the password. @throws DialRefused */
  verify(serverFinal: string): void {
    const [, signature] = /^v=([a-z\d+/]+=*)(?:,.*)?$/is.exec(serverFinal) ?? [];
    const shown = Buffer.from(signature ?? '', 'base64');
    const expected = this.#serverSignature;
    if (expected === null || shown.length !== expected.length || !timingSafeEqual(shown, expected))
      throw new DialRefused("the server doesn't know the password, so something else answers in its place");
  }
}

/** RFC 5802 §5.1. A mandatory extension (`m=`) fails the match. */
function readServerFirst(message: string): { readonly nonce: string; readonly salt: Buffer; readonly rounds: number } {
  const [, nonce, salt, rounds] =
    /^r=([\x21-\x2b\x2d-\x7e]+),s=([a-z\d+/]+=*),i=([1-9]\d{0,9})(?:,.*)?$/is.exec(message) ?? [];
  if (nonce === undefined || salt === undefined) throw notScram();
  return { nonce, salt: Buffer.from(salt, 'base64'), rounds: Number(rounds) };
}

const notScram = (): DialRefused => new DialRefused('the server does not speak SCRAM as PostgreSQL does');

/**
 * SASLprep (RFC 4013) without its prohibitions: PostgreSQL then takes the password as it is.
 * RFC 3454, tables C.1.2 and B.1.
 */
function prepared(password: string): string {
  return password
    .replace(/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g, ' ')
    .replace(/\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g, '')
    .normalize('NFKC');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
