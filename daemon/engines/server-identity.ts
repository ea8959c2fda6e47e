/**
 * The adapters' view of what a server has shown before (spec §6), and the sentences of its
 * refusals. The rules are in `access/server-identity.ts`.
 */

import type { DialProblem } from '../../shared/dial-problems.ts';
import type { Endpoint } from '../access/connection.ts';
import { addressesOf, type ServerMemory } from '../access/known-servers.ts';
import type { IdentityRefusal, SignInStep } from '../access/server-identity.ts';
import { DialError } from './dial-error.ts';
import { isLoopback } from './server-socket.ts';

/** Of one server of the connection. */
export interface ServerIdentity {
  /** The address that `localhost` was saved with; null for none yet. */
  chosenAddress(): string | null;
  /** True if a key that is shown now would be kept, so it is worth asking for. */
  wantsKey(): boolean;
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
export class IdentityRefused extends DialError {
  readonly reason: IdentityRefusal;

  constructor(reason: IdentityRefusal) {
    super(identitySentences[reason], reason in problems ? problems[reason] : 'server_changed');
    this.name = 'IdentityRefused';
    this.reason = reason;
  }
}

const another = ', so somebody else may answer in its place';

/** Clients read them, so what a person can do is said elsewhere (shells/dial-advice.ts). */
export const identitySentences: Readonly<Record<IdentityRefusal, string>> = {
  password_would_show: 'the server asks for the password itself, and nothing proves who would read it',
  not_tested: 'nobody has tested this connection yet, and its server lets in without a proof',
  unknown_key: 'the server asks for the password itself, with a key that nobody has confirmed',
  another_key: `the server has another key than before${another}`,
  another_owner: `the socket belongs to another user than before${another}`,
  tls_gone: `the server had TLS before and has none now${another}`,
  binding_gone: `the server no longer proves that it is the other end of the TLS line${another}`,
  weaker_method: `the server asks for a weaker sign-in than before${another}`,
  relayed: 'somebody is between: the server proved another TLS certificate than the one shown here',
  asks_nothing: `the server asked for the password before and no longer does${another}`,
};

const problems: Readonly<Partial<Record<IdentityRefusal, DialProblem | null>>> = {
  password_would_show: 'server_unproved',
  not_tested: 'server_untested',
  // Nobody is advised to trust who is between.
  relayed: null,
};

/** @param memoryAt null without a saved password: there is nothing to show. */
export function identityOf(
  { identity }: { readonly identity?: 'any' | undefined },
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
      if (refusal !== null) throw new IdentityRefused(refusal);
    };
    return {
      chosenAddress: () => memory?.known()?.address ?? null,
      wantsKey: () => identity !== 'any' && memory?.wantsKey() === true,
      judge,
      async signedIn(step, address) {
        judge(step);
        if (memory === null || identity === 'any') return;
        const refusal = await memory.signedIn(step, address);
        if (refusal !== null) throw new IdentityRefused(refusal);
      },
    };
  };
}

/** It may be another each time, but the password never crosses a network openly. */
function refusalOfAny({ line, method }: SignInStep, { host }: Endpoint): IdentityRefusal | null {
  const isHere = line === 'verified' || line === 'socket' || isLoopback(host ?? 'localhost');
  return method === 'reveals' && !isHere ? 'password_would_show' : null;
}
