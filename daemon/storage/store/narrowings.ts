/**
 * Keeps what was last taken from a connection, in the reserve too (spec §1). Otherwise a store that
 * lost its write-ahead log, or an older copy of it, would give that access back to clients.
 */

import type { Connection } from '../../access/connection.ts';
import type { ConnectionStore } from '../../access/connection-register.ts';
import { atMost, isUnlimited, type NarrowedAccess, narrowedTo, onlyNarrows } from '../../access/narrowed-access.ts';
import type { RemovedConnection } from '../../access/removed-connections.ts';
import type { StoreReserve } from './reserve.ts';

/** The newest ones; each takes some 120 bytes of a slot. */
const mostNarrowed = 200;

export function narrowedBy(
  reserve: StoreReserve,
  store: ConnectionStore,
  {
    report,
    tookBack,
  }: {
    readonly report: (error: unknown) => void;
    /** Called for each connection to which the store gave clients more than the reserve allows. */
    readonly tookBack: (connection: Connection) => void;
  },
): ConnectionStore {
  const known = new Map<string, Connection>();
  const removedAgain: RemovedConnection[] = [];

  const heldOf = (id: string): NarrowedAccess | undefined => reserve.held().narrowed.find(each => each.id === id);

  /** @throws if it can't be written. */
  function hold(narrowed: NarrowedAccess): void {
    const others = reserve.held().narrowed.filter(({ id }) => id !== narrowed.id);
    reserve.hold({ narrowed: [...others, ...(isUnlimited(narrowed) ? [] : [narrowed])].slice(-mostNarrowed) });
  }

  /** The store has it already: a reserve that can't take it is only reported. */
  function holdIfPossible(narrowed: NarrowedAccess): void {
    try {
      hold(narrowed);
    } catch (error) {
      report(error);
    }
  }

  /** @throws the store's error if the reserve can't take it either. */
  function holdOr(narrowed: NarrowedAccess, failed: unknown): void {
    try {
      hold({ ...narrowed, isUnstored: true });
    } catch {
      throw failed;
    }
  }

  /**
   * Giving more is held in the reserve before it is saved: the next start takes the lesser of both.
   * @throws if either can't be written: then neither gives more.
   */
  async function lift(held: NarrowedAccess, next: NarrowedAccess, save: () => Promise<void>): Promise<void> {
    // Until it is saved, the store may lack what `held` or `next` takes, though nobody edited it.
    hold({ ...next, isUnstored: true });
    try {
      await save();
    } catch (error) {
      holdIfPossible(held);
      throw error;
    }
    holdIfPossible(next);
  }

  async function asHeld(connection: Connection): Promise<readonly Connection[]> {
    const held = heldOf(connection.id);
    if (held === undefined) return [connection];
    const { id, name } = connection;
    if (held.removedAt !== null) {
      removedAgain.push({ id, name, removedAt: held.removedAt, connection });
      await settle(held, connection, store.remove(id, held.removedAt));
      return [];
    }
    const narrowed = atMost(connection, held);
    if (narrowed === connection) return [connection];
    await settle(held, connection, store.save(narrowed));
    return [narrowed];
  }

  /** Tells of it, unless the store merely had no room when it was taken. */
  async function settle(held: NarrowedAccess, connection: Connection, stored: Promise<void>): Promise<void> {
    if (held.isUnstored !== true) tookBack(connection);
    await stored.then(() => holdIfPossible({ ...held, isUnstored: undefined }), report);
  }

  return {
    async load() {
      const loaded: Connection[] = [];
      for (const connection of await store.load()) loaded.push(...(await asHeld(connection)));
      for (const connection of loaded) known.set(connection.id, connection);
      return loaded;
    },
    damaged: () => store.damaged?.() ?? [],
    removed: () => [...(store.removed?.() ?? []), ...removedAgain],
    async save(connection) {
      const { id } = connection;
      const former = known.get(id);
      const next = narrowedTo(connection);
      const held = heldOf(id);
      const narrows = former !== undefined && onlyNarrows(former, connection);
      const save = (): Promise<void> => store.save(connection);
      try {
        if (held === undefined || atMost(connection, held) === connection) {
          await save();
          if (held !== undefined || (former !== undefined && atMost(former, next) !== former)) holdIfPossible(next);
        } else await lift(held, next, save);
      } catch (error) {
        // The reserve alone is enough: the next start takes the lesser of both.
        if (!narrows) throw error;
        holdOr(next, error);
        known.set(id, connection);
        return;
      }
      known.set(id, connection);
    },
    async remove(id, at) {
      const connection = known.get(id);
      const before = heldOf(id) ?? (connection === undefined ? nothingOf(id) : narrowedTo(connection));
      const removed = { ...before, removedAt: at, isUnstored: undefined };
      await store.remove(id, at).then(
        () => holdIfPossible(removed),
        (error: unknown) => holdOr(removed, error),
      );
    },
    async restore(id) {
      const held = heldOf(id);
      const restore = (): Promise<void> => store.restore(id);
      await (held === undefined ? restore() : lift(held, { ...held, removedAt: null }, restore));
      const removed = [...(store.removed?.() ?? []), ...removedAgain].find(each => each.id === id)?.connection;
      if (removed) known.set(id, removed);
    },
    delete: id => store.delete(id),
  };
}

/** What a connection lets clients do if its record can't be read: nothing. */
function nothingOf(id: string): NarrowedAccess {
  return { id, level: 'blocked', writeUntil: null, aiPolicy: 'never', removedAt: null };
}
