/**
 * How each method to sign in is answered, and what the answer shows of the password. The judge is
 * asked before an answer leaves; what may leave is decided there. No socket.
 */

import type { X509Certificate } from 'node:crypto';
import type { LineKind, MethodClass, SignInStep } from '../../../access/server-identity.ts';
import { PacketReader } from './answer-packets.ts';
import type { Greeting } from './greeting.ts';
import { ProtocolViolation } from './packets.ts';
import {
  encryptedPassword,
  isProof,
  nativeAnswer,
  nativeStored,
  parsecAnswer,
  provesCertificate,
  sha2Answer,
} from './scrambles.ts';
import { fingerprintOf, rsaKeyIn } from './server-key.ts';

/** What is known of the line before the login. */
export interface LineShown {
  readonly kind: LineKind;
  /** The server's; null without TLS. */
  readonly certificate: X509Certificate | null;
  /** As in a step. */
  readonly socketOwner: number | null;
}

export interface Asked {
  /** Null if there is none: then nothing is judged. */
  readonly password: string | null;
  readonly shown: LineShown;
  /** Throws if what the step shows must not leave. */
  readonly judge: (step: SignInStep) => void;
}

/** The server asks for a method that isn't ours; the message is its name. */
export class UnknownMethod extends Error {}

const native = 'mysql_native_password';
const cachingSha2 = 'caching_sha2_password';
const sha256 = 'sha256_password';
const clearText = 'mysql_clear_password';
/** MariaDB's, for PAM: questions, of which the only one may be for the password. */
const dialog = 'dialog';
const passwordQuestion = 4;
const parsec = 'parsec';
const parsecScrambleBytes = 32;

/** `caching_sha2_password`, after our answer: it is right; or: send the password itself. */
const verdict = { right: 3, full: 4 } as const;
/** Asks for the server's RSA key. */
const keyRequest = new Map([
  [cachingSha2, Buffer.from([2])],
  [sha256, Buffer.from([1])],
]);

export class Exchange {
  readonly #greeting: Greeting;
  readonly #asked: Asked;
  #method: string;
  #scramble: Buffer;
  /** `answered`: the server must still say whether it knows our answer. */
  #state: 'answered' | 'awaits_key' | 'awaits_salt' | 'settled' = 'settled';
  /** What a MariaDB has stored of the password, by which it proves its certificate. */
  #stored: Buffer | null = null;
  #step: SignInStep;

  constructor(greeting: Greeting, asked: Asked) {
    this.#greeting = greeting;
    this.#asked = asked;
    this.#method = greeting.method;
    this.#scramble = greeting.scramble;
    this.#step = this.#stepOf('asks_nothing');
  }

