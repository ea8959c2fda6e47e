/** `connections.list`, `show` and `test`; and the test itself, which a draft gets, too. */

import { shellWord } from '../../../shared/client-configs.ts';
import { shownText } from '../../../shared/shown-text.ts';
import type { Connection } from '../../access/connection.ts';
import { PasswordUnavailable } from '../../access/secret-store.ts';
import type { Answer, Database, DatabaseFailure, ServerStatus } from '../../engines/engine.ts';
import { roleAdvice } from '../../engines/role.ts';
import { beforeIt, shortened } from '../../statement/failure-refusals.ts';
import { waited } from '../../statement/waiting-words.ts';
import { type CommandContext, command, done, looks } from '../command.ts';
import { dialAdvice } from '../dial-advice.ts';
import {
  type ConnectionTestResult,
  connectionPage,
  connectionTestResult,
  connectionView,
  type ReachableDatabase,
} from '../messages/connections.ts';
import type { CommandPorts } from '../ports.ts';
import { serversOf, unknownConnection, viewOfConnection } from './connection-view.ts';
import { type Kept, keptFromClients } from './kept-from-clients.ts';
import { pageFrom } from './page.ts';
import { fingerprint, fromPlace, namedConnection } from './shapes.ts';

/** Lists in pages: `next` is the start of the next page, null at the end. */
export const connectionsList = command('connections.list', {
  shape: fromPlace,
  result: connectionPage,
  brake: true,
  ...looks,
  run: ({ from = 0 }, { ports }) => {
    const { views, next } = pageFrom(ports.connections.list(), from, each => viewOfConnection(each, ports));
    return done({ connections: views, next });
  },
});

export const connectionsShow = command('connections.show', {
  shape: namedConnection,
  result: connectionView,
  brake: true,
  ...looks,
  run: ({ connection: asked }, { ports }) => {
    const connection = ports.connections.find(asked);
    return connection === null ? unknownConnection(asked) : done(viewOfConnection(connection, ports));
  },
});

/** Dials the connection. An unreachable connection is a result, not an error. */
export const connectionsTest = command('connections.test', {
  shape: namedConnection.extend({
    hostKey: fingerprint.optional(),
  }),
  result: connectionTestResult,
  privilegeIncrease: 'never',
  records: {
    action: 'connection.test',
    done: (result, { hostKey }, { connections }) => {
      const { reachable, name } = result;
      const id = connections.find(name)?.id;
      const reasons = [
        ...(reachable ? heldBy(result) : ["it can't be reached"]),
        ...(hostKey === undefined ? [] : [hostKeyConfirmed(hostKey)]),
      ];
      return {
        connection: id === undefined ? null : { id, name },
        ...(reasons.length > 0 && { reason: reasons.join('; ') }),
        ...(!reachable && { outcome: 'error' }),
      };
    },
  },
  run: async ({ connection: asked, hostKey = null }, context) => {
    const connection = context.ports.connections.find(asked);
    if (connection === null) return unknownConnection(asked);
    return done(await testConnection(connection, hostKey, context));
  },
});

/**
 * Tests a saved connection.
 * @param hostKey the fingerprint of a host key that the person has confirmed; null for none.
 */
export async function testConnection(
  connection: Connection,
  hostKey: string | null,
  context: Pick<CommandContext, 'ports' | 'signal' | 'at'>,
): Promise<ConnectionTestResult> {
  const { ports } = context;
  const shown = ports.tunnels.unknownHostKey(connection.id);
  if (shown !== null && shown.fingerprint === hostKey) ports.accessRequests.confirmHostKey(shown);
  ports.tunnels.retry(connection, hostKey);
  return tested(connection, () => openSaved(connection, ports), context);
}

/** A database that can be dialled. Its password, which may take a person's time, was fetched. */
export interface Opened {
  readonly database: Database;
  close(): Promise<void>;
}

/**
 * Tests a connection, saved or not. Never rejects with what the test itself may meet.
 * @param open may throw PasswordUnavailable.
 */
