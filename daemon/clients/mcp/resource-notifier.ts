/**
 * Decides who is told that the list of resources changed (spec §4): each subscriber only of what it
 * may see. A connection that is hidden from a principal before and after its change doesn't exist
 * for it.
 */

import { principalOfToken } from '../../access/access-in-use.ts';
import type { Connection } from '../../access/connection.ts';
import type { ConnectionRegister } from '../../access/connection-register.ts';
import { effectiveAccess } from '../../access/effective-access.ts';
import type { FirstUses } from '../../access/questions/first-use.ts';
import type { AccessRequests } from '../../access/requests/access-requests.ts';
import { accountOf, type Principal, type TokenRecord } from '../../access/tokens/token.ts';

export interface ResourceNotifier {
  /** @param tell called after each change. @returns how to stop. */
  listen(listener: Listener, tell: () => void): () => void;
  tokenEdited(token: Pick<TokenRecord, 'id' | 'scope' | 'connections'>): void;
}

export interface Listener {
  readonly principal: Principal;
  /** The client's own name for itself. */
  readonly client: string;
}

interface NotifierPorts {
  readonly connections: Pick<ConnectionRegister, 'list' | 'find' | 'onChanged'>;
  /** For connections whose policy asks the user first. */
  readonly firstUses: Pick<FirstUses, 'onAllowed'>;
  readonly accessRequests: Pick<AccessRequests, 'onAnswered'>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
}

interface Subscriber extends Listener {
  principal: Principal;
  readonly tell: () => void;
}

export function openResourceNotifier({ connections, firstUses, accessRequests, now }: NotifierPorts): ResourceNotifier {
  const subscribers = new Set<Subscriber>();
  /** As they were before the change. */
  const known = new Map(connections.list().map(connection => [connection.id, connection]));

  connections.onChanged(id => {
    const before = known.get(id) ?? null;
    const found = connections.find(id);
    const after = found?.id === id ? found : null;
    if (after === null) known.delete(id);
    else known.set(id, after);
    // Each change of a connection drops its approval, and one that needs an approval is in no list.
    const asked = [before, after].some(connection => connection?.aiPolicy === 'askEachTime');
    for (const { principal, tell } of subscribers) {
      const [was, is] = [shownTo(principal, before), shownTo(principal, after)];
      if (was !== is || (asked && is !== null)) tell();
    }
  });

  firstUses.onAllowed((principal, connectionId) => {
    const connection = known.get(connectionId) ?? null;
    for (const subscriber of subscribers)
      if (subscriber.principal.id === principal.id && shownTo(subscriber.principal, connection) !== null)
        subscriber.tell();
  });

  accessRequests.onAnswered(({ facts: { principal, client, connectionId } }) => {
    const connection = known.get(connectionId) ?? null;
    for (const subscriber of subscribers)
      if (
        subscriber.client === client &&
        accountOf(subscriber.principal) === accountOf(principal) &&
        shownTo(subscriber.principal, connection) !== null
      )
        subscriber.tell();
  });

  /** The part of a connection in the list of resources; null if it isn't listed. */
  function shownTo(principal: Principal, connection: Connection | null): string | null {
    if (connection === null || effectiveAccess(principal, connection, now()).kind === 'hidden') return null;
    return JSON.stringify([connection.name, connection.engine]);
  }

  return {
    listen(listener, tell) {
      const subscriber: Subscriber = { ...listener, tell };
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    tokenEdited(token) {
      for (const subscriber of subscribers) {
        if (subscriber.principal.tokenId !== token.id) continue;
        const former = subscriber.principal;
        subscriber.principal = principalOfToken(former, token);
        const isOther = (each: Connection) => shownTo(former, each) !== shownTo(subscriber.principal, each);
        if ([...known.values()].some(isOther)) subscriber.tell();
      }
    },
  };
}
