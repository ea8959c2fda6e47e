/**
 * Deletes removed connections for good, with their secrets, once they were kept for as long as they
 * are (spec §6): at the start and each hour.
 */

import type { ConnectionRegister } from '../access/connection-register.ts';
import { isKept } from '../access/removed-connections.ts';
import type { SecretStore } from '../access/secret-store.ts';
import { connectionSecretKinds } from '../access/secret-store.ts';

interface ExpiredRemovalsPorts {
  readonly connections: Pick<ConnectionRegister, 'removed' | 'deleteRemoved'>;
  readonly secrets: Pick<SecretStore, 'delete'>;
  /** Milliseconds since 1970; a wall clock that has jumped is not believed. */
  readonly oldBy: () => number;
  readonly report: (error: unknown) => void;
  /** For tests that can't wait. */
  readonly everyMilliseconds?: number;
}

const hour = 3_600_000;

/** @returns how to stop, once the first look is done. */
export async function deleteExpiredRemovals(ports: ExpiredRemovalsPorts): Promise<() => Promise<void>> {
  let looking = look(ports);
  await looking;
  const timer = setInterval(() => {
    looking = looking.then(() => look(ports));
  }, ports.everyMilliseconds ?? hour).unref();
  return () => {
    clearInterval(timer);
    return looking;
  };
}

/** Never rejects: what can't be deleted now is tried again at the next look. */
async function look({ connections, secrets, oldBy, report }: ExpiredRemovalsPorts): Promise<void> {
  for (const removed of connections.removed()) {
    if (isKept(removed, oldBy())) continue;
    try {
      // The record last: it says whose secrets are left.
      for (const kind of connectionSecretKinds) await secrets.delete(kind, removed.id);
      await connections.deleteRemoved(removed.id);
    } catch (error) {
      report(error);
    }
  }
}
