/**
 * `connections.try`: dials a draft (a new connection, or changes to a saved one) and saves nothing.
 * A kept secret goes only to the place that it was kept for; anywhere else needs the owner's
 * confirmation.
 */

import type { Connection } from '../../access/connection.ts';
import { type ConnectionSecretKind, connectionSecretKinds, hasSecret } from '../../access/secret-store.ts';
import { type CommandContext, command, done, looking } from '../command.ts';
import { connectionTestResult } from '../messages/connections.ts';
import { type ConnectionSaveParams, connectionFields } from './connection-fields.ts';
import { heldBy, type Opened, testConnection, tested } from './connections.ts';
import { tryIncrease } from './connections-increase.ts';
import { checkedChange, heldToFiles, namedIn, secretsIn } from './connections-save.ts';
import { type Held, readNow } from './held-to.ts';
import { fingerprint } from './shapes.ts';

const draftFields = connectionFields.omit({ create: true }).extend({ hostKey: fingerprint.optional() });

export const connectionsTry = command('connections.try', {
  shape: draftFields,
  result: connectionTestResult,
  privilegeIncrease: ({ hostKey: _, ...asked }, context) => {
    const { ports, at } = context;
    const judge = (held?: Held) => {
      const former = asked.connection === undefined ? null : ports.connections.find(asked.connection);
      return former === null && asked.connection !== undefined ? null : tryIncrease(former, asked, at, held);
    };
    return readNow(namedIn(asked), context)?.then(judge) ?? judge();
  },
  records: {
    action: 'connection.test',
    done: (result, { connection }, { connections }) => {
      const { reachable, name } = result;
      const saved = connection === undefined ? null : connections.find(connection);
      return {
        connection: saved && { id: saved.id, name: saved.name },
        reason: [
          saved === null ? `${name}, which is not saved` : 'with changes that are not saved',
          ...(reachable ? heldBy(result) : ["it can't be reached"]),
        ].join('; '),
        ...(!reachable && { outcome: 'error' }),
      };
    },
  },
  refuses: async ({ hostKey: _, ...asked }, context) => {
    const checked = await checkedChange(asked, context);
    return checked.kind === 'refused' ? checked : null;
  },
  run: async ({ hostKey = null, ...asked }, context) => {
    const checked = await checkedChange(asked, context);
    if (checked.kind === 'refused') return checked;
    const { former, connection } = checked.result;
    if (former !== null && former.revision === connection.revision)
      return looking(testConnection(former, hostKey, context).then(done));
    const { ports } = context;
    const isLent = former !== null && asked.password?.kind !== 'stored';
    // An id of its own, so the saved connection's tunnel stays; and its known servers, unless they
    // are to get its password.
    const draft: Connection = {
      ...(await heldToFiles(connection, context)),
      id: ports.newId(),
      ...(isLent && { serversOf: former.id }),
    };
    const opening = openDraft(former, draft, asked, hostKey, context);
    // The secrets must be the judged ones; only a command of the person may take its time.
    if (draft.password.kind !== 'command') await opening.catch(() => {});
    return looking(
      tested(draft, () => opening, context)
        .then(result => {
          if (result.reachable && !isLent)
            context.testedDrafts.remember(context.requester, draft, secretsIn(asked), ports.knownServers.of(draft));
          return done(result);
        })
        .finally(async () => {
          await ports.databases.forget(draft.id);
          if (!isLent) await ports.knownServers.forget(draft);
        }),
    );
  },
});

async function openDraft(
  former: Connection | null,
  draft: Connection,
  asked: ConnectionSaveParams,
  hostKey: string | null,
  { ports }: CommandContext,
): Promise<Opened> {
  const secrets = new Map<ConnectionSecretKind, string | null>();
  for (const { kind, value } of secretsIn(asked)) secrets.set(kind, value);
  for (const kind of connectionSecretKinds) {
    if (secrets.has(kind) || former === null || !hasSecret(kind, draft) || !hasSecret(kind, former)) continue;
    secrets.set(kind, kind === 'password' ? await ports.passwordOf(former) : await ports.secretOf(kind, former));
  }
  if (draft.password.kind === 'command') secrets.set('password', await ports.passwordOf(draft));
  const password = secrets.get('password') ?? undefined;
  const database = ports.databases.tryOut(draft, password, async kind => secrets.get(kind) ?? null);
  // After tryOut, which gives the tunnel the draft's secrets.
  ports.tunnels.retry(draft, hostKey);
  return { database, close: () => database.close() };
}
