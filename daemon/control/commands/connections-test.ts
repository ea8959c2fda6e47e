/** `connections.test`: dials, and says in a sentence what came of it. */

import type { DatabaseFailure } from '../../query/database.ts';
import { command, done, refused } from '../command.ts';
import { unknownConnection } from './connection-view.ts';
import { namedConnection } from './shapes.ts';

const testSeconds = 15;

export const testConnection = command<'connections.test'>(namedConnection, async ({ connection: asked }, context) => {
  const { ports, signal } = context;
  const connection = ports.connections.find(asked);
  if (connection === null) return refused(unknownConnection(asked));
  const { name } = connection;
  const answer = await ports.databases.of(connection).status({
    principal: null,
    client: 'connection test',
    database: null,
    schema: null,
    timeoutSeconds: testSeconds,
    signal: AbortSignal.any([signal, AbortSignal.timeout((testSeconds + 1) * 1000)]),
  });
  return done(
    answer.kind === 'done'
      ? { reachable: true, name, ...answer.value }
      : { reachable: false, name, problem: problemOf(answer) },
  );
});

function problemOf(failure: DatabaseFailure): string {
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
    case 'not_as_provided':
      return `No answer within ${testSeconds} s.`;
  }
}
