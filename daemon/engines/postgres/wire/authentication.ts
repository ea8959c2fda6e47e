/**
 * Answers a server's authentication requests (PostgreSQL manual, 55.2.1) in the driver's place: the
 * driver would take an AuthenticationOk at any point. Asks the connection's `ServerIdentity` before
 * anything that depends on the password leaves. No socket.
 */

import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { admits, type SignInMethod } from '../../../../shared/sign-in-methods.ts';
import type { MethodClass, SignInStep } from '../../../access/server-identity.ts';
import type { ServerIdentity } from '../../server-identity.ts';
import { certificateHash } from './channel-binding.ts';
import { type ChannelBinding, Scram } from './scram.ts';
import { DialRefused } from './tls.ts';

/** The line's part of a step. */
export type ShownLine = Omit<SignInStep, 'method'>;

interface SignIn {
  readonly user: string;
  readonly password: () => Promise<string | null>;
  /** Undefined for any. */
  readonly methods: readonly SignInMethod[] | undefined;
  readonly identity: ServerIdentity;
  readonly line: ShownLine;
  /** What `localhost` was dialled as; null for any other host. */
  readonly address: string | null;
  /** Null without TLS. */
  readonly tls: TLSSocket | null;
}

/** Numbers of the requests (manual, 55.7, Authentication…). */
const request = { ok: 0, clearText: 3, md5: 5, sasl: 10, saslContinue: 11, saslFinal: 12 } as const;
const otherMethods: Readonly<Record<number, string>> = { 2: 'Kerberos', 6: 'SCM', 7: 'GSSAPI', 9: 'SSPI' };

const mechanism = 'SCRAM-SHA-256';
const boundMechanism = 'SCRAM-SHA-256-PLUS';
const classes: Readonly<Record<SignInMethod, MethodClass>> = {
  none: 'asks_nothing',
  password: 'reveals',
  md5: 'guessable',
  'scram-sha-256': 'proves',
  'scram-sha-256-plus': 'proves_line',
};

/** Of a request: letter, length, number. */
const requestBytes = 9;
const md5SaltBytes = 4;

type SignInStage =
  | { readonly kind: 'nothing_asked' }
  | { readonly kind: 'scram_begun' | 'scram_proved'; readonly scram: Scram }
  /** All that the method asks for was sent, and what it must prove it has proved. */
  | { readonly kind: 'answered' }
  | { readonly kind: 'let_in' };

export class Authentication {
  readonly #signIn: SignIn;
  #stage: SignInStage = { kind: 'nothing_asked' };
  #method: SignInMethod = 'none';

  constructor(signIn: SignIn) {
    this.#signIn = signIn;
  }

  /** True once the server has let us in and its identity was judged. */
  get isDone(): boolean {
    return this.#stage.kind === 'let_in';
  }

  /**
   * @param message a whole Authentication message.
   * @returns what to send; null for nothing. Rejects with DialRefused or IdentityRefused: then
   *   nothing must be sent to this server.
   */
  async answer(message: Buffer): Promise<Buffer | null> {
    if (message.length < requestBytes) throw outOfTurn();
    const asked = message.readInt32BE(requestBytes - 4);
    const data = message.subarray(requestBytes);
    switch (asked) {
      case request.ok:
        await this.#letIn();
        return null;
      case request.clearText:
        return this.#begin('password', async () => [{ kind: 'answered' }, `${await this.#password()}\0`]);
      case request.md5:
        if (data.length !== md5SaltBytes) throw outOfTurn();
        return this.#begin('md5', async () => [{ kind: 'answered' }, `${await this.#md5(data)}\0`]);
      case request.sasl:
        return this.#beginScram(mechanismsIn(data));
      case request.saslContinue: {
        const { scram } = this.#scramAt('scram_begun');
        const final = await scram.clientFinal(data.toString('utf8'), await this.#password());
        this.#stage = { kind: 'scram_proved', scram };
        return passwordMessage(final);
      }
      case request.saslFinal:
        this.#scramAt('scram_proved').scram.verify(data.toString('utf8'));
        this.#stage = { kind: 'answered' };
        return null;
      default:
        throw new DialRefused(unknownMethod(asked));
    }
  }

  async #letIn(): Promise<void> {
    const { kind } = this.#stage;
    if (kind === 'let_in') throw outOfTurn();
    if (kind === 'scram_begun' || kind === 'scram_proved') {
      throw new DialRefused(
        'the server ended the sign-in before it had proved that it knows the password, so something else may answer in its place',
      );
    }
    this.#expectMethod();
    await this.#signIn.identity.signedIn(this.#step, this.#signIn.address);
    this.#stage = { kind: 'let_in' };
  }

