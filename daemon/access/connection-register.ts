/**
 * The saved connections (spec §6): finds them by id or name, saves, removes and restores them.
 * Never holds a password.
 */

import { oneAtATime } from '../one-at-a-time.ts';
import type { Connection } from './connection.ts';
import { onlyNarrows } from './narrowed-access.ts';
import { NotKept } from './not-kept.ts';
import type { RemovedConnection } from './removed-connections.ts';

export type DamagedConnection = Pick<Connection, 'id' | 'name'>;

export interface ConnectionStore {
  load(): Promise<readonly Connection[]>;
  /** Loaded rows that can't be read: nobody reaches them, and they can be removed. */
  damaged?(): readonly DamagedConnection[];
  /** Loaded connections that were removed and are still kept. */
  removed?(): readonly RemovedConnection[];
  save(connection: Connection): Promise<void>;
  /** @param at milliseconds since 1970. */
  remove(id: string, at: number): Promise<void>;
  restore(id: string): Promise<void>;
  /** Deletes it for good. */
  delete(id: string): Promise<void>;
}

type NameTaken = { readonly kind: 'name_taken'; readonly by: Connection };
/** `left`: it was not changed. */
type ConnectionSave =
  | { readonly kind: 'saved'; readonly connection: Connection }
  | { readonly kind: 'left' }
  | NameTaken;

type ConnectionRestore =
  | { readonly kind: 'restored'; readonly connection: Connection }
  | NameTaken
  | { readonly kind: 'unknown' };

export interface ConnectionRegister {
  /** Ordered by name, ignoring case. */
  list(): readonly Connection[];
  /** By id, or by name ignoring case. */
  find(idOrName: string): Connection | null;
  /** Connections whose record can't be read. */
  damaged(): readonly DamagedConnection[];
  /**
   * Left if another change came first: what was prepared slowly must not undo what took access.
   * @param former what was changed; null for a new one.
   * @throws NotKept if it only takes access and can't be stored; it counts in this run.
   */
  save(connection: Connection, former: Connection | null): Promise<ConnectionSave>;
  /**
   * Changes what is saved at that moment; waits for the store alone.
   * @param edit returns null to leave it.
   * @throws as `save`
   */
  edit(id: string, edit: (now: Connection) => Connection | null): Promise<ConnectionSave>;
  /**
   * Hides it from everybody and keeps it. @param at milliseconds since 1970.
   * @throws NotKept if that can't be stored; then no client reaches it in this run.
   */
  remove(id: string, at: number): Promise<boolean>;
  /** Removed connections, until they are deleted for good. */
  removed(): readonly RemovedConnection[];
  restore(id: string): Promise<ConnectionRestore>;
  /** Deletes a removed connection for good. */
  deleteRemoved(id: string): Promise<void>;
  /**
   * The listener gets the id after each save, removal and restoration; and the connection, if the
   * change was to what questions show of it alone.
   */
  onChanged(listener: (id: string, shown: Connection | null) => void): void;
}