  /**
   * The greeting names the server's usual method, not the account's. If that one must not be
   * answered, or isn't a quiet one, the server is left to name the account's.
   */
  begin(): { readonly method: string; readonly answer: Buffer } {
    if (this.#method === native) {
      try {
        return { method: native, answer: this.#quietAnswer() };
      } catch {
        // The judge says no.
      }
    }
    this.#method = cachingSha2;
    return { method: cachingSha2, answer: this.#quietAnswer() };
  }

  /** AuthSwitchRequest: the account's own method, and another scramble. */
  switchTo(packet: Buffer): Buffer {
    const reader = new PacketReader(packet);
    reader.integer(1);
    this.#method = reader.terminated();
    this.#state = 'settled';
    this.#stored = null;
    if (this.#method === clearText) return this.#plainAnswer();
    // No question is one too; the last bit says that no other comes.
    if (this.#method === dialog && (reader.left === 0 || (reader.integer(1) & ~1) === passwordQuestion))
      return this.#plainAnswer();
    if (this.#method === parsec) {
      this.#judge(this.#stepOf('guessable'));
      this.#scramble = reader.bytes(parsecScrambleBytes);
      this.#state = 'awaits_salt';
      return Buffer.alloc(0);
    }
    if (this.#method !== native && !keyRequest.has(this.#method))
      throw new UnknownMethod(/^[\w-]{1,64}$/.test(this.#method) ? this.#method : 'another method');
    this.#scramble = reader.bytes(20);
    return this.#method === sha256 ? this.#fullAnswer() : this.#quietAnswer();
  }

  /** True if the next packet is a salt, and no packet of another kind. */
  get awaitsSalt(): boolean {
    return this.#state === 'awaits_salt';
  }

  /** AuthMoreData, or a salt. @returns null if there is nothing to answer. */
  more(data: Buffer): Buffer | null {
    if (this.#state === 'awaits_salt') return this.#signedAnswer(data);
    if (this.#state === 'awaits_key') return this.#encryptedAnswer(data);
    const said = this.#state === 'answered' && data.length === 1 ? data[0] : undefined;
    this.#state = 'settled';
    if (said === verdict.right) return null;
    if (said === verdict.full) return this.#fullAnswer();
    throw new ProtocolViolation('it went on with the sign-in in a way of its own');
  }

  /** OK. @returns what was shown in all. */
  end(packet: Buffer): SignInStep {
    if (this.#state === 'awaits_key') throw new ProtocolViolation('it sent no RSA key');
    if (this.#state === 'awaits_salt') throw new ProtocolViolation('it sent no salt');
    // It never said that it knows our answer.
    if (this.#state === 'answered') this.#step = this.#stepOf('asks_nothing');
    const { certificate } = this.#asked.shown;
    const proof = proofIn(packet);
    if (this.#stored === null || certificate === null || !isProof(proof)) return this.#step;
    const isRight = provesCertificate(proof, this.#stored, this.#greeting.scramble, certificate.raw);
    return isRight ? this.#stepOf('proves_line') : { ...this.#step, proof: 'wrong' };
  }

  /** By challenge and response. */
  #quietAnswer(): Buffer {
    this.#judge(this.#stepOf(this.#method === native ? 'legacy' : 'guessable'));
    if (this.#method === cachingSha2) this.#state = 'answered';
    const { password } = this.#asked;
    if (password === null) return Buffer.alloc(0);
    this.#stored = this.#method === native ? nativeStored(password) : null;
    return (this.#method === native ? nativeAnswer : sha2Answer)(password, this.#scramble);
  }

  /** The password itself: as it is if nobody else hears it, else for the owner of an RSA key. */
  #fullAnswer(): Buffer {
    const request = keyRequest.get(this.#method);
    if (this.#asked.shown.kind !== 'clear' || request === undefined) return this.#plainAnswer();
    this.#state = 'awaits_key';
    return request;
  }

  #plainAnswer(): Buffer {
    this.#judge(this.#stepOf('reveals'));
    return Buffer.from(`${this.#asked.password ?? ''}\0`);
  }

  #signedAnswer(salt: Buffer): Buffer {
    this.#state = 'settled';
    const signed = parsecAnswer(this.#asked.password ?? '', this.#scramble, salt);
    if (signed === null) throw new ProtocolViolation('it sent no salt');
    this.#stored = signed.stored;
    return signed.answer;
  }

  #encryptedAnswer(pem: Buffer): Buffer {
    this.#state = 'settled';
    const key = rsaKeyIn(pem);
    this.#judge({ ...this.#stepOf('reveals'), key: fingerprintOf(key) });
    return encryptedPassword(this.#asked.password ?? '', this.#scramble, key);
  }

  #judge(step: SignInStep): void {
    const mayProve = this.#isMariadb && (this.#method === native || this.#method === parsec);
    if (this.#asked.password !== null) this.#asked.judge(mayProve ? { ...step, proof: 'pending' } : step);
    this.#step = step;
  }

  /** MariaDB makes its certificate anew at each start, and proves it at the end of a sign-in. */
  #stepOf(method: MethodClass): SignInStep {
    const { kind, certificate, socketOwner } = this.#asked.shown;
    const key = certificate === null ? null : fingerprintOf(certificate.publicKey);
    return { line: kind, method, key, socketOwner, isPassing: this.#isMariadb && method !== 'reveals' };
  }

  get #isMariadb(): boolean {
    return /mariadb/i.test(this.#greeting.serverVersion);
  }
}

/** MariaDB puts its proof where other servers put a message. */
function proofIn(packet: Buffer): Buffer {
  const reader = new PacketReader(packet);
  reader.integer(1);
  reader.lengthEncoded();
  reader.lengthEncodedExactly();
  reader.integer(4);
  return reader.left === 0 ? Buffer.alloc(0) : reader.bytes(reader.lengthEncoded());
}
