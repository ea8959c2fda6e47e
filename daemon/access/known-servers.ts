/**
 * What servers have shown at sign-ins, by connection and place (spec §6): like ssh's known_hosts,
 * but no connection learns from another, since anybody's server knows anybody's own password.
 * Decides by `server-identity.ts`; the store and the words are elsewhere.
 */

import { hostsIn, hostsText, namesSocketFile } from '../../shared/server-hosts.ts';
import { tunnelText } from '../../shared/ssh-hop.ts';
import type { Connection } from './connection.ts';
import {
  type IdentityRefusal,
  type KnownServer,
  knownAfter,
  proofOf,
  refusalOfStep,
  type ServerProof,
  type SignInStep,
} from './server-identity.ts';

export interface KnownServerStore {
  load(): Promise<ReadonlyMap<string, KnownServer>>;
  keep(place: string, known: KnownServer): Promise<void>;
  forget(places: readonly string[]): Promise<void>;
}

/** One server of a connection, as its adapter asks. */
export interface ServerMemory {
  readonly known: () => KnownServer | null;
  /** True if a key that is shown now would be kept. */
  readonly wantsKey: () => boolean;
  /** Before anything that depends on the password leaves. */
  refusal(step: SignInStep): IdentityRefusal | null;
  /**
   * Once the server has accepted us.
   * @param address what `localhost` was dialled as; null for any other host.
   * @returns why the session must not be used, or null. Rejects if the store can't be written.
   */
  signedIn(step: SignInStep, address: string | null): Promise<IdentityRefusal | null>;
}

/** What one server of a connection has shown; `server` is its address as shown to people. */
export interface ServerShown extends KnownServer {
  readonly server: string;
  readonly proof: ServerProof;
}

export interface Happenings {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * A server was met for the first time.
   * @param dialled as in `signedIn`.
   */
  readonly met?: (connection: Connection, server: string, dialled: string | null) => void;
}

export interface KnownServers {
  /** @param address as `addressesOf` gives them. */
  at(connection: Connection, address: string): ServerMemory;
  /** While `work` runs, a person looks at this connection, and what its servers show is kept. */
  whilePinning<T>(connectionId: string, work: () => Promise<T>): Promise<T>;
  /** What is known of each server of the connection; nothing if it may be any server. */
  of(connection: Connection): readonly ServerShown[];
  /**
   * A connection is saved as a person has tested it: what its servers showed then counts, unless
   * they are known. Rejects if the store can't be written.
   */
  take(shown: readonly ServerShown[], connection: Connection): Promise<void>;
  forget(connection: Connection): Promise<void>;
}

type Place = Pick<Connection, 'id' | 'serversOf' | 'engine' | 'host' | 'port' | 'socketPath' | 'tunnel' | 'user'>;

export async function openKnownServers(
  store: KnownServerStore,
  { now, met = () => {} }: Happenings,
): Promise<KnownServers> {
  const places = new Map(await store.load());
  const pinning = new Map<string, number>();

  return {
    at(connection, address) {
      const place = placeOf(connection, address);
      const isTlsWished = connection.tls.mode !== 'disable';
      const mayPin = () => pinning.has(connection.id);
      const known = () => places.get(place) ?? null;
      const refusal = (step: SignInStep) => refusalOfStep(known(), step, mayPin(), isTlsWished);
      return {
        known,
        wantsKey: () => known() === null && mayPin(),
        refusal,
        async signedIn(step, dialled) {
          const refused = refusal(step);
          if (refused !== null) return refused;
          const before = known();
          const after = knownAfter(before, step, mayPin(), dialled, new Date(now()).toISOString());
          if (JSON.stringify(after) === JSON.stringify(before)) return null;
          places.set(place, after);
          await store.keep(place, after);
          if (before === null) met(connection, address, dialled);
          return null;
        },
      };
    },

    async whilePinning(id, work) {
      pinning.set(id, (pinning.get(id) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (pinning.get(id) ?? 1) - 1;
        if (left === 0) pinning.delete(id);
        else pinning.set(id, left);
      }
    },

    of(connection) {
      if (connection.identity === 'any' || connection.password.kind === 'none') return [];
      return addressesOf(connection).flatMap(server => {
        const known = places.get(placeOf(connection, server));
        if (known === undefined) return [];
        return { server, proof: proofOf(known, connection.socketPath !== null, connection.tls), ...known };
      });
    },

    async take(shown, connection) {
      for (const { server, proof: _, ...known } of shown) {
        const place = placeOf(connection, server);
        if (places.has(place)) continue;
        places.set(place, known);
        await store.keep(place, known);
      }
    },

    async forget(connection) {
      const gone = addressesOf(connection).map(address => placeOf(connection, address));
      for (const place of gone) places.delete(place);
      await store.forget(gone);
    },
  };
}

/**
 * The socket's file, or its folder with the port that names the file in it; or each `host:port`. A
 * missing port is left out.
 */
export function addressesOf({
  host,
  port,
  socketPath,
}: Pick<Place, 'host' | 'port' | 'socketPath'>): readonly string[] {
  if (socketPath !== null) return [port === null || namesSocketFile(socketPath) ? socketPath : `${socketPath}:${port}`];
  const hosts = hostsIn(host ?? 'localhost') ?? [];
  return hosts.map(one => hostsText([{ host: one.host.toLowerCase(), port: one.port ?? port }]));
}

function placeOf({ id, serversOf = id, engine, tunnel, user }: Place, address: string): string {
  return JSON.stringify([serversOf, engine, address, tunnel === undefined ? null : tunnelText(tunnel), user]);
}
