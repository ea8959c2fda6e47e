/**
 * Deletes removed connections and their secrets for good once their time is over (spec §6): at the
 * start and each hour.
 */

import type { ConnectionRegister } from '../access/connection-register.ts';
import { isKept } from '../access/removed-connections.ts';
import type { SecretStore } from '../access/secret-store.ts';
import { connectionSecretKinds } from '../access/secret-store.ts';

interface ExpiredRemovalsPorts {
  readonly connections: Pick<ConnectionRegister, 'removed' | 'deleteRemoved'>;
  readonly secrets: Pick<SecretStore, 'delete'>;
  /** Milliseconds since 1970, by a clock that doesn't believe jumps. */
  readonly retentionNow: () => number;
  readonly report: (error: unknown) => void;
  /** Tests pass a shorter time. */
  readonly everyMilliseconds?: number;
}

const hour = 3_600_000;

/** Resolves after the first look. @returns how to stop. */
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
async function look({ connections, secrets, retentionNow, report }: ExpiredRemovalsPorts): Promise<void> {
  for (const removed of connections.removed()) {
    if (isKept(removed, retentionNow())) continue;
    try {
      // The record goes last: it says whose secrets are left.
      for (const kind of connectionSecretKinds) await secrets.delete(kind, removed.id);
      await connections.deleteRemoved(removed.id);
    } catch (error) {
      report(error);
    }
  }
}
