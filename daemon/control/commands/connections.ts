/** `connections.list`, `show` and `test`. */

import * as z from 'zod';
import type { Connection } from '../../access/connection.ts';
import { PasswordCommandFailed } from '../../access/secret-store.ts';
import type { Answer, Database, DatabaseFailure, ServerStatus } from '../../query/database.ts';
import { roleAdvice } from '../../query/role/role.ts';
import { command, done, refused } from '../command.ts';
import type { CommandPorts } from '../ports.ts';
import { connectionView, unknownConnection } from './connection-view.ts';
import { pageFrom } from './page.ts';
import { namedConnection } from './shapes.ts';

export const listConnections = command<'connections.list'>(
  z.strictObject({ from: z.number().int().min(0).optional() }),
  ({ from = 0 }, { ports }) => {
    const { views, next } = pageFrom(ports.connections.list(), from, each => connectionView(each, ports.now()));
    return done({ connections: views, next });
  },
);

export const showConnection = command<'connections.show'>(namedConnection, ({ connection: asked }, { ports }) => {
  const connection = ports.connections.find(asked);
  return connection === null ? refused(unknownConnection(asked)) : done(connectionView(connection, ports.now()));
});

/** Dials, and says in a sentence what came of it. */
export const testConnection = command<'connections.test'>(namedConnection, async ({ connection: asked }, context) => {
  const { ports, signal } = context;
  const connection = ports.connections.find(asked);
  if (connection === null) return refused(unknownConnection(asked));
  const { name } = connection;
  const answer = await statusOf(connection, ports, signal);
  if (answer.kind !== 'done') return done({ reachable: false, name, problem: problemOf(answer) + noTlsAdvice(answer) });
  const { mayWrite, ...status } = answer.value;
  const advice = roleAdvice(connection, context.at, { warnings: status.warnings, mayWrite });
  const warnings = advice === null ? status.warnings : [...status.warnings, advice];
  return done({ reachable: true, name, ...status, warnings });
});

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
  if (connection.password.kind !== 'command') return ask(databases.of(connection));
  // It may wait for a person, so the clock starts behind it; and the person who asks is shown what it wrote.
  try {
    const database = databases.tryOut(connection, (await passwordOf(connection)) ?? '');
    return await ask(database).finally(() => database.close());
  } catch (error) {
    if (!(error instanceof PasswordCommandFailed)) throw error;
    const { problem, wrote } = error;
    return { kind: 'not_connected', message: `${problem}.${wrote === '' ? '' : ` It wrote: ${wrote}`}` };
  }
}

export function problemOf(failure: DatabaseFailure): string {
  switch (failure.kind) {
    case 'query_failed':
      return failure.code === null ? failure.message : `${failure.message} (${failure.code})`;
    case 'read_only':
    case 'not_connected':
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

/** For the person who tests: a client that reads it might have the connection weakened. In the words of both engines' failures. */
function noTlsAdvice(failure: DatabaseFailure): string {
  const saysNoTls = failure.kind === 'not_connected' && /asks for TLS mode|offers no TLS/.test(failure.message);
  return saysNoTls
    ? ' Let the server offer TLS; or take --tls prefer, or --tls disable: all then crosses the network in clear text, where others may read and change it.'
    : '';
}

const testSeconds = 15;
