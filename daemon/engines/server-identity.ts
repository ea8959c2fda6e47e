/**
 * The adapters' view of what a server has shown before (spec §6), and the sentences of its
 * refusals. The rules are in `access/server-identity.ts`.
 */

import type { Endpoint } from '../access/connection.ts';
import { addressesOf, type ServerMemory } from '../access/known-servers.ts';
import type { IdentityRefusal, SignInStep } from '../access/server-identity.ts';
import { isLoopback } from './server-socket.ts';

/** Of one server of the connection. */
export interface ServerIdentity {
  /** The address that `localhost` was saved with; null for none yet. */
  chosenAddress(): string | null;
  /**
   * Call it before anything that depends on the password leaves.
   * @throws IdentityRefused
   */
  judge(step: SignInStep): void;
  /**
   * Call it once the server has accepted us, before its first query.
   * @param address what `localhost` was dialled as; null for any other host.
   * Rejects with IdentityRefused.
   */
  signedIn(step: SignInStep, address: string | null): Promise<void>;
}

/** How an adapter finds it; `at` is one server of the connection (servers-in-turn.ts). */
export type IdentityOf = (at: Endpoint) => ServerIdentity;

/** A server is not what it was; `message` is a clause without a full stop. */
export class IdentityRefused extends Error {
  readonly reason: IdentityRefusal;

  constructor(reason: IdentityRefusal, connection: string) {
    super(sentences[reason](JSON.stringify(connection)));
    this.name = 'IdentityRefused';
    this.reason = reason;
  }
}

const changed = (what: string) => (name: string) =>
  `${what}, so somebody else may answer in its place; if you changed the server, run \`sallyport connections trust ${name}\``;

const sentences: Readonly<Record<IdentityRefusal, (name: string) => string>> = {
  password_would_show: name =>
    `the server asks for the password itself, and nothing proves who would read it; set --tls verify-full, use its socket, or run \`sallyport connections set ${name} --identity any\` for a server to throw away`,
  not_tested: name =>
    `nobody has tested this connection yet, and its server takes the password without a proof; run \`sallyport connections test ${name}\``,
  another_key: changed('the server has another key than before'),
  unknown_key: name =>
    `the server asks for the password itself, with a key that nobody has confirmed; run \`sallyport connections trust ${name}\``,
  another_owner: changed('the socket belongs to another user than before'),
  tls_gone: changed('the server had TLS before and has none now'),
  binding_gone: changed('the server no longer proves that it is the other end of the TLS line'),
  weaker_method: changed('the server asks for a weaker sign-in than before'),
  asks_nothing: changed('the server asks for no password, as it did before'),
};

/** @param memoryAt null without a saved password: there is nothing to show. */
export function identityOf(
  { name, identity }: { readonly name: string; readonly identity?: 'any' | undefined },
  memoryAt: ((address: string) => ServerMemory) | null,
): IdentityOf {
  return at => {
    const memory = memoryAt?.(addressesOf(at)[0] ?? '') ?? null;
    const refusalOf = (step: SignInStep): IdentityRefusal | null => {
      if (memory === null) return null;
      return identity === 'any' ? refusalOfAny(step, at) : memory.refusal(step);
    };
    const judge = (step: SignInStep): void => {
      const refusal = refusalOf(step);
      if (refusal !== null) throw new IdentityRefused(refusal, name);
    };
    return {
      chosenAddress: () => memory?.known()?.address ?? null,
      judge,
      async signedIn(step, address) {
        judge(step);
        if (memory === null || identity === 'any') return;
        const refusal = await memory.signedIn(step, address);
        if (refusal !== null) throw new IdentityRefused(refusal, name);
      },
    };
  };
}

/** A container's server may be another each time, but the password never crosses a network openly. */
function refusalOfAny({ line, method }: SignInStep, { host }: Endpoint): IdentityRefusal | null {
  const isHere = line === 'verified' || line === 'socket' || isLoopback(host ?? 'localhost');
  return method === 'reveals' && !isHere ? 'password_would_show' : null;
}
