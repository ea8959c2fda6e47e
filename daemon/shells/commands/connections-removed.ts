/** `connections.delete`, `removed` and `restore`: a connection goes out of everybody's sight at once, and can be brought back for some days. */

import * as z from 'zod';
import type { RemovedConnectionView } from '../../../shared/control-commands.ts';
import { foldName } from '../../access/connection-register.ts';
import { keptUntil, type RestorableConnection, restorable } from '../../access/removed-connections.ts';
import { type CommandOutcome, command, done, refused } from '../command.ts';
import type { CommandPorts } from '../ports.ts';
import { connectionView, named, unknownConnection } from './connection-view.ts';
import { pageFrom } from './page.ts';
import { namedConnection } from './shapes.ts';

/** Out of reach first, then its sessions. Its secrets stay with its record. */
export const deleteConnection = command<'connections.delete'>(
  namedConnection,
  ({ connection: asked }, { ports, changes }) =>
    changes(async () => {
      const whole = ports.connections.find(asked);
      const connection = whole ?? ports.connections.damaged().find(({ id, name }) => id === asked || name === asked);
      if (connection === undefined) return refused(unknownConnection(asked));
      const { id, name } = connection;
      const removedAt = ports.oldBy();
      await ports.connections.remove(id, removedAt);
      await ports.databases.forget(id);
      return done({ id, name, keptUntil: whole === null ? null : instant(keptUntil({ removedAt })) });
    }),
);

export const listRemoved = command<'connections.removed'>(
  z.strictObject({ from: z.number().int().min(0).optional() }),
  ({ from = 0 }, { ports }) => {
    const { views, next } = pageFrom(allRestorable(ports), from, one => removedView(one, ports.now()));
    return done({ removed: views, next });
  },
);

export const restoreConnection = command<'connections.restore'>(
  namedConnection,
  ({ connection: asked }, { ports, changes }) =>
    changes(async () => {
      const found = restorableNamed(asked, ports);
      if (found.kind === 'refused') return found;
      const restored = await ports.connections.restore(found.result.id);
      switch (restored.kind) {
        case 'unknown':
          return refused(notRemoved(asked));
        case 'name_taken':
          return refused(nameTaken(restored.by.name));
        case 'restored':
          return done(connectionView(restored.connection, ports.now()));
      }
    }),
);

/** By its id, or by a name that one alone has; refused also where a connection in use has that name. */
export function restorableNamed(
  asked: string,
  ports: Pick<CommandPorts, 'connections' | 'oldBy'>,
): CommandOutcome<RestorableConnection> {
  const all = allRestorable(ports);
  const byId = all.filter(({ id }) => id === asked.toLowerCase());
  const found = byId.length > 0 ? byId : all.filter(({ name }) => foldName(name) === foldName(asked));
  const [one, ...others] = found;
  if (one === undefined) return refused(notRemoved(asked));
  if (others.length > 0) return refused(severalRemoved(one.name, found));
  const holder = ports.connections.find(one.name);
  return holder === null ? done(one) : refused(nameTaken(holder.name));
}

function allRestorable({ connections, oldBy }: Pick<CommandPorts, 'connections' | 'oldBy'>) {
  return restorable(connections.removed(), oldBy());
}

function removedView(removed: RestorableConnection, nowMilliseconds: number): RemovedConnectionView {
  return {
    connection: connectionView(removed.connection, nowMilliseconds),
    removedAt: instant(removed.removedAt),
    keptUntil: instant(keptUntil(removed)),
  };
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function notRemoved(asked: string): string {
  return `No connection ${named(asked)} was removed in the last seven days; \`sallyport connections restore\` lists those that were.`;
}

function severalRemoved(name: string, removed: readonly RestorableConnection[]): string {
  const ids = removed.slice(0, mostIds).map(({ id }) => id);
  const more = removed.length > ids.length ? `, and ${removed.length - ids.length} more` : '';
  return `${removed.length} removed connections were called ${JSON.stringify(name)}; name one by its id: ${ids.join(', ')}${more}.`;
}

/** A sentence that a person reads. */
const mostIds = 5;

function nameTaken(name: string): string {
  return `There is another connection ${JSON.stringify(name)} by now; rename that one, then restore this one.`;
}