export async function loadConnectionRegister(store: ConnectionStore): Promise<ConnectionRegister> {
  const byId = new Map<string, Connection>();
  const idByName = new Map<string, string>();
  const listeners: ((id: string, shown: Connection | null) => void)[] = [];
  /** Built on demand: for calls that list, or that name an unknown connection. */
  let sorted: readonly Connection[] | null = null;
  for (const connection of await store.load()) remember(connection);
  let damaged = store.damaged?.() ?? [];
  const removed = new Map((store.removed?.() ?? []).map(row => [row.id, row]));

  function remember(connection: Connection): void {
    forget(connection.id);
    sorted = null;
    byId.set(connection.id, connection);
    idByName.set(foldName(connection.name), connection.id);
  }

  function forget(id: string): void {
    const known = byId.get(id);
    if (known === undefined) return;
    sorted = null;
    byId.delete(id);
    idByName.delete(foldName(known.name));
  }

  /** Another connection with that name. */
  function holderOf({ id, name }: Connection): Connection | undefined {
    const holder = byId.get(idByName.get(foldName(name)) ?? '');
    return holder?.id === id ? undefined : holder;
  }

  /** What is saved and what is remembered change in one order. */
  const inTurn = oneAtATime();

  async function put(connection: Connection): Promise<ConnectionSave> {
    const by = holderOf(connection);
    if (by !== undefined) return { kind: 'name_taken', by };
    const former = byId.get(connection.id);
    const narrows = former !== undefined && onlyNarrows(former, connection);
    const failed = await store.save(connection).then(
      () => null,
      (error: unknown) => {
        if (!narrows) throw error;
        return new NotKept('narrowed', error);
      },
    );
    remember(connection);
    changed(connection.id, former !== undefined && doesTheSame(former, connection) ? connection : null);
    if (failed !== null) throw failed;
    return { kind: 'saved', connection };
  }

  async function remove(id: string, at: number): Promise<boolean> {
    const row = byId.get(id) ?? damaged.find(each => each.id === id);
    if (row === undefined) return false;
    try {
      await store.remove(id, at);
    } catch (error) {
      // It stays for its person alone, who can remove it again.
      const whole = byId.get(id);
      if (whole !== undefined) remember({ ...whole, ...nothingForClients });
      changed(id);
      throw new NotKept('removed', error);
    }
    removed.set(id, { id, name: row.name, removedAt: at, connection: byId.get(id) ?? null });
    damaged = damaged.filter(each => each.id !== id);
    forget(id);
    changed(id);
    return true;
  }

  async function restore(id: string): Promise<ConnectionRestore> {
    const row = removed.get(id);
    if (row === undefined || row.connection === null) return { kind: 'unknown' };
    const { connection } = row;
    const by = holderOf(connection);
    if (by !== undefined) return { kind: 'name_taken', by };
    // Right away, so nobody deletes it for good meanwhile.
    removed.delete(id);
    try {
      await store.restore(id);
    } catch (error) {
      removed.set(id, row);
      throw error;
    }
    remember(connection);
    changed(id);
    return { kind: 'restored', connection };
  }

  function changed(id: string, shown: Connection | null = null): void {
    for (const listener of listeners) listener(id, shown);
  }

  return {
    list() {
      sorted ??= [...byId.values()]
        .map(connection => ({ connection, folded: foldName(connection.name) }))
        .sort((a, b) => compareNames(a.folded, b.folded))
        .map(({ connection }) => connection);
      return sorted;
    },

    find: idOrName => byId.get(idOrName.toLowerCase()) ?? byId.get(idByName.get(foldName(idOrName)) ?? '') ?? null,

    damaged: () => damaged,

    save: (connection, former) =>
      inTurn(async () => ((byId.get(connection.id) ?? null) === former ? put(connection) : { kind: 'left' })),

    edit: (id, edit) =>
      inTurn(async () => {
        const now = byId.get(id);
        const next = now === undefined ? null : edit(now);
        return next === null ? { kind: 'left' } : put(next);
      }),

    remove: (id, at) => inTurn(() => remove(id, at)),

    removed: () => [...removed.values()],

    restore: id => inTurn(() => restore(id)),

    async deleteRemoved(id) {
      if (!removed.has(id)) return;
      await store.delete(id);
      removed.delete(id);
    },

    onChanged: listener => void listeners.push(listener),
  };
}

const shownOnly: ReadonlySet<keyof Connection> = new Set(['name', 'colour', 'tags', 'group', 'updatedAt']);

/** True if at most its name, colour, tags or group differ. */
function doesTheSame(one: Connection, other: Connection): boolean {
  const keys = Object.keys({ ...one, ...other }) as (keyof Connection)[];
  return keys.every(key => shownOnly.has(key) || JSON.stringify(one[key]) === JSON.stringify(other[key]));
}

const nothingForClients = { externalClients: { level: 'blocked', writeUntil: null }, aiPolicy: 'never' } as const;

/** NFC, so two spellings of é aren't two connections. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
