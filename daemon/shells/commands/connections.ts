/** `connections.list`, `show` and `test`. */

import * as z from 'zod';
import { shownText } from '../../../shared/shown-text.ts';
import type { Connection } from '../../access/connection.ts';
import { PasswordUnavailable } from '../../access/secret-store.ts';
import type { Answer, Database, DatabaseFailure, ServerStatus } from '../../engines/engine.ts';
import { roleAdvice } from '../../engines/role.ts';
import { type CommandContext, command, done, looks, refused } from '../command.ts';
import { dialAdvice } from '../dial-advice.ts';
import {
  type ConnectionTestResult,
  connectionPage,
  connectionTestResult,
  connectionView,
} from '../messages/connections.ts';
import type { CommandPorts } from '../ports.ts';
import { unknownConnection, viewOfConnection } from './connection-view.ts';
import { pageFrom } from './page.ts';
import { fromPlace, namedConnection } from './shapes.ts';

/** In pages: `next` is the start of the next page, null at the end. */
export const connectionsList = command('connections.list', {
  shape: fromPlace,
  result: connectionPage,
  ...looks,
  run: ({ from = 0 }, { ports }) => {
    const { views, next } = pageFrom(ports.connections.list(), from, each => viewOfConnection(each, ports.now()));
    return done({ connections: views, next });
  },
});

export const connectionsShow = command('connections.show', {
  shape: namedConnection,
  result: connectionView,
  ...looks,
  run: ({ connection: asked }, { ports }) => {
    const connection = ports.connections.find(asked);
    return connection === null ? refused(unknownConnection(asked)) : done(viewOfConnection(connection, ports.now()));
  },
});

/** Dials. An unreachable connection is a result, not an error. */
export const connectionsTest = command('connections.test', {
  shape: namedConnection.extend({
    /**
     * Fingerprint of the SSH server's host key that a person has confirmed: ssh accepts only this
     * key.
     */
    hostKey: z
      .string('a fingerprint is expected')
      .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'a fingerprint is expected')
      .optional(),
  }),
  result: connectionTestResult,
  privilegeIncrease: 'never',
  records: {
    action: 'connection.test',
    done: ({ reachable, name }, { hostKey }, { connections }) => {
      const id = connections.find(name)?.id;
      const reasons = [
        ...(reachable ? [] : ["it can't be reached"]),
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
    if (connection === null) return refused(unknownConnection(asked));
    return done(await testedByPerson(connection, hostKey, context));
  },
});

/** @param hostKey fingerprint of the key that the person has confirmed. */
export async function testedByPerson(
  connection: Connection,
  hostKey: string | null,
  { ports, signal, at }: Pick<CommandContext, 'ports' | 'signal' | 'at'>,
): Promise<ConnectionTestResult> {
  const { id, name } = connection;
  const shown = ports.tunnels.unknownHostKey(id);
  if (shown !== null && shown.fingerprint === hostKey) ports.accessRequests.confirmHostKey(shown);
  ports.tunnels.retry(connection, hostKey);
  const answer = await statusOf(connection, ports, signal);
  if (answer.kind !== 'done') {
    const unknown = ports.tunnels.unknownHostKey(id);
    const problem = `${problemOf(answer, connection)}${saidByTunnel(answer, ports.tunnels.wrote(id))}`;
    return { reachable: false, name, problem, ...(unknown !== null && { hostKey: unknown }) };
  }
  const { mayWrite, ...status } = answer.value;
  const advice = roleAdvice(connection, at, { warnings: status.warnings, mayWrite });
  const warnings = advice === null ? status.warnings : [...status.warnings, advice];
  return { reachable: true, name, ...status, warnings };
}

/** For the log. */
export const hostKeyConfirmed = (fingerprint: string): string => `the SSH host key ${fingerprint} was confirmed`;

/** For the person alone, like a password command's output. */
function saidByTunnel(failure: DatabaseFailure, wrote: string): string {
  const isItsFailure = failure.kind === 'not_connected' && failure.message.includes('its tunnel command');
  return isItsFailure && wrote !== '' ? ` It wrote: ${shownText(wrote.trim(), 'lines')}` : '';
}

async function statusOf(
  connection: Connection,
  { databases, passwordOf }: CommandPorts,
  signal: AbortSignal,
): Promise<Answer<ServerStatus>> {
  const ask = (database: Database) =>
    database.status({
      principal: null,
      client: 'connection test',
      database: null,
      schema: null,
      timeoutSeconds: testSeconds,
      signal: AbortSignal.any([signal, AbortSignal.timeout((testSeconds + 1) * 1000)]),
    });
  try {
    // The person is told in more words than a client why there is no password.
    if (connection.password.kind === 'stored') await passwordOf(connection);
    if (connection.password.kind !== 'command') return await ask(databases.of(connection));
    // The password may take a person's time, so the clock starts after it.
    const database = databases.tryOut(connection, (await passwordOf(connection)) ?? '');
    return await ask(database).finally(() => database.close());
  } catch (error) {
    if (!(error instanceof PasswordUnavailable)) throw error;
    return { kind: 'not_connected', message: error.toPerson };
  }
}

export function problemOf(failure: DatabaseFailure, connection: Pick<Connection, 'name' | 'tls'>): string {
  switch (failure.kind) {
    case 'query_failed':
      return failure.code === null ? failure.message : `${failure.message} (${failure.code})`;
    case 'not_connected':
      return [failure.message, dialAdvice(failure.message, connection.name, connection.tls.mode)]
        .filter(Boolean)
        .join(' ');
    case 'read_only':
    case 'unsupported':
      return failure.message;
    case 'outcome_unknown':
      return `The test did not end, for ${failure.reason}.`;
    case 'timeout':
      return `No answer within ${failure.seconds} s.`;
    case 'no_free_session':
      return `All ${failure.sessions} sessions of the connection were busy for ${failure.seconds} s; try again later.`;
    case 'cancelled':
    case 'not_committed':
    case 'not_as_provided':
      return `No answer within ${testSeconds} s.`;
  }
}

const testSeconds = 15;