export async function tested(
  connection: Connection,
  open: () => Promise<Opened>,
  { ports, signal, at }: Pick<CommandContext, 'ports' | 'signal' | 'at'>,
): Promise<ConnectionTestResult> {
  const { id, name } = connection;
  const before = new Set(ports.knownServers.of(connection).map(({ server }) => server));
  // What the servers show is kept, as a person looks at it, who has just saved the connection or
  // means to go on with it.
  const answer = await ports.knownServers.whilePinning(id, () => statusOf(connection, open, signal));
  if (answer.kind !== 'done') {
    const unknown = ports.tunnels.unknownHostKey(id);
    const code = answer.kind === 'not_connected' ? answer.problem : undefined;
    const wrote = code === 'tunnel_command' ? ports.tunnels.wrote(id) : '';
    // What the command wrote is for the person alone, like a password command's output.
    const said = wrote === '' ? '' : ` It wrote: ${shownText(wrote.trim(), 'lines')}`;
    const problem = `${problemOf(answer, connection)}${said}`;
    return {
      reachable: false,
      name,
      ...(code !== undefined && { code }),
      problem,
      ...(unknown !== null && { hostKey: unknown }),
    };
  }
  const { mayWrite, isReadWallMissing, readWallSaid, kept, unseen, ...status } = answer.value;
  const advice = roleAdvice(connection, at, { warnings: status.warnings, mayWrite });
  const warnings = [
    ...(isReadWallMissing ? [missingWall(connection, readWallSaid)] : []),
    ...status.warnings,
    ...(unseen === null ? [] : [unseen]),
    ...(advice === null ? [] : [advice]),
  ];
  const shown = serversOf(connection, ports.knownServers);
  const added = shown.knownServers?.map(({ server }) => server).filter(server => !before.has(server)) ?? [];
  const servers = { ...shown, ...(added.length > 0 && { newServers: added }) };
  return {
    ...{ reachable: true, name, ...status, warnings, roleDoesMore: advice !== null, ...servers },
    ...(isReadWallMissing && { isReadWallMissing }),
    ...kept,
  };
}

/** Else a person takes it that the patterns hide nothing. */
const notLookedAt = (failure: DatabaseFailure, connection: Connection): string =>
  `Which tables and columns clients don't meet here wasn't looked at: ${problemOf(failure, connection)}`;

function missingWall({ name, walls }: Connection, said: string | null): string {
  const what = "The server doesn't refuse writes in a transaction that only reads";
  const words = said === null ? '' : ` The server said: ${shortened(said)}`;
  if (walls === 'one') return `${what}: what clients read here is held by one wall, the guard.${words}`;
  return `${what}, so clients read nothing here. \`sallyport connections set ${shellWord(name)} --walls one\` lets the guard alone hold them.${words}`;
}

/** A clause for the log on a server that doesn't refuse writes, if it is one. */
export const heldBy = ({ isReadWallMissing }: ReachableDatabase): readonly string[] =>
  isReadWallMissing === true ? ['held by one wall'] : [];

/** A clause for the log. */
export const hostKeyConfirmed = (fingerprint: string): string => `the SSH host key ${fingerprint} was confirmed`;

async function openSaved(connection: Connection, { databases, passwordOf }: CommandPorts): Promise<Opened> {
  // The password is fetched here: a person is told in more words than a client why there is none.
  const password = connection.password.kind === 'none' ? null : await passwordOf(connection);
  if (connection.password.kind === 'command') {
    const database = databases.tryOut(connection, password ?? '');
    return { database, close: () => database.close() };
  }
  return { database: databases.of(connection), close: async () => {} };
}

async function statusOf(
  connection: Connection,
  open: () => Promise<Opened>,
  signal: AbortSignal,
): Promise<Answer<ServerStatus & { readonly kept: Kept; readonly unseen: string | null }>> {
  try {
    const { database, close } = await open();
    const context = {
      principal: null,
      client: 'connection test',
      database: null,
      schema: null,
      timeoutSeconds: testSeconds,
      signal: AbortSignal.any([signal, AbortSignal.timeout((testSeconds + 1) * 1000)]),
    };
    try {
      const status = await database.status(context);
      if (status.kind !== 'done') return status;
      const kept = await keptFromClients(connection, database, context);
      if (kept.kind === 'done') return { kind: 'done', value: { ...status.value, kept: kept.value, unseen: null } };
      return { kind: 'done', value: { ...status.value, kept: {}, unseen: notLookedAt(kept, connection) } };
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof PasswordUnavailable)) throw error;
    return { kind: 'not_connected', message: error.toPerson };
  }
}

/** Sentences for a person on why a connection can't be reached, and what to do. */
export function problemOf(
  failure: DatabaseFailure,
  connection: Pick<Connection, 'name' | 'password' | 'tls' | 'tunnel'>,
): string {
  switch (failure.kind) {
    case 'query_failed':
      return `${beforeIt(failure)}${shortened(failure.message)}${failure.code === null ? '' : ` (${failure.code})`}`;
    case 'not_connected':
      return [shortened(failure.message), dialAdvice(failure.problem, connection.name, connection.password.kind)]
        .filter(Boolean)
        .join(' ');
    case 'read_only':
    case 'unsupported':
      return shortened(failure.message);
    case 'cancelled':
    case 'unproved_wall':
    case 'not_committed':
    case 'masked':
    case 'not_as_provided':
      return `No answer within ${testSeconds} s.`;
    default:
      return waited(failure, connection);
  }
}

const testSeconds = 15;
