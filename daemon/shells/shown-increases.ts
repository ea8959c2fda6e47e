/**
 * The privilege increase that each shell was last told of (spec §11), so a passphrase typed under
 * it confirms only that: meanwhile another shell may have put something else under the same name.
 * Decides nothing.
 */

import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '../access/connection.ts';
import type { ConnectionRegister } from '../access/connection-register.ts';
import type { PrivilegeIncrease } from '../access/privilege-increases/increase-words.ts';
import { keyedDigest } from './keyed-digest.ts';

/** A privilege increase, as it was found. */
export interface ClassifiedIncrease {
  readonly increase: PrivilegeIncrease;
  /** The named connections as they were; each change makes a new object. */
  readonly about: readonly (Connection | null)[];
  /** When; milliseconds since 1970. */
  readonly at: number;
}

type Shown = Pick<ClassifiedIncrease, 'about' | 'at'> & {
  readonly digest: string;
  /** For Touch ID to sign: of this one telling, and of no other request. */
  readonly challenge: string;
};

/**
 * Per shell connection; bounded, the oldest are dropped. Parameters are the checked ones, in one
 * order.
 */
export interface ShownIncreases {
  /** @returns the challenge for Touch ID to sign. */
  remember(requester: object, method: string, parameters: unknown, classified: ClassifiedIncrease): string;
  /** Null if this very request was not shown to its shell, or is done. */
  find(requester: object, method: string, parameters: unknown): Shown | null;
  isSame(shown: Shown, classified: ClassifiedIncrease): boolean;
  forget(requester: object, method: string, parameters: unknown): void;
}

/** A shell asks about one at a time; a window may have a few. */
const mostShown = 16;
/**
 * A request may be checked by the moment at which it was shown for so long; afterwards it has to be
 * shown again.
 */
const shownMilliseconds = 300_000;

export function openShownIncreases(): ShownIncreases {
  const ofShell = new WeakMap<object, Map<string, Shown>>();
  const digestOf = keyedDigest();
  return {
    remember(requester, method, parameters, { increase, about, at }) {
      const shown = ofShell.get(requester) ?? new Map<string, Shown>();
      ofShell.set(requester, shown);
      const request = digestOf([method, parameters]);
      shown.delete(request);
      const challenge = randomBytes(32).toString('base64url');
      shown.set(request, { digest: digestOf(increase), about, at, challenge });
      const [oldest = request] = shown.keys();
      if (shown.size > mostShown) shown.delete(oldest);
      return challenge;
    },
    find: (requester, method, parameters) => ofShell.get(requester)?.get(digestOf([method, parameters])) ?? null,
    isSame: (shown, { increase, about }) => shown.digest === digestOf(increase) && isAboutTheSame(shown.about, about),
    forget: (requester, method, parameters) => void ofShell.get(requester)?.delete(digestOf([method, parameters])),
  };
}

/** The moment by which such a request is checked now. */
export function momentOf({ at }: Shown, nowMilliseconds: number): number {
  return at <= nowMilliseconds && nowMilliseconds - at <= shownMilliseconds ? at : nowMilliseconds;
}

/** @param now null for what is no increase any more. */
export function isAsClassified(
  former: ClassifiedIncrease,
  now: Pick<ClassifiedIncrease, 'about'> & { readonly increase: PrivilegeIncrease | null },
): boolean {
  const { increase, about } = now;
  return isDeepStrictEqual(former.increase, increase) && isAboutTheSame(former.about, about);
}

export function namedConnections(
  parameters: object,
  connections: Pick<ConnectionRegister, 'find'>,
): (Connection | null)[] {
  // Of a pairing they stand in what it gives.
  const given = 'grant' in parameters && typeof parameters.grant === 'object' ? parameters.grant : null;
  const asked = given ?? parameters;
  const one = 'connection' in asked ? [asked.connection] : [];
  const several = 'connections' in asked && Array.isArray(asked.connections) ? asked.connections : one;
  return several.map(named => (typeof named === 'string' ? connections.find(named) : null));
}

/** Something else may have the confirmed name by now. */
function isAboutTheSame(former: ClassifiedIncrease['about'], now: ClassifiedIncrease['about']): boolean {
  return former.length === now.length && now.every((connection, i) => connection === former[i]);
}
