/**
 * The draft of a connection that each shell tested last, and what its servers showed (spec §6). If
 * the same shell saves just that, the person's test counts for the saved connection.
 */

import type { Endpoint } from '../access/connection.ts';
import type { ServerShown } from '../access/known-servers.ts';
import { comparableEndpoint } from './commands/connection-change.ts';
import { keyedDigest } from './keyed-digest.ts';

export interface TestedDrafts {
  /** @param secrets that the draft brings itself, the password among them. */
  remember(requester: object, draft: Endpoint, secrets: unknown, shown: readonly ServerShown[]): void;
  /** Once; none if what the shell tested last was another place or had other secrets. */
  take(requester: object, saved: Endpoint, secrets: unknown): readonly ServerShown[];
}

export function openTestedDrafts(): TestedDrafts {
  const ofShell = new WeakMap<object, { readonly digest: string; readonly shown: readonly ServerShown[] }>();
  const digestOf = keyedDigest();
  return {
    remember: (requester, draft, secrets, shown) =>
      void ofShell.set(requester, { digest: digestOf([comparableEndpoint(draft), secrets]), shown }),
    take(requester, saved, secrets) {
      const last = ofShell.get(requester);
      ofShell.delete(requester);
      return last?.digest === digestOf([comparableEndpoint(saved), secrets]) ? last.shown : [];
    },
  };
}
