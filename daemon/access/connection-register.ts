/** The saved connections (spec §6): finds them by id or name, saves and removes them. Never holds a password. */

import type { Connection } from './connection.ts';
import { withoutPasswords } from './credential-forms.ts';

export type DamagedConnection = Pick<Connection, 'id' | 'name'>;

export interface ConnectionStore {
  load(): Promise<readonly Connection[]>;
  /** Of what was loaded, the rows that can't be read: nobody reaches them, and they can be removed. */
  damaged?(): readonly DamagedConnection[];
  save(connection: Connection): Promise<void>;
  delete(id: string): Promise<void>;
}

type ConnectionSave = { readonly kind: 'saved' } | { readonly kind: 'name_taken'; readonly by: Connection };

export interface ConnectionRegister {
  /** By name, without regard to case. */
  list(): readonly Connection[];
  /** An id, or a name without regard to case. */
  find(idOrName: string): Connection | null;
  /** Those whose record can't be read. */
  damaged(): readonly DamagedConnection[];
  save(connection: Connection): Promise<ConnectionSave>;
  delete(id: string): Promise<boolean>;
  /** Told the id after each save or removal. */
  onChanged(listener: (id: string) => void): void;
}

export async function loadConnectionRegister(store: ConnectionStore): Promise<ConnectionRegister> {
  const byId = new Map<string, Connection>();
  const idByName = new Map<string, string>();
  const listeners: ((id: string) => void)[] = [];
  /** Null until it is asked for: every call that lists, or that names what isn't there, does. */
  let sorted: readonly Connection[] | null = null;
  // An older version took for a path, or a host, what holds a password.
  for (const connection of await store.load()) remember(withoutPasswords(connection));
  let damaged = store.damaged?.() ?? [];

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

  function changed(id: string): void {
    for (const listener of listeners) listener(id);
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

    async save(connection) {
      const holder = byId.get(idByName.get(foldName(connection.name)) ?? '');
      if (holder !== undefined && holder.id !== connection.id) return { kind: 'name_taken', by: holder };
      await store.save(connection);
      remember(connection);
      changed(connection.id);
      return { kind: 'saved' };
    },

    async delete(id) {
      if (!byId.has(id) && !damaged.some(row => row.id === id)) return false;
      // First: what a restart would undo must not show as done.
      await store.delete(id);
      damaged = damaged.filter(row => row.id !== id);
      forget(id);
      changed(id);
      return true;
    },

    onChanged: listener => void listeners.push(listener),
  };
}

/** NFC, so that two spellings of é can't be two connections. */
function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