  #expectMethod(): void {
    const { methods } = this.#signIn;
    if (admits(methods, this.#method)) return;
    const asked = this.#method === 'none' ? 'nothing' : this.#method;
    throw new DialRefused(
      `the server asks for ${asked}, and the connection takes only ${methods?.join(', ')} (require_auth, channel_binding)`,
      null,
      'sign_in_method',
    );
  }

  get #step(): SignInStep {
    return { ...this.#signIn.line, method: classes[this.#method] };
  }

  /** A server asks by one method, once. */
  async #begin(method: SignInMethod, answer: () => Promise<readonly [SignInStage, string | Buffer]>): Promise<Buffer> {
    if (this.#stage.kind !== 'nothing_asked') throw outOfTurn();
    this.#method = method;
    this.#expectMethod();
    this.#signIn.identity.judge(this.#step);
    const [stage, body] = await answer();
    this.#stage = stage;
    return passwordMessage(body);
  }

  async #beginScram(offered: readonly string[]): Promise<Buffer> {
    const { tls } = this.#signIn;
    const isBound = tls !== null && offered.includes(boundMechanism);
    if (!isBound && !offered.includes(mechanism))
      throw new DialRefused('the server offers no way to sign in that Sallyport knows (SCRAM-SHA-256)');
    return this.#begin(isBound ? 'scram-sha-256-plus' : 'scram-sha-256', async () => {
      // A missing password is told before the server waits for its proof.
      await this.#password();
      const binding: ChannelBinding =
        tls === null
          ? { kind: 'no_tls' }
          : isBound
            ? { kind: 'bound', certificateHash: certificateHash(tls) }
            : { kind: 'not_offered' };
      const scram = new Scram(binding);
      const first = Buffer.from(scram.clientFirst);
      const length = Buffer.alloc(4);
      length.writeInt32BE(first.length);
      const name = Buffer.from(`${isBound ? boundMechanism : mechanism}\0`);
      return [{ kind: 'scram_begun', scram }, Buffer.concat([name, length, first])];
    });
  }

  #scramAt(kind: 'scram_begun' | 'scram_proved'): { readonly scram: Scram } {
    const stage = this.#stage;
    if ('scram' in stage && stage.kind === kind) return stage;
    throw outOfTurn();
  }

  async #password(): Promise<string> {
    const password = await this.#signIn.password();
    if (password === null)
      throw new DialRefused('the server asks for a password and the connection has none', null, 'password_missing');
    return password;
  }

  async #md5(salt: Buffer): Promise<string> {
    const inner = md5(Buffer.from(`${await this.#password()}${this.#signIn.user}`));
    return `md5${md5(Buffer.concat([Buffer.from(inner), salt]))}`;
  }
}

function md5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

function mechanismsIn(data: Buffer): readonly string[] {
  return data
    .toString('latin1')
    .split('\0')
    .filter(name => name !== '');
}

/** PasswordMessage, SASLInitialResponse and SASLResponse have one form. */
function passwordMessage(body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  const header = Buffer.from('p\0\0\0\0', 'latin1');
  header.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([header, bytes]);
}

function unknownMethod(asked: number): string {
  const name = otherMethods[asked];
  return name === undefined
    ? 'the server asks to sign in by a method that Sallyport does not know'
    : `the server asks to sign in by ${name}, which Sallyport does not do`;
}

const outOfTurn = (): DialRefused => new DialRefused('the server does not sign in as PostgreSQL does');
