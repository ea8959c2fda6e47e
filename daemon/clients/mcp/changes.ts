/**
 * Decides who is told of which change (spec §4, §9): each subscriber only of what it may see. A
 * connection that is hidden from a principal before and after its change doesn't exist for it.
 */

import { principalOfToken } from '../../access/access-in-use.ts';
import type { Connection } from '../../access/connection.ts';
import { type ConnectionRegister, foldName } from '../../access/connection-register.ts';
import { effectiveAccess } from '../../access/effective-access.ts';
import type { FirstUses } from '../../access/questions/first-use.ts';
import type { Principal, TokenRecord } from '../../access/tokens/token.ts';
import { readAddress } from './resources/address.ts';

export interface Wanted {
  readonly resourcesListChanged: boolean;
  /** Exactly as the client wrote them. */
  readonly resourceSubscriptions: readonly string[];
}

/**
 * A subscriber's news: the list, and the resources that it named. Told once, whatever caused it.
 */
interface Notice {
  readonly list: boolean;
  readonly updated: readonly string[];
}

export interface Changes {
  /** @returns how to stop. */
  listen(principal: Principal, wanted: Wanted, tell: (notice: Notice) => void): () => void;
  schemaChanged(connectionId: string): void;
  tokenEdited(token: Pick<TokenRecord, 'id' | 'scope' | 'connections'>): void;
  close(): void;
}

interface ChangesPorts {
  readonly connections: Pick<ConnectionRegister, 'list' | 'find' | 'onChanged'>;
  /** For connections whose policy asks the user first. */
  readonly firstUses: Pick<FirstUses, 'isAllowed' | 'onAllowed'>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
}

/** The clock may be set, and a timer holds 24 days at most. */
const mostWaitMilliseconds = 60_000;

interface Subscriber {
  principal: Principal;
  readonly wantsList: boolean;
  readonly ofList: readonly string[];
  /** By the connection that they name, folded. */
  readonly byConnection: ReadonlyMap<string, readonly string[]>;
  readonly tell: (notice: Notice) => void;
}

export function changesOf({ connections, firstUses, now }: ChangesPorts): Changes {
  const subscribers = new Set<Subscriber>();
  /** As they were before the change. */
  const known = new Map(connections.list().map(connection => [connection.id, connection]));

  connections.onChanged(id => {
    const before = known.get(id) ?? null;
    const found = connections.find(id);
    const after = found?.id === id ? found : null;
    if (after === null) known.delete(id);
    else known.set(id, after);
    for (const subscriber of subscribers) tellOfConnection(subscriber, before, after);
    awaitEnd();
  });

  firstUses.onAllowed((principal, connectionId) => {
    const connection = known.get(connectionId) ?? null;
    for (const subscriber of subscribers)
      if (subscriber.principal.id === principal.id) tellOfConnection(subscriber, connection, connection);
  });

  /** Write access ends by the clock, and nothing else announces it. */
  let looked = now();
  let end: NodeJS.Timeout | undefined;
  function awaitEnd(): void {
    clearTimeout(end);
    const ends = [...known.values()].map(writingEnds).filter(at => at > looked);
    if (ends.length === 0) return;
    const wait = Math.max(0, Math.min(Math.min(...ends) - now(), mostWaitMilliseconds));
    end = setTimeout(tellOfEnds, wait).unref();
  }
  function tellOfEnds(): void {
    const ended = [...known.values()].filter(known => writingEnds(known) > looked && writingEnds(known) <= now());
    looked = now();
    for (const connection of ended)
      for (const subscriber of subscribers) tellOfConnection(subscriber, connection, connection);
    awaitEnd();
  }
  awaitEnd();

  function tellOfConnection(to: Subscriber, before: Connection | null, after: Connection | null): void {
    const [was, is] = [shownTo(to.principal, before), shownTo(to.principal, after)];
    if (was === null && is === null) return;
    // Each change of a connection drops its approval, and a connection that needs one is in no
    // list.
    const asked = [before, after].some(connection => connection?.aiPolicy === 'askEachTime');
    const list = to.wantsList && (was !== is || asked);
    const updated = [...to.ofList, ...urisOf(to, before), ...urisOf(to, after)];
    if (list || updated.length > 0) to.tell({ list, updated });
  }

  /** The part of a connection in the list of resources; null if it isn't listed. */
  function shownTo(principal: Principal, connection: Connection | null): string | null {
    if (connection === null || effectiveAccess(principal, connection, now()).kind === 'hidden') return null;
    return JSON.stringify([connection.name, connection.engine]);
  }

  function tellOfToken(to: Subscriber, principal: Principal): void {
    const former = { ...to };
    to.principal = principal;
    const changed = [...known.values()].filter(each => shownTo(former.principal, each) !== shownTo(principal, each));
    if (changed.length === 0) return;
    const updated = changed.flatMap(each => [...urisOf(former, each), ...urisOf(to, each)]);
    to.tell({ list: to.wantsList, updated: [...to.ofList, ...updated] });
  }

  function urisOf({ principal, byConnection }: Subscriber, connection: Connection | null): readonly string[] {
    if (connection === null || byConnection.size === 0) return [];
    const access = effectiveAccess(principal, connection, now());
    if (access.kind === 'hidden' || (access.askFirst && !firstUses.isAllowed(principal, connection.id))) return [];
    return [connection.id, foldName(connection.name)].flatMap(key => byConnection.get(key) ?? []);
  }

  return {
    listen(principal, { resourcesListChanged, resourceSubscriptions }, tell) {
      const subscriber: Subscriber = {
        principal,
        wantsList: resourcesListChanged,
        ofList: resourceSubscriptions.filter(uri => readAddress(uri)?.kind === 'connections'),
        byConnection: byConnection(resourceSubscriptions),
        tell,
      };
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    schemaChanged(connectionId) {
      const connection = known.get(connectionId) ?? null;
      for (const subscriber of subscribers) {
        const updated = urisOf(subscriber, connection);
        if (updated.length > 0) subscriber.tell({ list: false, updated });
      }
    },
    tokenEdited(token) {
      for (const subscriber of subscribers)
        if (subscriber.principal.tokenId === token.id)
          tellOfToken(subscriber, principalOfToken(subscriber.principal, token));
    },
    close: () => clearTimeout(end),
  };
}

/** Milliseconds since 1970; 0 if it doesn't end by the clock. */
function writingEnds({ externalClients }: Connection): number {
  return externalClients.writeUntil === null ? 0 : Date.parse(externalClients.writeUntil);
}

function byConnection(uris: readonly string[]): Subscriber['byConnection'] {
  const found = new Map<string, string[]>();
  for (const uri of uris) {
    const address = readAddress(uri);
    const named = address?.named.connection;
    if (named === undefined || address?.kind === 'history') continue;
    const key = foldName(named);
    found.set(key, [...(found.get(key) ?? []), uri]);
  }
  return found;
}
