/**
 * `connections.delete`, `removed` and `restore`: a removed connection disappears for everybody at
 * once, and can be restored for some days.
 */

import { foldName } from '../../access/connection-register.ts';
import { restoreIncrease } from '../../access/privilege-increases/restore-increase.ts';
import { keptUntil, type RestorableConnection, restorable } from '../../access/removed-connections.ts';
import { noStanding } from '../../access/standing/standing.ts';
import { type CommandOutcome, command, done, looks, refused } from '../command.ts';
import {
  connectionView,
  deletedConnection,
  type RemovedConnectionView,
  removedConnectionPage,
} from '../messages/connections.ts';
import type { CommandPorts } from '../ports.ts';
import { named, repeatable, standingOf, unknownConnection, viewOfConnection } from './connection-view.ts';
import { pageFrom } from './page.ts';
import { fromPlace, namedConnection } from './shapes.ts';

/**
 * First nobody can reach it, then its sessions end. Its secrets stay with its record. It can be
 * restored until `keptUntil` (ISO 8601); null if its record can't be read: then it can't be
 * restored.
 */
export const connectionsDelete = command('connections.delete', {
  shape: namedConnection,
  result: deletedConnection,
  brake: true,
  privilegeIncrease: 'never',
  records: {
    action: 'connection.delete',
    // One that comes back in a stopped store is unknown to the log.
    done: ({ id, name }) => ({ connection: { id, name }, reason: 'removed', standing: noStanding }),
  },
  // It waits for no other change, which may wait for a keychain or a server.
  run: async ({ connection: asked }, { ports }) => {
    const whole = ports.connections.find(asked);
    const connection = whole ?? ports.connections.damaged().find(({ id, name }) => id === asked || name === asked);
    if (connection === undefined) return unknownConnection(asked);
    const { id, name } = connection;
    const removedAt = ports.retentionNow();
    await ports.connections.remove(id, removedAt);
    await ports.databases.forget(id);
    return done({ id, name, keptUntil: whole === null ? null : instant(keptUntil({ removedAt })) });
  },
});

/** Connections that can be restored, removed last first; in pages as `connections.list`. */
export const connectionsRemoved = command('connections.removed', {
  shape: fromPlace,
  result: removedConnectionPage,
  ...looks,
  run: ({ from = 0 }, { ports }) => {
    const { views, next } = pageFrom(allRestorable(ports), from, one => removedView(one, ports));
    return done({ removed: views, next });
  },
});

/** Restores a removed one as it was. */
export const connectionsRestore = command('connections.restore', {
  shape: namedConnection,
  result: connectionView,
  privilegeIncrease: ({ connection }, { ports, at }) => {
    const found = restorableNamed(connection, ports);
    return found.kind === 'refused' ? null : restoreIncrease(found.result, at);
  },
  records: {
    action: 'connection.restore',
    done: ({ id, name }, _, ports) => ({ connection: { id, name }, ...standingOf(id, ports) }),
  },
  run: ({ connection: asked }, { ports, changes, confirmedBy }) =>
    changes(async () => {
      const found = restorableNamed(asked, ports);
      if (found.kind === 'refused') return found;
      // It was removed only after this was judged.
      if (confirmedBy === null) return refused('changed_since', changedMeanwhile(found.result.name));
      const restored = await ports.connections.restore(found.result.id);
      switch (restored.kind) {
        case 'unknown':
          return notRemoved(asked);
        case 'name_taken':
          return nameTaken(restored.by.name);
        case 'restored':
          return done(viewOfConnection(restored.connection, ports));
      }
    }),
});

/** Finds one by its id, or by a unique name. Refused if a connection in use has that name. */
function restorableNamed(
  asked: string,
  ports: Pick<CommandPorts, 'connections' | 'retentionNow'>,
): CommandOutcome<RestorableConnection> {
  const all = allRestorable(ports);
  const byId = all.filter(({ id }) => id === asked.toLowerCase());
  const found = byId.length > 0 ? byId : all.filter(({ name }) => foldName(name) === foldName(asked));
  const [one, ...others] = found;
  if (one === undefined) return notRemoved(asked);
  if (others.length > 0) return severalRemoved(one.name, found);
  const holder = ports.connections.find(one.name);
  return holder === null ? done(one) : nameTaken(holder.name);
}

function allRestorable({ connections, retentionNow }: Pick<CommandPorts, 'connections' | 'retentionNow'>) {
  return restorable(connections.removed(), retentionNow());
}

function removedView(
  removed: RestorableConnection,
  ports: Parameters<typeof viewOfConnection>[1],
): RemovedConnectionView {
  return {
    connection: viewOfConnection(removed.connection, ports),
    removedAt: instant(removed.removedAt),
    keptUntil: instant(keptUntil(removed)),
  };
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function notRemoved(asked: string): CommandOutcome<never> {
  const sentence = `No connection ${named(asked)} was removed in the last seven days; \`sallyport connections restore\` lists those that were.`;
  return refused('not_removed', sentence, { connection: repeatable(asked) });
}

function severalRemoved(name: string, removed: readonly RestorableConnection[]): CommandOutcome<never> {
  const ids = removed.slice(0, mostIds).map(({ id }) => id);
  const more = removed.length > ids.length ? `, and ${removed.length - ids.length} more` : '';
  const sentence = `${removed.length} removed connections were called ${JSON.stringify(name)}; name one by its id: ${ids.join(', ')}${more}.`;
  return refused('several_removed', sentence, { connection: name });
}

/** A person reads the sentence. */
const mostIds = 5;

function changedMeanwhile(name: string): string {
  return `The connection ${JSON.stringify(name)} has changed meanwhile, so nothing was restored; try again.`;
}

function nameTaken(name: string): CommandOutcome<never> {
  const sentence = `There is another connection ${JSON.stringify(name)} by now; rename that one, then restore this one.`;
  return refused('name_taken', sentence, { connection: name });
}
