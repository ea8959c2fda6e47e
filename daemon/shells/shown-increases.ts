/**
 * The privilege increase that each shell was last told of (spec §11), so that a passphrase typed
 * under it confirms that and nothing else: meanwhile another shell may have put something else
 * under the same name. Judges nothing.
 */

import { createHmac, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '../access/connection.ts';
import type { ConnectionRegister } from '../access/connection-register.ts';
import type { PrivilegeIncrease } from '../access/privilege-increases/words.ts';

/** A privilege increase, as it was judged. */
export interface Judged {
  readonly increase: PrivilegeIncrease;
  /**
   * The connections that the parameters name, as they were: another object after each change to
   * one.
   */
  readonly about: readonly (Connection | null)[];
  /** When; milliseconds since 1970. */
  readonly at: number;
}

type Shown = Pick<Judged, 'about' | 'at'> & { readonly digest: string };

/**
 * Of each shell, by its connection; bounded, the oldest go. Parameters as they were checked: in one
 * order, whoever wrote them.
 */
export interface ShownIncreases {
  remember(asker: object, method: string, parameters: unknown, classified: Judged): void;
  /** Null where this very request was not shown to its shell, or is done. */
  find(asker: object, method: string, parameters: unknown): Shown | null;
  isSame(shown: Shown, classified: Judged): boolean;
  forget(asker: object, method: string, parameters: unknown): void;
}

/** A shell asks its person about one at a time; a window may have a few. */
const mostShown = 16;
/**
 * What opens until a moment is of the moment that was shown; after as long it is to be shown anew.
 */
const shownMilliseconds = 300_000;

export function openShownIncreases(): ShownIncreases {
  const ofShell = new WeakMap<object, Map<string, Shown>>();
  // What is asked may be long, and may hold a password: no text of it stays, nor what one could be
  // guessed by.
  const key = randomBytes(32);
  const digestOf = (value: unknown): string => createHmac('sha256', key).update(JSON.stringify(value)).digest('base64');
  return {
    remember(asker, method, parameters, { increase, about, at }) {
      const shown = ofShell.get(asker) ?? new Map<string, Shown>();
      ofShell.set(asker, shown);
      const request = digestOf([method, parameters]);
      shown.delete(request);
      shown.set(request, { digest: digestOf(increase), about, at });
      const [oldest = request] = shown.keys();
      if (shown.size > mostShown) shown.delete(oldest);
    },
    find: (asker, method, parameters) => ofShell.get(asker)?.get(digestOf([method, parameters])) ?? null,
    isSame: (shown, { increase, about }) => shown.digest === digestOf(increase) && isAboutTheSame(shown.about, about),
    forget: (asker, method, parameters) => void ofShell.get(asker)?.delete(digestOf([method, parameters])),
  };
}

/** As of when such a request is judged now. */
export function momentOf({ at }: Shown, nowMilliseconds: number): number {
  return at <= nowMilliseconds && nowMilliseconds - at <= shownMilliseconds ? at : nowMilliseconds;
}

export function isAsClassified(former: Judged, { increase, about }: Judged): boolean {
  return isDeepStrictEqual(former.increase, increase) && isAboutTheSame(former.about, about);
}

export function namedConnections(
  parameters: object,
  connections: Pick<ConnectionRegister, 'find'>,
): (Connection | null)[] {
  const one = 'connection' in parameters ? [parameters.connection] : [];
  const several = 'connections' in parameters && Array.isArray(parameters.connections) ? parameters.connections : one;
  return several.map(named => (typeof named === 'string' ? connections.find(named) : null));
}

/** Under a name that was confirmed may stand something else by now. */
function isAboutTheSame(former: Judged['about'], now: Judged['about']): boolean {
  return former.length === now.length && now.every((connection, i) => connection === former[i]);
}
