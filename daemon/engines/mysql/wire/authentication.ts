/**
 * The exchange in which a server learns who we are (spec §6): answers its methods one after the
 * other, and asks the judge before anything that depends on the password leaves. What may leave is
 * decided there, not here.
 */

import { PacketReader, readError, type ServerError } from './answer-packets.ts';
import type { Greeting } from './greeting.ts';
import type { HandshakeLine } from './handshake-line.ts';
import { loginPacket } from './login-packets.ts';
import { ProtocolViolation } from './packets.ts';
import { encryptedPassword, nativeAnswer, provesCertificate, sha2Answer } from './scrambles.ts';
import { fingerprintOf, rsaKeyIn } from './server-key.ts';

/** How a method treats the password. */
export type MethodClass = 'asks_nothing' | 'reveals' | 'guessable' | 'proves';

/** What a sign-in is about to do, or has done. */
export interface MethodStep {
  readonly method: string;
  readonly methodClass: MethodClass;
  /** SHA-256 of the RSA key for which the password would be encrypted; null for none. */
  readonly rsaKey: string | null;
}

export interface Asked {
  readonly user: string;
  readonly password: string | null;
  readonly database: string | null;
  readonly program: string;
  /** The server's, in DER; null without TLS. */
  readonly certificate: Buffer | null;
  readonly isTls: boolean;
  /** True if only the server can read the line: TLS, or a Unix socket. */
  readonly isPrivate: boolean;
  /** The method of the last sign-in; null if none is known. */
  readonly lastMethod: string | null;
  /** Throws if this must not leave. */
  readonly judge: (step: MethodStep) => void;
}

/** The server's own refusal. */
export class Refused extends Error {
  readonly number: number;

  constructor({ number, message }: ServerError) {
    super(message);
    this.number = number;
  }
}

/** The server asks for a method that isn't ours. */
export class UnknownMethod extends Error {}

const native = 'mysql_native_password';
const cachingSha2 = 'caching_sha2_password';
const sha256 = 'sha256_password';
const clearText = 'mysql_clear_password';

/** First bytes of the server's packets. */
const packetKind = { ok: 0x00, more: 0x01, switch: 0xfe, error: 0xff } as const;
/** `caching_sha2_password`: what the server says after our answer. */
const isFast = 3;
const isFull = 4;
const keyRequest = { [cachingSha2]: Buffer.from([2]), [sha256]: Buffer.from([1]) };

/** @returns what the server has shown, judged. @throws Refused, UnknownMethod, ProtocolViolation */
export async function authenticate(line: HandshakeLine, greeting: Greeting, asked: Asked): Promise<MethodStep> {
  const method = firstMethod(greeting, asked.lastMethod);
  const exchange = new Exchange(line, asked, method, greeting.scramble);
  const login = { ...asked, method, answer: exchange.quietAnswer() };
  line.send(loginPacket(greeting, asked.isTls, login));
  let hasSwitched = false;
  for (;;) {
    const packet = await line.packet();
    switch (packet[0]) {
      case packetKind.ok:
        return exchange.end(packet, greeting);
      case packetKind.error:
        throw new Refused(readError(packet));
      case packetKind.more:
        await exchange.more(packet.subarray(1));
        break;
      case packetKind.switch:
        if (hasSwitched) throw new ProtocolViolation('it changed the way to sign in twice');
        hasSwitched = true;
        await exchange.switchTo(packet);
        break;
      default:
        throw new ProtocolViolation('it answered the sign-in with something else');
    }
  }
}

/**
 * The greeting names the server's usual method, not the account's. An answer by the method of last
 * time saves a switch, and gives an impostor no other one to guess from.
 */
function firstMethod(greeting: Greeting, last: string | null): string {
  return [last, greeting.method].find(method => method === native || method === cachingSha2) ?? cachingSha2;
}

class Exchange {
  readonly #line: HandshakeLine;
  readonly #asked: Asked;
  #method: string;
  #scramble: Buffer;
  #step: MethodStep;
  /** True once `caching_sha2_password` has said whether it knows our answer. */
  #isTold = false;

  constructor(line: HandshakeLine, asked: Asked, method: string, scramble: Buffer) {
    this.#line = line;
    this.#asked = asked;
    this.#method = method;
    this.#scramble = scramble;
    this.#step = { method, methodClass: 'guessable', rsaKey: null };
  }

  /** The answer of a method that doesn't show the password. */
  quietAnswer(): Buffer {
    const { password } = this.#asked;
    this.#judge('guessable');
    if (password === null) return Buffer.alloc(0);
    return (this.#method === native ? nativeAnswer : sha2Answer)(password, this.#scramble);
  }

  /** AuthSwitchRequest: the account's own method, and another scramble. */
  async switchTo(packet: Buffer): Promise<void> {
    const reader = new PacketReader(packet);
    reader.integer(1);
    this.#method = reader.terminated();
    // A NUL follows the scramble.
    this.#scramble = reader.bytes(Math.min(reader.left, 20));
    this.#isTold = false;
    switch (this.#method) {
      case native:
      case cachingSha2:
        if (this.#scramble.length !== 20) throw new ProtocolViolation('its scramble is too short');
        this.#line.send(this.quietAnswer());
        return;
      case sha256:
        await this.#reveal();
        return;
      case clearText:
        this.#judge('reveals');
        if (!this.#asked.isPrivate) throw new ProtocolViolation('it asked for the password in clear text');
        this.#line.send(this.#plain());
        return;
      default:
        throw new UnknownMethod(this.#method);
    }
  }

  /** AuthMoreData. */
  async more(data: Buffer): Promise<void> {
    const isVerdict = this.#method === cachingSha2 && data.length === 1 && !this.#isTold;
    this.#isTold = true;
    if (isVerdict && data[0] === isFast) return;
    if (!isVerdict || data[0] !== isFull) throw new ProtocolViolation('it went on with the sign-in in a way of its own');
    await this.#reveal();
  }

  /** @returns what was shown. Throws if that is too little. */
  end(packet: Buffer, greeting: Greeting): MethodStep {
    const { password, certificate } = this.#asked;
    if (password === null) return this.#step;
    const proof = proofIn(packet);
    if (certificate !== null && proof.length > 0 && provesCertificate(proof, password, greeting.scramble, certificate))
      this.#judge('proves');
    else if (this.#method === cachingSha2 && !this.#isTold) this.#judge('asks_nothing');
    return this.#step;
  }

  /** The password itself, by a private line, or for the owner of the server's RSA key. */
  async #reveal(): Promise<void> {
    if (this.#asked.isPrivate) {
      this.#judge('reveals');
      this.#line.send(this.#plain());
      return;
    }
    this.#line.send(keyRequest[this.#method === sha256 ? sha256 : cachingSha2]);
    const packet = await this.#line.packet();
    if (packet[0] === packetKind.error) throw new Refused(readError(packet));
    if (packet[0] !== packetKind.more) throw new ProtocolViolation('it has no RSA key');
    const key = rsaKeyIn(packet.subarray(1));
    this.#judge('reveals', fingerprintOf(key));
    this.#line.send(encryptedPassword(this.#asked.password ?? '', this.#scramble, key));
  }

  #plain(): Buffer {
    return Buffer.from(`${this.#asked.password ?? ''}\0`);
  }

  #judge(methodClass: MethodClass, rsaKey: string | null = null): void {
    this.#step = { method: this.#method, methodClass, rsaKey };
    if (this.#asked.password !== null) this.#asked.judge(this.#step);
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
